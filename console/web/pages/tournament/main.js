/** Tournaments, their clocks and their jackpots: for a wall of the club, and for the cash desk. */

import { Clock } from "../common/clock.js";
import { LostNotice, put, showBanner } from "../common/frame.js";
import { Live } from "../common/live.js";
import { money } from "../common/money.js";
import { language, languageSwitch, onLanguage, say, setTableLanguage, translate } from "../common/language.js";
import { WORDS } from "../words/tournament.js";

const COLUMNS = ["tournament", "level", "share", "fees"];

const place = document.getElementById("jackpots");
const clocksPlace = document.getElementById("clocks");
const notice = new LostNotice(document.querySelector("main"), WORDS.roomLost);
/** By the tournament's name. */
const clocks = new Map();
let jackpots = null;

languageSwitch(document.getElementById("language"));
onLanguage(writeAll);
writeAll();
new Live("/live/tournament", { onMessage, onChanged });

function onChanged(there, lastHeard) {
  notice.show(there, lastHeard);
  clocks.forEach((clock) => clock.setThere(there));
}

function onMessage(message) {
  if (message.kind === "tournaments") {
    setTableLanguage(message.language);
    showBanner(message.simulated);
    jackpots = message.jackpots;
    message.clocks.forEach(showClock);
    draw();
  }
}

function draw() {
  place.replaceChildren();
  if (jackpots?.length === 0 && clocks.size === 0) {
    put("p", "", place, say(WORDS.none));
  }
  jackpots?.forEach((jackpot, index) => writeJackpot(jackpot, `jackpot-${index}`));
  document.body.dataset.ready = jackpots === null ? "no" : "yes";
}

function showClock(message) {
  if (!clocks.has(message.tournament)) {
    const section = put("section", "tournament-clock", clocksPlace);
    put("h2", "", section, message.tournament);
    const clock = put("div", "clock", section);
    clock.id = `clock-${clocks.size}`;
    clocks.set(message.tournament, new Clock(clock, "h3"));
  }
  clocks.get(message.tournament).show(message);
}

function writeJackpot(jackpot, id) {
  const section = put("section", "", place);
  section.setAttribute("aria-labelledby", id);
  put("h2", "", section, jackpot.jackpot).id = id;
  put("p", "amount", section, jackpot.amount === null ? "---" : writeAmount(jackpot.amount));
  if (jackpot.win !== null) {
    put("p", "won", section, say(WORDS.won, { ...jackpot.win, amount: writeAmount(jackpot.win.amount) }));
  } else if (jackpot.day !== null) {
    put("p", "", section, say(WORDS.notWon));
  }
  const day = jackpot.day === null ? say(WORDS.noDay) : say(WORDS.day, { day: writeDay(jackpot.day) });
  put("p", "", section, `${day} ${say(WORDS.feesToday, { fees: jackpot.fees })}`);
  put("p", "", section, say(WORDS.fee, { fee: writeAmount(jackpot.fee) }));
  if (jackpot.tournaments.length > 0) {
    writeTournaments(put("table", "", section), jackpot.tournaments);
  }
}

function writeTournaments(table, tournaments) {
  const head = put("tr", "", put("thead", "", table));
  for (const column of COLUMNS) {
    put("th", "", head, say(WORDS[column])).scope = "col";
  }
  const body = put("tbody", "", table);
  for (const one of tournaments) {
    const row = put("tr", "", body);
    put("th", "", row, one.tournament).scope = "row";
    put("td", "", row, say(WORDS.levels[one.level]));
    put("td", "share", row, one.share === "0" ? say(WORDS.nothing) : say(WORDS.percent, { share: one.share }));
    put("td", "", row, String(one.fees));
  }
}

function writeAmount(text) {
  return money(text, language());
}

function writeDay(day) {
  const style = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language() === "it" ? "it-IT" : "en-GB", style);
}

function writeAll() {
  translate(document, WORDS);
  document.title = `${say(WORDS.title)} - banco`;
  draw();
}

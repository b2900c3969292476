/** The sign: what every player may see of a table, for a wall, or small for the table itself. */

import { Clock } from "../common/clock.js";
import { Live } from "../common/live.js";
import { showBanner } from "../common/frame.js";
import { cents, currency, isAtLimit, jackpotMoney, setPrizes } from "../common/money.js";
import { alternateLanguage, language, onLanguage, say, setTableLanguage, translate } from "../common/language.js";
import { WORDS } from "../words/sign.js";
import { Attract } from "./attract.js";
import { Awards } from "./awards.js";
import { Creep, PARTS } from "./creep.js";
import { Ladder, isByHouse } from "./ladder.js";
import { Limits, Messages } from "./notices.js";
import { Odometer } from "./odometer.js";
import { Shoe } from "./shoe.js";
import { ring } from "./sound.js";
import { Wins } from "./wins.js";

const DRIFT_EVERY_MS = 60_000;
const DRIFTS = 9;

/** Of a table with a jackpot: PAUSED is closed, for the night or for a hand without stakes. */
const PROGRESSIVE_PHASES = {
  PAUSED: WORDS.betting.tableClosed,
  BETTING: WORDS.betting.open,
  COLLECTING: WORDS.betting.closed,
  PLAYING: WORDS.betting.closed,
  AWARDING: WORDS.betting.closed,
  SERVICE: WORDS.betting.outOfService,
};

/** Of a table without: PAUSED is a hand being played. */
const PHASES = { ...PROGRESSIVE_PHASES, PAUSED: WORDS.betting.closed };

/** By the kind of the game. */
const PHASES_OF = {
  cards: PHASES,
  poker: { ...PROGRESSIVE_PHASES, ...WORDS.poker },
};

/** Kinds of games in which nobody is invited to bet: the sign says what goes on. */
const WITHOUT_BETS = ["poker"];

/** Phases in which the table is away: its band has the colour of nothing. */
const AWAY = ["PAUSED", "SERVICE"];

const root = document.documentElement;
const at = (id) => document.getElementById(id);
const odometer = new Odometer(at("amount"));
const creep = new Creep(writeAmount);
const messages = new Messages(at("message"));
const attract = new Attract(at("stage"), beginAnew);
const awards = new Awards(at("award"), nameOf, byHouse);
const wins = new Wins(at("wins"));
const ladder = new Ladder(at("ladder"), nameOf);
const limits = new Limits(at("limits"), at("stakes"));
const shoe = new Shoe(at("shoe"));
const clock = new Clock(at("clock"));
let table = null;
let jackpot = null;
let connected = false;
let lostAt = null;
let dashesLater = null;
let drift = 0;

const HANDLERS = {
  table: showTable,
  jackpot: showJackpot,
  wins: (message) => {
    wins.show(message);
    const grade = awards.wins(message.wins);
    if (grade && table?.sound) {
      ring(grade);
    }
    attract.fill("wins", message.wins.some((win) => win.state === "paid"));
  },
  road: (message) => shoe.show(message),
  clock: (message) => clock.show(message),
};

/** What the table calls a combination; its code until the table is known. */
function nameOf(combination) {
  return table?.texts[language()].combinations[combination] ?? combination;
}

/** Whether the house alone pays a combination's winners. */
function byHouse(combination) {
  return table?.ladder.some((rung) => rung.combination === combination && isByHouse(rung)) ?? false;
}

function showTable(message) {
  if (message.game !== root.dataset.game) {
    location.reload();
    return;
  }
  table = message;
  setPrizes(message);
  awards.forget();
  setTableLanguage(message.language);
  showBanner(message.simulated);
  at("currency").textContent = currency();
  ladder.show(message.ladder);
  attract.fill("ladder", (message.ladder).length > 0);
  attract.fill("limits", limits.show(message.facts ?? []));
  attract.fill("message", messages.show(message.messages ?? []));
  wins.again();
}

function showJackpot(message) {
  jackpot = message;
  connected = true;
  if (message.progressive && message.amount === null) {
    forgetAmount(message.award);
  } else if (message.progressive) {
    creep.to(cents(message.amount));
    awards.pending(message.award, cents(message.amount));
    at("max").hidden = !isAtLimit(cents(message.amount));
  }
  limits.setFree(message.free_seats ?? null);
  writeState();
  document.body.dataset.ready = "yes";
}

function writeAmount(parts) {
  odometer.show(parts, language());
  ladder.follow(Math.floor(parts / PARTS));
}

/** @param {import("./awards.js").Award|null} award */
function forgetAmount(award) {
  creep.forget();
  odometer.showText("---");
  at("max").hidden = true;
  ladder.follow(null);
  awards.pending(award, null);
  at("spoken").textContent = "";
}

/** The sign of several tables shows no amount that may be old. */
function forgetLater(lastHeard) {
  clearTimeout(dashesLater);
  if (lastHeard !== null && table?.dashes_after_s) {
    const heardFor = Date.now() - lastHeard.getTime();
    dashesLater = setTimeout(() => {
      jackpot = null;
      forgetAmount(null);
    }, table.dashes_after_s * 1000 - heardFor);
  }
}

/** The loop has shown all: the next message, and the next of the languages. */
function beginAnew() {
  messages.next();
  alternateLanguage(table?.languages ?? []);
}

function writeState() {
  if (jackpot === null) {
    return;
  }
  writeBetting();
  at("hands").textContent = handsLeft(jackpot.last_hands);
  if (jackpot.amount === null) {
    at("spoken").textContent = "";
  } else if (jackpot.progressive) {
    const amount = jackpotMoney(cents(jackpot.amount), language());
    at("spoken").textContent = say(WORDS.jackpot, { amount });
  }
}

/** The sign shows open bets only while it hears its table and the table takes bets. */
function writeBetting() {
  const kind = jackpot.kind_of_game ?? "cards";
  const open = connected && jackpot.takes_bets && !WITHOUT_BETS.includes(kind);
  const phases = jackpot.progressive ? PROGRESSIVE_PHASES : PHASES_OF[kind];
  const suspended = connected ? say(WORDS.suspended) : "";
  root.dataset.betting = open ? "open" : "closed";
  root.dataset.away = String(jackpot.progressive && AWAY.includes(jackpot.phase));
  if (jackpot.phase === null) {
    at("betting").textContent = "";
    return;
  }
  const known = open || jackpot.phase !== "BETTING" || WITHOUT_BETS.includes(kind);
  at("betting").textContent = known ? say(phases[jackpot.phase]) : suspended;
}

function handsLeft(hands) {
  if (hands === null) {
    return "";
  }
  return say(WORDS.lastHands[hands] ?? WORDS.manyHands, { hands });
}

function writeLost() {
  const time = lostAt?.toLocaleTimeString(language() === "it" ? "it-IT" : "en-GB");
  at("gone").textContent = lostAt ? `${say(root.dataset.gone === "goneRoom" ? WORDS.goneRoom : WORDS.gone)} ${say(WORDS.lastKnown, { time })}` : "";
  root.classList.toggle("gone", lostAt !== null);
}

new Live(root.dataset.live, {
  onMessage: (message) => HANDLERS[message.kind]?.(message),
  onChanged: (there, lastHeard) => {
    lostAt = there ? null : lastHeard;
    writeLost();
    clock.setThere(there);
    forgetLater(lostAt);
    if (!there) {
      disconnect();
    }
  },
  onClosed: disconnect,
});

function disconnect() {
  connected = false;
  writeState();
}

/** Move the picture a little, to prevent burn-in. */
function moveOn() {
  drift = (drift + 1) % DRIFTS;
  at("drift").dataset.drift = String(drift);
}

onLanguage(() => {
  translate(document, WORDS);
  creep.again();
  writeState();
  writeLost();
});
translate(document, WORDS);
setInterval(moveOn, DRIFT_EVERY_MS);

/** The sign: what every player may see of a table, for a wall, or small for the table itself. */

import { Live } from "../common/live.js";
import { showBanner } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, languageSwitch, onLanguage, say, setTableLanguage, translate } from "../common/words.js";
import { Awards } from "./awards.js";
import { fit } from "./fit_text.js";
import { Rising } from "./rising.js";
import { Shoe } from "./shoe.js";
import {
  COMBINATIONS, JACKPOT, LAST_HANDS, LOST, MANY_HANDS, PHASES, PROGRESSIVE_PHASES, STILL, SUSPENDED,
  TEXTS,
} from "./texts.js";
import { Wins } from "./wins.js";

const DRIFT_EVERY_MS = 60_000;
const DRIFTS = 9;

const root = document.documentElement;
const at = (id) => document.getElementById(id);
const rising = new Rising(writeAmount);
const awards = new Awards(at("award"), nameOf);
const wins = new Wins(at("wins"), nameOf);
const shoe = new Shoe(at("shoe"));
let table = null;
let jackpot = null;
let connected = false;
let lostAt = null;
let drift = 0;

const HANDLERS = {
  table: showTable,
  jackpot: showJackpot,
  wins: (message) => {
    wins.show(message);
    awards.wins(message.wins);
  },
  road: (message) => shoe.show(message),
};

/** What the table calls a combination; its code until the table is known. */
function nameOf(combination) {
  const own = COMBINATIONS[combination];
  return own ? say(own) : table?.texts[language()].combinations[combination] ?? combination;
}

function showTable(message) {
  if (message.game !== root.dataset.game) {
    location.reload();
    return;
  }
  table = message;
  awards.forget();
  setTableLanguage(message.language);
  showBanner(message.simulated);
  wins.again();
}

function showJackpot(message) {
  jackpot = message;
  connected = true;
  if (message.progressive) {
    rising.to(cents(message.amount));
    awards.pending(message.award, cents(message.amount));
  }
  writeState();
  document.body.dataset.ready = "yes";
}

function writeAmount(value) {
  const amount = at("amount");
  amount.textContent = formatCents(value, language());
  const digits = String(String(Math.abs(value)).padStart(3, "0").length);
  if (amount.dataset.digits !== digits) {
    amount.dataset.digits = digits;
    fit(amount);
  }
}

function writeState() {
  if (jackpot === null) {
    return;
  }
  writeBetting();
  at("hands").textContent = handsLeft(jackpot.last_hands);
  if (jackpot.progressive) {
    at("jackpot-name").textContent = say(JACKPOT);
    at("spoken").textContent = `${say(STILL)} ${formatCents(cents(jackpot.amount), language())} EUR`;
  }
}

/** Nobody is invited by a sign that does not hear its table, nor where the table takes no bets. */
function writeBetting() {
  const open = connected && jackpot.takes_bets;
  const phases = jackpot.progressive ? PROGRESSIVE_PHASES : PHASES;
  const suspended = connected ? say(SUSPENDED) : "";
  root.dataset.betting = open ? "open" : "closed";
  at("betting").textContent = open || jackpot.phase !== "BETTING" ? say(phases[jackpot.phase]) : suspended;
}

function handsLeft(hands) {
  if (hands === null) {
    return "";
  }
  return say(LAST_HANDS[hands] ?? MANY_HANDS, { hands });
}

function writeLost() {
  const time = lostAt?.toLocaleTimeString(language() === "it" ? "it-IT" : "en-GB");
  at("gone").textContent = lostAt ? say(LOST, { time }) : "";
  root.classList.toggle("gone", lostAt !== null);
}

new Live("/live/sign", {
  onMessage: (message) => HANDLERS[message.kind]?.(message),
  onChanged: (there, lastHeard) => {
    lostAt = there ? null : lastHeard;
    writeLost();
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

/** Nothing stays on the same points of a screen for years. */
function moveOn() {
  drift = (drift + 1) % DRIFTS;
  at("drift").dataset.drift = String(drift);
}

onLanguage(() => {
  translate(document, TEXTS);
  rising.again();
  writeState();
  writeLost();
});
translate(document, TEXTS);
languageSwitch(at("language"));
setInterval(moveOn, DRIFT_EVERY_MS);
new ResizeObserver(() => fit(at("amount"))).observe(at("amount").parentElement);

/** The sign: what every player may see of a table, for a wall, or small for the table itself. */

import { Live } from "../common/live.js";
import { showBanner } from "../common/frame.js";
import { cents, written } from "../common/money.js";
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
const awards = new Awards(at("award"), named);
const wins = new Wins(at("wins"), named);
const shoe = new Shoe(at("shoe"));
let table = null;
let jackpot = null;
let connected = false;
let lostAt = null;
let drift = 0;

const HEARD = {
  table: hearTable,
  jackpot: hearJackpot,
  wins: (told) => {
    wins.show(told);
    awards.wins(told.wins);
  },
  road: (told) => shoe.show(told),
};

/** What the table calls a combination; its code until the table has been told. */
function named(combination) {
  const own = COMBINATIONS[combination];
  return own ? say(own) : table?.texts[language()].combinations[combination] ?? combination;
}

function hearTable(told) {
  if (told.game !== root.dataset.game) {
    location.reload();
    return;
  }
  table = told;
  awards.forget();
  setTableLanguage(told.language);
  showBanner(told.simulated);
  wins.again();
}

function hearJackpot(told) {
  jackpot = told;
  connected = true;
  if (told.progressive) {
    rising.to(cents(told.amount));
    awards.pending(told.award, cents(told.amount));
  }
  writeState();
  document.body.dataset.ready = "yes";
}

function writeAmount(value) {
  const amount = at("amount");
  amount.textContent = written(value, language());
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
    at("spoken").textContent = `${say(STILL)} ${written(cents(jackpot.amount), language())} EUR`;
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
  heard: (message) => HEARD[message.kind]?.(message),
  changed: (there, heard) => {
    lostAt = there ? null : heard;
    writeLost();
    if (!there) {
      disconnect();
    }
  },
  closed: disconnect,
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

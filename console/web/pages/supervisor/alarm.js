/** The award that is pending: what it is, and how long it has waited; the place is always there. */

import { put } from "../common/frame.js";
import { money } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { durationOf } from "./moments.js";
import { cardOf } from "./rows.js";

/** Waiting longer than this, it is marked. */
const LATE_S = 180;

const EVERY_MS = 1000;

/**
 * @param {any} table
 * @param {any} award of the snapshot, null: none is pending
 */
export function alarmCard(table, award) {
  if (!award) {
    const nothing = put("p", "no-fault", null, say(WORDS.alarm.none));
    return cardOf("alarm", say(WORDS.alarm.title), [nothing]);
  }
  const { combination, winners, each, envy } = award;
  const named = table.texts[language()].combinations[combination] ?? combination;
  const values = { combination: named, winners, each: money(each, language()) };
  const line = put("p", "award");
  put("b", "", line, say(WORDS.award, values));
  const waits = put("span", "waits", line);
  waits.setAttribute("role", "timer");
  if (envy) {
    put("span", "envy", line, say(WORDS.envy, { seats: envy.seats, each: money(envy.each, language()) }));
  }
  const card = cardOf("alarm some", say(WORDS.alarm.title), [line]);
  card.setAttribute("aria-live", "polite");
  return card;
}

/** Writes each second how long the award has waited, by the table's clock. */
export class Waiting {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.since = null;
    this.ahead = null;
    setInterval(() => this.write(), EVERY_MS);
  }

  /** The table's clock reads this now. @param {string} wall */
  setClock(wall) {
    this.ahead = Date.parse(wall) - Date.now();
    this.write();
  }

  /** @param {any} wins the message `wins` */
  setWins(wins) {
    const pending = wins?.wins.find((win) => win.state === "pending");
    this.since = pending ? Date.parse(pending.wall) : null;
    this.write();
  }

  write() {
    const place = this.root.querySelector(".waits");
    if (place === null || this.since === null || this.ahead === null) {
      return;
    }
    const seconds = Math.max(0, Math.round((Date.now() + this.ahead - this.since) / 1000));
    place.textContent = say(WORDS.alarm.waits, { time: durationOf(seconds) });
    place.closest(".card").classList.toggle("late", seconds >= LATE_S);
  }
}

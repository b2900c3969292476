/** What somebody must see to, worst first; what is new is said to a screen reader once. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/room.js";
import { writeAge } from "./age.js";

/**
 * @typedef {{code: string, age_s: number, table: string, jackpot: string, award: number,
 *   subject: string, number: number}} Alarm
 */

export class Alarms {
  /** @param {HTMLElement} list @param {HTMLElement} spoken */
  constructor(list, spoken) {
    this.list = list;
    this.spoken = spoken;
    this.known = new Set();
  }

  /** @param {Alarm[]} alarms */
  show(alarms) {
    this.list.replaceChildren();
    for (const alarm of alarms) {
      const item = put("li", "alarm", this.list, this.#text(alarm));
      item.dataset.code = alarm.code;
    }
    if (alarms.length === 0) {
      put("li", "no-alarm", this.list, say(WORDS.noAlarm));
    }
    this.#speak(alarms);
  }

  /** The words are spoken again in another language only when they are news. */
  again() {
    this.spoken.textContent = "";
  }

  /** Nobody looks. */
  forget() {
    this.known.clear();
    this.list.replaceChildren();
    this.spoken.textContent = "";
  }

  #speak(alarms) {
    const keys = alarms.map((one) => [one.code, one.table, one.jackpot, one.award, one.subject].join("/"));
    const news = alarms.filter((_, index) => !this.known.has(keys[index]));
    this.known = new Set(keys);
    if (news.length > 0) {
      this.spoken.textContent = news.map((alarm) => this.#text(alarm)).join(" ");
    } else if (alarms.length === 0) {
      this.spoken.textContent = "";
    }
  }

  #text(alarm) {
    const { code, table, award, subject, number } = alarm;
    return say(WORDS.alarmWords[code], { age: writeAge(alarm.age_s), table, award, subject, number });
  }
}

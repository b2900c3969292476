/** The list of nights, to choose one. */

import { say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { ask } from "../common/ask.js";
import { moment } from "./moments.js";

/** A list to choose a night from; it keeps the one chosen when newer ones come. */
export class NightChoice {
  /**
   * @param {HTMLSelectElement} list
   * @param {() => void} chosen
   */
  constructor(list, chosen) {
    this.list = list;
    this.nights = [];
    list.addEventListener("change", chosen);
  }

  /** The first round of the night that is chosen; null: there is none, or the newest. */
  get first() {
    return this.list.value || null;
  }

  /** Read which nights there are. @param {{byItself?: boolean}} how */
  async read(how) {
    const { nights } = await ask("nights", {}, how);
    this.set(nights);
  }

  /** These nights can be chosen. @param {any[]} nights @param {number} [first] which one at first */
  set(nights, first = 0) {
    const fresh = this.nights.length === 0;
    this.nights = nights;
    this.write();
    if (fresh && nights.length > first) {
      this.list.selectedIndex = first;
    }
  }

  /** In the language that is chosen now. */
  write() {
    const chosen = this.list.value;
    this.list.replaceChildren(...this.nights.map(optionOf));
    if (this.nights.some((night) => String(night.first) === chosen)) {
      this.list.value = chosen;
    }
  }
}

function optionOf(night) {
  const { first, last, closed, opened } = night;
  const words = closed ? WORDS.nightClosed : WORDS.nightOpen;
  return new Option(say(words, { when: moment(opened), first, last }), String(first));
}

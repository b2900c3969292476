/** What the house says on its sign: the limits of the table, and messages of its own. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents } from "../common/money.js";
import { language, onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";

/** What stands between two amounts, where it is no range. */
const BETWEEN = { blinds: " / " };

/** Facts of a table in the order of the message: limits, a token's price, blinds. */
export class Limits {
  /**
   * @param {HTMLElement} place a list of terms
   */
  constructor(place) {
    this.place = place;
    this.facts = [];
    onLanguage(() => this.#write());
  }

  /**
   * @param {{fact: string, amounts: string[]}[]} facts
   * @returns {boolean} whether there is anything to say
   */
  show(facts) {
    this.facts = facts;
    this.#write();
    return this.facts.length > 0;
  }

  #write() {
    this.place.replaceChildren();
    for (const { fact, amounts } of this.facts) {
      const one = put("div", "fact", this.place);
      one.dataset.fact = fact;
      put("dt", "", one, say(WORDS.limits[fact]));
      put("dd", "", one, `${amounts.map((amount) => plain(amount)).join(BETWEEN[fact] ?? " – ")} ${currency()}`);
    }
  }
}

/** An amount without cents where there are none. */
function plain(amount) {
  return formatCents(cents(amount), language()).replace(/[.,]00$/, "");
}

/** One message after the other. */
export class Messages {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.messages = [];
    this.at = 0;
    onLanguage(() => this.#write());
  }

  /**
   * @param {{it: string, en: string}[]} messages
   * @returns {boolean} whether there is any
   */
  show(messages) {
    this.messages = messages;
    this.at = 0;
    this.#write();
    return messages.length > 0;
  }

  /** The next one. */
  next() {
    this.at += 1;
    this.#write();
  }

  #write() {
    this.place.textContent = this.messages.length > 0 ? say(this.messages[this.at % this.messages.length]) : "";
  }
}

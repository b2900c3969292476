/** What the house says on its sign: the limits of the table, and messages of its own. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents, percent } from "../common/money.js";
import { language, onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";

/** What stands between two amounts, where it is no range. */
const BETWEEN = { blinds: " / " };

/** Facts of a table in the order of the message: limits, a token's price, blinds. */
export class Limits {
  /**
   * @param {HTMLElement} place a list of terms
   * @param {HTMLElement} line the stakes alone, where a sign has no place for the list
   */
  constructor(place, line) {
    this.place = place;
    this.line = line;
    this.facts = [];
    this.free = null;
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

  /** Of a cash table. @param {number|null} seats free; null: it is no such table */
  setFree(seats) {
    if (seats !== this.free) {
      this.free = seats;
      this.#write();
    }
  }

  #write() {
    this.place.replaceChildren();
    const facts = this.facts.map((one) => [one.fact, describe(one)]);
    if (this.free !== null) {
      facts.push(["free", String(this.free)]);
    }
    for (const [fact, text] of facts) {
      const one = put("div", "fact", this.place);
      one.dataset.fact = fact;
      put("dt", "", one, say(WORDS.limits[fact]));
      put("dd", "", one, text);
    }
    const lengths = facts.map(([, text]) => text.length);
    this.place.style.setProperty("--facts", String(facts.length));
    this.place.style.setProperty("--longest", String(Math.max(0, ...lengths)));
    this.place.style.setProperty("--letters", String(lengths.reduce((sum, one) => sum + one, 0)));
    const stake = this.facts.find(({ fact }) => fact === "stake");
    this.line.textContent = stake ? `${say(WORDS.limits.stake)} ${describe(stake)}` : "";
  }
}

/** The rake has its share before its most. */
function describe({ fact, amounts, share }) {
  const written = `${amounts.map((amount) => plain(amount)).join(BETWEEN[fact] ?? " – ")} ${currency()}`;
  return share === undefined ? written : say(WORDS.rakeOf, { share: percent(share, language()), most: written });
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

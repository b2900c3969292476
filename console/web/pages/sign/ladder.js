/** The ladder of prizes: what each pays one winner now, in whole cents, never more than the ledger says. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents, money, percent } from "../common/money.js";
import { language, onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";

const WHOLE = 10_000;

/**
 * @typedef {object} Rung
 * @property {string} combination
 * @property {number} share of the jackpot, in basis points; 0: a fixed amount
 * @property {string} amount the fixed one
 * @property {boolean} always a fixed amount that is paid whatever the jackpot has
 * @property {string|null} envy what every other seat gets
 */

export class Ladder {
  /**
   * @param {HTMLElement} place an ordered list
   * @param {(combination: string) => string} nameOf
   */
  constructor(place, nameOf) {
    this.place = place;
    this.nameOf = nameOf;
    this.rungs = [];
    this.amounts = [];
    this.jackpot = null;
    onLanguage(() => this.#write());
  }

  /** @param {Rung[]} rungs as they are in the table's prizes */
  show(rungs) {
    this.rungs = rungs;
    this.#write();
  }

  /** @param {number|null} jackpot whole cents; null: it is not known now */
  follow(jackpot) {
    if (jackpot !== this.jackpot) {
      this.jackpot = jackpot;
      this.#writeAmounts();
    }
  }

  #write() {
    this.place.replaceChildren();
    this.place.style.setProperty("--rungs", String(this.rungs.length));
    this.amounts = this.rungs.map((rung) => this.#writeRung(rung));
    this.#writeAmounts();
  }

  #writeRung(rung) {
    const item = put("li", "rung", this.place);
    item.dataset.combination = rung.combination;
    put("span", "rung-name", item, this.nameOf(rung.combination));
    const amount = put("b", "rung-amount", item);
    put("span", "rung-part", item, this.#describe(rung));
    return amount;
  }

  #describe({ share, envy }) {
    const part = share > 0 ? say(WORDS.ladder.share, { share: percent(share, language()) }) : say(WORDS.ladder.fixed);
    if (envy === null) {
      return part;
    }
    return say(WORDS.ladder.envy, { part, envy: money(envy, language()) });
  }

  #writeAmounts() {
    this.rungs.forEach((rung, at) => {
      const pays = paysNow(rung, this.jackpot);
      const text = pays === null ? "---" : `${formatCents(pays, language())} ${currency()}`;
      if (this.amounts[at].textContent !== text) {
        this.amounts[at].textContent = text;
      }
    });
    const longest = Math.max(...this.amounts.map((amount) => amount.textContent.length));
    this.place.style.setProperty("--letters", String(longest));
  }
}

/**
 * Whether the jackpot pays the winners nothing of it.
 * @param {Rung} rung
 */
export function isByHouse({ share, always }) {
  return share === 0 && always;
}

/**
 * What one winner would get, in whole cents; null where the jackpot is not known.
 * @param {Rung} rung
 * @param {number|null} jackpot whole cents
 */
export function paysNow(rung, jackpot) {
  const { share, amount } = rung;
  if (isByHouse(rung)) {
    return cents(amount);
  }
  if (jackpot === null) {
    return null;
  }
  // A jackpot of ten digits times a share stays below 2^53: nothing is rounded but down.
  return share > 0 ? Math.floor((Math.max(0, jackpot) * share) / WHOLE) : Math.min(cents(amount), Math.max(0, jackpot));
}

/** What is shown of an award: pending while it is checked, then, once paid, for ten seconds. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents, jackpotMoney, money } from "../common/money.js";
import { language, onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";

const DECIDED_WITHIN_MS = 2000;
const SPARKS = 24;

/** How long a paid award is celebrated, by its grade. */
const CELEBRATED_MS = { moment: 8000, win: 15_000, jackpot: 60_000 };

/** A win pays at least so many per cent of what the jackpot was; one that pays half is the jackpot's. */
const PER_CENT = { win: 5, jackpot: 50 };

/** @typedef {{combination: string, winners: number, each: string, envy?: {seats: number, each: string}, whole?: boolean, tables?: string[]}} Award */

/** The part of the page that an award takes; the page's `data-view` says how large. */
export class Awards {
  /**
   * @param {HTMLElement} place
   * @param {(combination: string) => string} nameOf what the table calls a combination
   * @param {(combination: string) => boolean} byHouse whether the jackpot pays its winners nothing
   */
  constructor(place, nameOf, byHouse) {
    this.place = place;
    this.nameOf = nameOf;
    this.byHouse = byHouse;
    this.award = null;
    this.state = "";
    this.jackpot = 0;
    this.newestPaid = null;
    onLanguage(() => this.#write());
  }

  /** The table's messages begin again: earlier awards are not celebrated. */
  forget() {
    this.newestPaid = null;
  }

  /**
   * The award that is pending now, if one is; what becomes of the last one the wins will say.
   * @param {Award|null} award
   * @param {number|null} jackpot whole cents; null: a linked one that is not known now
   */
  pending(award, jackpot) {
    this.jackpot = jackpot;
    if (award !== null) {
      this.#show("pending", award);
    } else if (this.state === "pending" && jackpot === null) {
      this.#show("", null);
    } else if (this.state === "pending") {
      this.waiting ?? this.#endAfter(DECIDED_WITHIN_MS);
    } else {
      this.#write();
    }
  }

  /**
   * The last wins, newest first.
   * @param {(Award & {seq: number, state: string})[]} wins
   * @returns {string} the grade of one that has just been paid; "": none has
   */
  wins(wins) {
    const paid = wins.find((win) => win.state === "paid");
    const seq = paid?.seq ?? 0;
    const isNews = this.newestPaid !== null && seq > this.newestPaid;
    this.newestPaid = seq;
    if (isNews) {
      this.#show("paid", paid);
      this.#endAfter(CELEBRATED_MS[document.documentElement.dataset.grade]);
      return document.documentElement.dataset.grade;
    }
    if (this.waiting && wins.every((win) => win.state !== "pending")) {
      this.#show("", null);
    }
    return "";
  }

  #endAfter(ms) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#show("", null), ms);
  }

  #show(state, award) {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.state = state;
    this.award = award;
    document.documentElement.dataset.award = state;
    document.documentElement.dataset.grade = award === null ? "" : this.#grade();
    this.#write();
  }

  #write() {
    this.place.replaceChildren();
    if (this.award === null) {
      return;
    }
    const { combination, winners, each, envy, tables } = this.award;
    const total = formatCents(cents(each) * winners, language());
    put("p", "award-state", this.place, say(this.state === "paid" ? WORDS.paid : WORDS.pending));
    put("p", "award-name", this.place, this.nameOf(combination));
    const amount = put("p", "award-amount", this.place, total);
    put("span", "award-currency", amount, ` ${currency()}`);
    amount.style.setProperty("--award-letters", String(amount.textContent.length));
    const more = put("p", "award-more", this.place);
    if (tables !== undefined) {
      put("span", "award-table", more, tables.join(", "));
    }
    if (winners > 1) {
      const values = { winners, each: money(each, language()) };
      put("span", "award-each", more, say(WORDS.awardEach, values));
    }
    if (envy) {
      const values = { seats: envy.seats, each: money(envy.each, language()) };
      put("span", "award-each award-envy", more, say(WORDS.envy, values));
    }
    put("span", "award-rest", more, this.#whatRemains());
    if (this.state === "paid" && document.documentElement.dataset.grade === "jackpot") {
      this.#sparkle();
    }
  }

  #grade() {
    const { combination, winners, each, whole } = this.award;
    const rest = this.jackpot ?? 0;
    if (this.byHouse(combination)) {
      return gradeOf(cents(each) * winners, rest) === "moment" ? "moment" : "win";
    }
    return whole ? "jackpot" : gradeOf(cents(each) * winners, cents(each) * winners + rest);
  }

  #whatRemains() {
    const takes = this.state === "pending" && !this.byHouse(this.award.combination);
    if (takes && this.jackpot !== null && this.jackpot < this.award.winners) {
      return say(WORDS.wholeChecked);
    }
    const again = this.state === "paid" && this.award.whole;
    const amount = this.jackpot === null ? `--- ${currency()}` : jackpotMoney(this.jackpot, language());
    return say(again ? WORDS.jackpotAgain : WORDS.jackpot, { amount });
  }

  #sparkle() {
    const sparks = put("div", "sparks", this.place);
    sparks.setAttribute("aria-hidden", "true");
    for (let at = 0; at < SPARKS; at += 1) {
      put("i", "", sparks);
    }
  }
}

/**
 * How large an award is: a moment, a win, or the jackpot.
 * @param {number} total whole cents
 * @param {number} jackpot whole cents that it had before
 */
function gradeOf(total, jackpot) {
  const reaches = (part) => total * 100 >= jackpot * part;
  if (reaches(PER_CENT.jackpot)) {
    return "jackpot";
  }
  return reaches(PER_CENT.win) ? "win" : "moment";
}

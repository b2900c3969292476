/** The list of the last wins; one that is pending is shown large, not here. */

import { put } from "../common/frame.js";
import { cents, currencyOf, formatCents } from "../common/money.js";
import { language, onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";

/** @typedef {import("./awards.js").Award} Award */

/** All wins are in the page; those for which there is no room are hidden. */
export class Wins {
  /** @param {HTMLElement} place an ordered list */
  constructor(place) {
    this.place = place;
    this.message = null;
    onLanguage(() => this.#write());
  }

  /** @param {{wins: (Award & {name: {it: string, en: string}, currency: string, clock: string, day: string, state: string, total: string})[], readable: boolean}} message */
  show(message) {
    this.message = message;
    this.#write();
  }

  /** The table has another symbol for its currency. */
  again() {
    this.#write();
  }

  #write() {
    this.place.replaceChildren();
    if (this.message === null) {
      return;
    }
    const paid = this.message.wins.filter((win) => win.state === "paid");
    paid.forEach((win) => this.#writeWin(win));
    const longest = Math.max(0, ...[...this.place.querySelectorAll(".each")].map((each) => each.textContent.length));
    this.place.style.setProperty("--letters", String(longest));
    if (!this.message.readable) {
      put("li", "none", this.place, say(WORDS.unread));
    } else if (paid.length === 0) {
      put("li", "none", this.place, say(WORDS.noWins));
    }
  }

  #writeWin(win) {
    const item = put("li", "one", this.place);
    put("span", "which", item, say(win.name));
    const each = formatCents(cents(win.each), language());
    const shared = win.winners > 1 ? say(WORDS.shared, { winners: win.winners, each }) : each;
    put("b", "each", item, `${shared} ${currencyOf(win.currency)}`);
    const time = put("time", "when", item, shortDay(win.day));
    put("span", "clock-of", time, ` ${win.clock.slice(0, 5)}`);
    time.dateTime = win.wall;
    if (win.tables?.length > 0) {
      put("span", "where", item, win.tables.join(", "));
    }
  }
}

/** Day and month of `2026-11-28`. */
function shortDay(day) {
  const [year, month, date] = day.split("-").map(Number);
  const format = new Intl.DateTimeFormat(language() === "it" ? "it-IT" : "en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return format.format(new Date(Date.UTC(year, month - 1, date)));
}

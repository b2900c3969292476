/** All that can be done at one seat, as a menu: for the keyboard, a screen reader, a right click. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";

const ACTIONS = [
  ["token", (at) => !at.token && !at.card],
  ["take", (at) => at.token],
  ["cover", (at) => !at.card],
  ["uncover", (at) => at.card],
  ["jam", (at) => !at.jam],
  ["unjam", (at) => at.jam],
];

export class SeatMenu {
  /**
   * @param {HTMLElement} room the menu lies in it
   * @param {import("./acts.js").Acts} acts
   */
  constructor(room, acts) {
    this.acts = acts;
    this.opener = null;
    this.menu = put("div", "seat-menu", room);
    this.menu.setAttribute("role", "menu");
    this.menu.hidden = true;
    this.menu.addEventListener("keydown", (event) => this.#typed(event));
    this.menu.addEventListener("focusout", (event) => {
      if (!this.menu.contains(/** @type {Node} */ (event.relatedTarget))) {
        this.#close(false);
      }
    });
  }

  /**
   * @param {number} seat
   * @param {HTMLElement} opener gets the focus back
   * @param {import("./main.js").View} view
   */
  open(seat, opener, { cabinet }) {
    this.opener = opener;
    const at = {
      token: cabinet.tokens.includes(seat),
      card: cabinet.cards.includes(seat),
      jam: cabinet.jams.includes(seat),
    };
    this.menu.replaceChildren();
    this.menu.setAttribute("aria-label", say(WORDS.seat, { seat }));
    this.menu.dataset.at = String(seat);
    this.menu.hidden = false;
    for (const [verb] of ACTIONS.filter(([, possible]) => possible(at))) {
      this.#item(say(WORDS.seatActs[verb]), `${verb} ${seat}`);
    }
    this.#items()[0].focus();
  }

  #item(text, line) {
    const item = put("button", "", this.menu, text);
    item.setAttribute("role", "menuitem");
    item.tabIndex = -1;
    item.addEventListener("click", () => {
      this.acts.do(line, this.opener);
      this.#close(true);
    });
  }

  #items() {
    return [...this.menu.querySelectorAll("button")];
  }

  #typed(event) {
    const items = this.#items();
    const now = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      items[(to + items.length) % items.length].focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      this.#close(true);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #close(back) {
    if (!this.menu.hidden) {
      this.menu.hidden = true;
      if (back) {
        this.opener?.focus();
      }
    }
  }
}

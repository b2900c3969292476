/** The accounts of the ledger; a changed one flashes and shows the difference for a while. */

import { put } from "../common/frame.js";
import { cents, formatCents, jackpotMoney, money } from "../common/money.js";
import { language } from "../common/language.js";
import { write } from "./elements.js";

const NAMES = ["jackpot", "reserve", "house", "pending", "paid"];
const SHOWN_MS = 2500;

export class Accounts {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.rows = new Map();
    this.before = null;
    this.isPart = false;
  }

  build(table) {
    this.isPart = Boolean(table.link);
    this.root.hidden = table.rail === null;
    this.root.replaceChildren();
    this.rows.clear();
    this.before = null;
    const list = put("dl", "", this.root);
    for (const name of NAMES) {
      const row = put("div", `account account-${name}`, list);
      const isPart = name === "jackpot" && this.isPart;
      put("dt", "", row).dataset.word = isPart ? "jackpotPart" : `accounts.${name}`;
      const amount = put("dd", "", row);
      amount.dataset.account = name;
      const value = put("span", "amount", amount);
      const moved = put("span", "moved", amount);
      this.rows.set(name, { row, value, moved, timer: 0 });
    }
  }

  /** @param {import("./main.js").View} view */
  show({ seen }) {
    for (const [name, row] of this.rows) {
      const isJackpot = name === "jackpot" && !this.isPart;
      const amount = seen[name];
      write(row.value, isJackpot ? jackpotMoney(cents(amount), language()) : money(amount, language()));
      if (this.before !== null && this.before[name] !== seen[name]) {
        this.#flash(row, cents(seen[name]) - cents(this.before[name]));
      }
    }
    this.before = Object.fromEntries(NAMES.map((name) => [name, seen[name]]));
  }

  #flash(row, by) {
    clearTimeout(row.timer);
    row.moved.textContent = `${by > 0 ? "+" : ""}${formatCents(by, language())}`;
    row.row.dataset.moved = by > 0 ? "up" : "down";
    row.timer = setTimeout(() => {
      row.moved.textContent = "";
      delete row.row.dataset.moved;
    }, SHOWN_MS);
  }
}

/** The record as it grows: newest first, refusals marked, with the money that moved. */

import { put } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";

const KEPT = 120;
const TIME = /T(\d\d:\d\d:\d\d)/;

export class RecordList {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.records = [];
  }

  /** The whole record is sent again. */
  begin() {
    this.records = [];
    this.list.replaceChildren();
  }

  /**
   * @param {any[]} records in whatever order
   * @returns {any[]} those that are new, oldest first
   */
  add(records) {
    const newest = this.records[0]?.seq ?? 0;
    const more = records.filter((one) => one.seq > newest).sort((a, b) => a.seq - b.seq);
    for (const record of more) {
      this.records.unshift(record);
      this.list.prepend(line(record, "new"));
    }
    this.records.length = Math.min(this.records.length, KEPT);
    while (this.list.childElementCount > KEPT) {
      this.list.lastElementChild.remove();
    }
    return more;
  }

  /** In the language that is chosen now. */
  write() {
    this.list.replaceChildren(...this.records.map((record) => line(record, "")));
  }
}

function line(record, kind) {
  const item = put("li", kind);
  item.dataset.seq = String(record.seq);
  item.classList.toggle("refusal", Boolean(record.refusal));
  put("time", "", item, TIME.exec(record.wall)?.[1] ?? "");
  const what = put("span", "what", item, record.text[language()]);
  if (record.refusal) {
    put("b", "refusal-code", what, ` ${say(WORDS.refused)} ${record.refusal}`);
  }
  const moved = Object.entries(record.moved ?? {});
  if (moved.length) {
    const money = put("span", "money", item);
    for (const [account, amount] of moved) {
      put("span", "", money, `${say(WORDS.accounts[account])} ${signed(amount)}`);
    }
  }
  return item;
}

function signed(amount) {
  const value = cents(amount);
  return `${value > 0 ? "+" : ""}${formatCents(value, language())}`;
}

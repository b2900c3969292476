/** A night's rounds, the newest first; a round's number leads to its acts. */

import { put } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { askOn } from "../common/ask.js";
import { clock, number } from "./moments.js";
import { NightChoice } from "./nights.js";
import { fill, tableOf } from "./rows.js";
import { StatusLine } from "./status_line.js";

const at = (id) => document.getElementById(id);

export class Rounds {
  /** @param {() => void} ended the session is over */
  constructor(ended) {
    this.status = new StatusLine(at("rounds-status"), ended);
    this.choice = new NightChoice(at("rounds-night"), () => this.show({}));
    this.pages = [];
    this.question = 0;
    at("round-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = at("round-number").value.trim();
      if (/^[0-9]{1,9}$/.test(wanted)) {
        location.hash = `#round/${wanted}`;
      }
    });
  }

  /** @param {{byItself?: boolean}} how */
  async show(how) {
    await this.status.during(async () => {
      await this.choice.read(how);
      this.pages = [];
      await this.#read(null, how);
    });
  }

  /** In the language that is chosen now. @param {any} table */
  write(table) {
    this.table = table;
    this.choice.write();
    this.status.write();
    this.#draw();
  }

  async #read(before, how) {
    const question = this.question += 1;
    const place = this.pages.length;
    await askOn("rounds", { night: this.choice.first, before }, how, (answer) => {
      if (question !== this.question) {
        return false;
      }
      this.pages[place] = answer;
      this.status.show(() => summaryOf(answer, this.pages));
      this.#draw();
      return true;
    });
  }

  #draw() {
    const rounds = this.pages.flatMap((page) => page.rounds);
    const money = Boolean(this.table?.combinations.length);
    const columns = columnsOf(money, this.table?.link, this.pages[0]?.currency);
    const rows = rounds.map((one) => rowOf(one, money));
    const table = rounds.length ? [tableOf(columns, rows, say(WORDS.rounds))] : [];
    fill(at("rounds"), table, say(WORDS.rounds));
    if (!rounds.length) {
      return;
    }
    if (this.pages.at(-1).earlier) {
      const more = put("button", "earlier", at("rounds"), say(WORDS.earlier));
      more.type = "button";
      more.addEventListener("click", () => this.#more(rounds.at(-1).round));
    }
  }

  async #more(before) {
    const place = at("rounds").querySelectorAll("tbody tr").length;
    await this.status.during(() => this.#read(before, {}));
    at("rounds").querySelectorAll("tbody tr")[place]?.querySelector("a").focus();
  }
}

function summaryOf(answer, pages) {
  if (answer.more) {
    return say(WORDS.reading);
  }
  if (answer.dropped && !answer.earlier) {
    return say(WORDS.dropped, { count: number(answer.dropped) });
  }
  return pages.some((page) => page.rounds.length) ? "" : say(WORDS.nothing);
}

function columnsOf(money, link, currency) {
  const always = [
    { head: say(WORDS.round), right: true },
    { head: say(WORDS.openedAt) },
    { head: say(WORDS.closedAt) },
    { head: say(WORDS.handTime), right: true },
  ];
  const jackpot = link ? WORDS.jackpotPartAfter : WORDS.jackpotAfter;
  const ofMoney = [WORDS.tokens, WORDS.wins, WORDS.won, jackpot];
  return money
    ? [...always, ...ofMoney.map((word) => ({ head: say(word, { currency }), right: true }))]
    : always;
}

function rowOf(one, money) {
  const link = put("a", "", null, String(one.round));
  link.href = `#round/${one.round}`;
  const always = [
    link,
    clock(one.opened),
    one.closed && clock(one.closed),
    one.hand_s === null ? "" : number(one.hand_s, 1, 1),
  ];
  if (!money) {
    return always;
  }
  const amount = (text) => formatCents(cents(text), language());
  return [
    ...always,
    one.closed ? number(one.tokens) : "",
    one.awards ? number(one.awards) : "",
    one.awards ? amount(one.paid) : "",
    one.jackpot === null ? "" : amount(one.jackpot),
  ];
}

/** Each jackpot: its amount, its tables, the awards that are pending, the last ones. */

import { put } from "../common/frame.js";
import { moneyIn } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/room.js";
import { writeAwards, writeFinals } from "./awards.js";
import { writeTables } from "./tables.js";

export class Jackpots {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.sections = new Map();
  }

  /** @param {any[]} jackpots */
  show(jackpots) {
    const names = jackpots.map((one) => one.jackpot);
    if (names.join() !== [...this.sections.keys()].join()) {
      this.#build(names);
    }
    jackpots.forEach((jackpot) => this.#write(this.sections.get(jackpot.jackpot), jackpot));
  }

  /** In another language: everything is written anew. */
  again() {
    this.forget();
  }

  /** Nobody looks. */
  forget() {
    this.sections.clear();
    this.place.replaceChildren();
  }

  #build(names) {
    this.forget();
    names.forEach((name, index) => {
      const section = put("section", "jackpot", this.place);
      const head = put("header", "jackpot-head", section);
      const title = put("h2", "", head);
      title.id = `jackpot-${index}`;
      section.setAttribute("aria-labelledby", title.id);
      const parts = { title, amount: put("p", "jackpot-amount", head), growth: put("p", "jackpot-growth", head), game: put("p", "jackpot-game", head) };
      parts.awards = put("div", "awards", section);
      parts.tables = put("div", "tables", section);
      parts.finals = put("div", "finals", section);
      put("h3", "", parts.finals, say(WORDS.finals));
      parts.finalList = put("div", "", parts.finals);
      this.sections.set(name, parts);
    });
  }

  #write(parts, jackpot) {
    parts.title.textContent = say(WORDS.jackpotTitle, { jackpot: jackpot.jackpot });
    parts.game.textContent = say(WORDS.games[jackpot.game]);
    const write = (text) => (text === null ? "---" : moneyIn(text, jackpot.currency, language()));
    parts.amount.textContent = `${write(jackpot.amount)}${jackpot.at_limit ? " MAX" : ""}`;
    parts.growth.textContent = jackpot.growth === null
      ? say(WORDS.growthLater) : say(WORDS.growth, { amount: write(jackpot.growth) });
    writeAwards(parts.awards, jackpot.awards);
    writeTables(parts.tables, jackpot.tables, write);
    writeFinals(parts.finalList, jackpot.finals);
  }
}

/** The present faults and the pending award; a screen reader announces them. */

import { put } from "../common/frame.js";
import { currency, money } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";

export class News {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.shown = "";
  }

  /** @param {import("./main.js").View} view */
  show({ table, seen }) {
    const key = JSON.stringify([language(), currency(), seen.faults, seen.award]);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    const texts = table.texts[language()];
    this.root.replaceChildren();
    if (seen.award) {
      const { combination, winners, each, envy } = seen.award;
      const name = texts.combinations[combination] ?? combination;
      const values = { combination: name, winners, each: money(each, language()) };
      put("p", "award", this.root, say(WORDS.award, values));
      if (envy) {
        const others = { seats: envy.seats, each: money(envy.each, language()) };
        put("p", "award envy", this.root, say(WORDS.envy, others));
      }
    }
    for (const fault of seen.faults) {
      const line = put("p", "fault", this.root);
      put("b", "", line, fault);
      put("span", "", line, texts.faults[fault] ?? "");
    }
    if (!seen.faults.length) {
      put("p", "no-fault", this.root, say(WORDS.noFault));
    }
  }
}

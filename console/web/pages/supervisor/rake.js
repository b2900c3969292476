/** The rake calculator: each pot's part, the main pot's first, as `banco rake` answers. */

import { ask, Refused } from "../common/ask.js";
import { language, say } from "../common/language.js";
import { cents, formatCents } from "../common/money.js";
import { WORDS } from "../words/supervisor.js";
import { StatusLine } from "./status_line.js";

const at = (id) => document.getElementById(id);
const TYPED = ["pots", "players", "cap", "rate", "fixed"];
const CHECKED = ["half", "shared", "no_flop"];
const AMOUNTS = ["pots", "rate", "fixed"];

export class Rake {
  /** @param {() => void} ended the session is over */
  constructor(ended) {
    this.status = new StatusLine(at("rake-status"), ended);
    this.answer = null;
    this.question = 0;
    at("rake-house").addEventListener("change", () => this.#showFields());
    at("rake-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#reckon();
    });
    this.#showFields();
  }

  /** Somebody else may enter next. */
  forget() {
    at("rake-form").reset();
    this.#showFields();
  }

  /** In the language that is chosen now. */
  write() {
    this.status.write();
    at("rake-answer").hidden = this.answer === null;
    if (this.answer !== null) {
      const total = this.answer.pots.reduce((sum, pot) => sum + cents(pot), 0);
      const values = { rake: this.answer.rake, total: formatCents(total, language()) };
      at("rake-line").textContent = this.answer.line;
      at("rake-sum").textContent = say(WORDS.rake.sum, values);
    }
  }

  /** Only what the house has; what is hidden is not asked. */
  #showFields() {
    const house = at("rake-house").value;
    for (const field of at("rake-form").querySelectorAll("[data-only], [data-not]")) {
      const { only, not } = /** @type {HTMLElement} */ (field).dataset;
      field.hidden = (only ?? house) !== house || not === house;
    }
    this.question += 1;
    this.#show(null, "");
  }

  async #reckon() {
    const question = this.question += 1;
    this.#show(null, "");
    await this.status.during(async () => {
      try {
        const answer = await ask("rake", this.#values());
        if (question === this.question) {
          this.#show(answer, "");
          at("rake-answer").scrollIntoView({ block: "nearest" });
        }
      } catch (error) {
        if (error instanceof Refused && question === this.question) {
          this.#show(null, error.code);
        }
        throw error;
      }
    });
  }

  #values() {
    const values = { house: at("rake-house").value };
    for (const name of TYPED) {
      const field = at(`rake-${name}`);
      const typed = field.closest("[hidden]") ? "" : field.value.trim();
      values[name] = typed ? this.#plain(name, typed) : null;
    }
    for (const name of CHECKED) {
      const field = at(`rake-${name}`);
      values[name] = field.checked && !field.closest("[hidden]") ? "yes" : null;
    }
    return values;
  }

  /** Amounts may have a decimal comma. */
  #plain(name, typed) {
    return AMOUNTS.includes(name) ? typed.replaceAll(",", ".") : typed;
  }

  #show(answer, refused) {
    this.answer = answer;
    this.status.show(() => "");
    for (const name of TYPED) {
      const wrong = refused === `RAKE_${name.toUpperCase()}`;
      at(`rake-${name}`).setAttribute("aria-invalid", String(wrong));
      if (wrong) {
        at(`rake-${name}`).focus();
      }
    }
    this.write();
  }
}

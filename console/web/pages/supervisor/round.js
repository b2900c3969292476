/** One round act by act, replayed from the record. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { ask } from "../common/ask.js";
import { clock } from "./moments.js";
import { movedWords } from "./record.js";
import { fill, tableOf } from "./rows.js";
import { StatusLine } from "./status_line.js";

const at = (id) => document.getElementById(id);

export class Round {
  /** @param {() => void} ended the session is over */
  constructor(ended) {
    this.status = new StatusLine(at("round-status"), ended);
    this.number = 0;
    this.answer = null;
  }

  /** @param {number} number */
  async show(number) {
    this.number = number;
    this.answer = null;
    this.status.show(() => say(WORDS.reading));
    this.write();
    await this.status.during(async () => {
      const answer = await ask("round", { number });
      if (answer.round === this.number) {
        this.answer = answer;
        this.status.show(() => verdict(answer));
        this.write();
      }
    });
  }

  /** In the language that is chosen now. */
  write() {
    at("round-title").textContent = say(WORDS.roundTitle, { round: this.number });
    at("round-before").href = `#round/${Math.max(0, this.number - 1)}`;
    at("round-after").href = `#round/${this.number + 1}`;
    this.status.write();
    const acts = this.answer?.acts ?? [];
    fill(at("round"), acts.length ? [this.#table(acts)] : [], at("round-title").textContent);
  }

  #table(acts) {
    const columns = [WORDS.time, WORDS.act, WORDS.money, WORDS.after].map((word) => ({
      head: say(word, { currency: this.answer.currency }),
    }));
    let before = "";
    const rows = acts.map((one) => {
      const after = one.after[language()];
      const cells = [one.clock || clock(one.wall), actOf(one), movedWords(one.moved)];
      cells.push(afterOf(after === before ? "" : after, one.problem));
      before = after;
      return cells;
    });
    const table = tableOf(columns, rows, say(WORDS.roundTitle, { round: this.number }));
    table.className = "acts";
    return table;
  }
}

function verdict(answer) {
  const count = answer.acts.length + answer.cut;
  const words = answer.problems ? WORDS.disagrees : WORDS.agrees;
  const cut = answer.cut ? ` ${say(WORDS.actsCut, { cut: answer.cut })}` : "";
  return say(words, { count, problems: answer.problems }) + cut;
}

function actOf(one) {
  const cell = document.createDocumentFragment();
  put("span", "", cell, one.text[language()]);
  if (one.refusal) {
    put("b", "refusal", cell, ` ${say(WORDS.refused)} ${one.refusal}`);
  }
  return cell;
}

function afterOf(after, problem) {
  const cell = document.createDocumentFragment();
  put("span", "", cell, after);
  if (problem) {
    put("b", "refusal", cell, ` ${problem}`);
  }
  return cell;
}

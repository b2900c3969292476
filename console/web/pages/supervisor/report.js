/** A night's bordereau as its paper has it, laid out for the page. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { addressOf, ask } from "../common/ask.js";
import { NightChoice } from "./nights.js";
import { factsOf, fill, tableOf } from "./rows.js";
import { StatusLine } from "./status_line.js";

const at = (id) => document.getElementById(id);

export class Report {
  /** @param {() => void} ended the session is over */
  constructor(ended) {
    this.status = new StatusLine(at("nights-status"), ended);
    this.choice = new NightChoice(at("nights-night"), () => this.#read({}));
    this.question = 0;
  }

  /** @param {{byItself?: boolean}} how */
  async show(how) {
    await this.status.during(async () => {
      await this.choice.read(how);
      await this.#read(how);
    });
  }

  /** In the chosen language: the report is requested again, because the server writes its words. */
  write() {
    this.choice.write();
    this.status.write();
    if (at("sheet").childElementCount) {
      this.#read({ byItself: true });
    }
  }

  async #read(how) {
    const question = this.question += 1;
    const values = { night: this.choice.first, lang: language() };
    at("report-text").href = addressOf("report.txt", values);
    at("report-pdf").href = addressOf("report.pdf", values);
    this.status.show(() => say(WORDS.reading));
    await this.status.during(async () => {
      const { sheet } = await ask("report", values, how);
      if (question === this.question) {
        this.status.show(() => "");
        at("sheet").replaceChildren(...sheetOf(sheet));
      }
    });
  }
}

function* sheetOf(sheet) {
  const head = put("header", "sheet-head");
  put("h3", "", head, sheet.title);
  put("p", "", head, `${sheet.table} · ${sheet.game}`);
  yield head;
  for (const warning of sheet.warnings) {
    yield put("p", "warning", null, warning);
  }
  for (const section of sheet.sections) {
    yield sectionOf(section);
  }
  const proof = sectionOf(sheet.proof);
  proof.classList.add("proof");
  yield proof;
}

function sectionOf(section) {
  const box = put("section", section.table ? "broad" : "");
  put("h4", "", box, section.title);
  if (section.table?.items.length) {
    const { columns, items } = section.table;
    const table = tableOf(columns, items.map((item) => item.cells), section.title);
    items.forEach((item, place) => {
      table.tBodies[0].rows[place].classList.toggle("strong", item.strong);
    });
    fill(put("div", "wide", box), [table], section.title);
  }
  if (section.pairs.length) {
    const facts = factsOf(section.pairs.map((pair) => [pair.name, pair.value]));
    section.pairs.forEach((pair, place) => {
      facts.children[place].classList.toggle("strong", pair.strong);
    });
    box.append(facts);
  }
  section.notes.forEach((note) => put("p", "", box, note));
  return box;
}

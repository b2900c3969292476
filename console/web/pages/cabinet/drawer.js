/** A dialog for declarations, clearing faults, and preparing decks and shoes. */

import { put } from "../common/frame.js";
import { language, onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { ActFields, FIELDS } from "./drawer_fields.js";
import { button, mark } from "./elements.js";

const cards = (first) => [{ form: "number", least: 0, most: 999, first }];

/** What is made ready for the cabinet's machines; `needs`: the machine, as the table names it. */
const PREPARED = [
  { line: "deck load red #", fields: cards(51), needs: "shuffler", word: WORDS.acts.redDeck },
  { line: "deck load blue #", fields: cards(51), needs: "shuffler", word: WORDS.acts.blueDeck },
  { line: "shoe load #", fields: cards(20), needs: "shoe", word: WORDS.acts.shoe },
  { line: "shoe burn #", fields: cards(5), needs: "shoe", word: WORDS.acts.burn },
];

export class Drawer {
  /**
   * @param {HTMLDialogElement} dialog beside the table, which can still be touched
   * @param {HTMLElement} opener
   * @param {import("./acts.js").Acts} acts
   */
  constructor(dialog, opener, acts) {
    this.dialog = dialog;
    this.opener = opener;
    this.acts = acts;
    this.table = null;
    this.faults = [];
    /** The buttons of the declarations, in their order. */
    this.declared = [];
    opener.addEventListener("click", () => (dialog.open ? this.#close() : this.#open()));
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    onLanguage(() => this.#write());
  }

  build(table) {
    this.table = table;
    this.#write();
  }

  /** @param {import("./main.js").View} view */
  show({ seen, snapshot }) {
    this.declared.forEach((pressed, place) =>
      mark(pressed, "data-can", snapshot.declares[place] ? "yes" : "no"));
    if (seen.faults.join() !== this.faults.join()) {
      this.faults = seen.faults;
      this.#writeFaults();
    }
  }

  #open() {
    this.dialog.show();
    this.opener.setAttribute("aria-expanded", "true");
    this.dialog.querySelector("button")?.focus();
  }

  #close() {
    this.dialog.close();
    this.opener.setAttribute("aria-expanded", "false");
    this.opener.focus();
  }

  #write() {
    if (this.table === null) {
      return;
    }
    this.dialog.replaceChildren();
    const close = button(this.dialog, "drawer-close", "", () => this.#close());
    close.textContent = say(WORDS.close);
    this.declared = [];
    put("h2", "", this.dialog, say(WORDS.acts.floorManager));
    for (const use of new Set(this.table.declarations.map((act) => act.use))) {
      put("h3", "", this.dialog, say(WORDS.uses[use]));
      const group = put("div", "drawer-group", this.dialog);
      this.table.declarations.filter((act) => act.use === use)
        .forEach((act) => this.declared.push(this.#act(group, act)));
    }
    put("h2", "", this.dialog, say(WORDS.acts.technician));
    this.clearing = put("div", "drawer-group", this.dialog);
    this.#writeFaults();
    this.#group(WORDS.acts.prepare, PREPARED.filter(({ needs }) => this.table[needs]));
  }

  #group(title, acts) {
    if (acts.length) {
      put("h2", "", this.dialog, say(title));
      const group = put("div", "drawer-group", this.dialog);
      acts.forEach((act) => this.#act(group, act));
    }
  }

  /** A button; where the act needs more, such as a seat, after the fields for it. */
  #act(where, { line, word, fields: asked }) {
    const act = put("div", "", where);
    const row = put("div", "drawer-act", act);
    const wanted = asked.map((field) => FIELDS[field.form](field, this.table));
    const fields = wanted.length ? new ActFields(row, act, wanted, say(word), () => pressed.click()) : null;
    const pressed = button(row, "", "", () => {
      const values = fields ? fields.read() : [];
      if (values !== null) {
        this.acts.do(values.reduce((text, value) => text.replace("#", value), line), pressed);
      }
    });
    pressed.textContent = say(word);
    pressed.dataset.act = line;
    return pressed;
  }

  #writeFaults() {
    if (!this.clearing) {
      return;
    }
    this.clearing.replaceChildren();
    put("p", "drawer-note", this.clearing, say(WORDS.acts.clearNote));
    const present = this.faults.filter((fault) => this.table.cleared_by_technician.includes(fault));
    for (const fault of present) {
      const pressed = button(this.clearing, "", "", () => this.acts.do(`clear ${fault}`, pressed));
      const text = this.table.texts[language()].faults[fault] ?? "";
      pressed.textContent = `${say(WORDS.acts.clear)} ${fault} (${text})`;
      pressed.dataset.act = `clear ${fault}`;
    }
    if (!present.length) {
      put("p", "drawer-note", this.clearing, say(WORDS.acts.nothingToClear));
    }
  }
}

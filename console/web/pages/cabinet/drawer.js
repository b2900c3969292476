/** What the floor manager declares and the technician clears, and what else hands may prepare. */

import { put } from "../common/frame.js";
import { language, onLanguage, say } from "../common/words.js";
import { CLEARED, DECLARATIONS, PREPARED, WORDS as OWN } from "./drawer_words.js";
import { button } from "./elements.js";
import { WORDS } from "./words.js";

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
    opener.addEventListener("click", () => (dialog.open ? this.#close() : this.#open()));
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    onLanguage(() => this.#write());
  }

  build(table) {
    this.table = table;
    this.#write();
  }

  /** @param {import("./main.js").View} view */
  show({ seen }) {
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
    this.#group(OWN.floorManager, DECLARATIONS);
    put("h2", "", this.dialog, say(OWN.technician));
    this.clearing = put("div", "drawer-group", this.dialog);
    this.#writeFaults();
    this.#group(OWN.prepare, PREPARED);
  }

  #group(title, all) {
    const acts = all.filter(({ needs }) => !needs || Boolean(this.table[needs]));
    if (acts.length) {
      put("h2", "", this.dialog, say(title));
      const group = put("div", "drawer-group", this.dialog);
      acts.forEach((act) => this.#act(group, act));
    }
  }

  /** A button; where the act needs a seat or a number, beside a field for it. */
  #act(where, { line, word, number }) {
    const row = put("div", "drawer-act", where);
    const field = number ? this.#field(row, say(word), number) : null;
    const pressed = button(row, "", "", () => {
      if (!field || field.reportValidity()) {
        this.acts.do(line.replace("#", field?.value ?? ""), pressed);
      }
    });
    pressed.textContent = say(word);
    pressed.dataset.act = line;
  }

  #field(where, label, { from, to, first }) {
    const field = /** @type {HTMLInputElement} */ (put("input", "", where));
    Object.assign(field, { type: "number", min: from, max: to, value: first, required: true });
    field.setAttribute("aria-label", label);
    return field;
  }

  #writeFaults() {
    if (!this.clearing) {
      return;
    }
    this.clearing.replaceChildren();
    put("p", "drawer-note", this.clearing, say(OWN.clearNote));
    const present = this.faults.filter((fault) => CLEARED.includes(fault));
    for (const fault of present) {
      const pressed = button(this.clearing, "", "", () => this.acts.do(`clear ${fault}`, pressed));
      const text = this.table.texts[language()].faults[fault] ?? "";
      pressed.textContent = `${say(OWN.clear)} ${fault} (${text})`;
      pressed.dataset.act = `clear ${fault}`;
    }
    if (!present.length) {
      put("p", "drawer-note", this.clearing, say(OWN.nothingToClear));
    }
  }
}

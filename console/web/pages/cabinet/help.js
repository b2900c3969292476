/** What the keys do, and how the table is played with the mouse. */

import { put } from "../common/frame.js";
import { say } from "../common/words.js";
import { HELP, KEYS } from "./help_words.js";
import { button } from "./elements.js";
import { WORDS } from "./words.js";

export class Help {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {HTMLElement} opener
   */
  constructor(dialog, opener) {
    this.dialog = dialog;
    this.keysOn = true;
    this.keysChanged = () => {};
    opener.addEventListener("click", () => this.dialog.showModal());
  }

  /** @param {any} table None of what the table does not have is told; null: all is. */
  write(table) {
    this.dialog.replaceChildren();
    put("h2", "", this.dialog, say(WORDS.help));
    const has = (needs) => !needs || !table || Boolean(table[needs]) || table.shuffler === needs;
    for (const { word } of HELP.filter(({ needs }) => has(needs))) {
      put("p", "", this.dialog, say(word));
    }
    const list = put("dl", "keys", this.dialog);
    for (const { keys, word } of KEYS.filter(({ needs }) => has(needs))) {
      put("kbd", "", put("dt", "", list), keys);
      put("dd", "", list, say(word));
    }
    this.#switch();
    const close = button(this.dialog, "", "", () => this.dialog.close());
    close.textContent = say(WORDS.close);
  }

  #switch() {
    const label = put("label", "keys-switch", this.dialog);
    const box = /** @type {HTMLInputElement} */ (put("input", "", label));
    Object.assign(box, { type: "checkbox", checked: this.keysOn });
    box.addEventListener("change", () => {
      this.keysOn = box.checked;
      this.keysChanged(box.checked);
    });
    label.append(` ${say(WORDS.singleKeys)}`);
  }
}

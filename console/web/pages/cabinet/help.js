/** What the keys do, and how the table is played with the mouse. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button } from "./elements.js";

/** `needs`: only for a table that has this, or a shuffler of this kind. */
const PARAGRAPHS = [
  { needs: "rail", word: WORDS.help.seats },
  { needs: "poker", word: WORDS.help.poker },
  { word: WORDS.help.cabinet },
];

const KEYS = [
  { keys: "C", text: "COIN IN" },
  { keys: "G", text: "GAME OVER" },
  { keys: "J", needs: "buttons", text: "JPOT" },
  { keys: "Q W E R T", needs: "buttons", word: WORDS.help.combinations },
  { keys: "1 … 7", needs: "rail", word: WORDS.help.stake },
  { keys: "Shift 1 … 7", needs: "rail", word: WORDS.help.cover },
  { keys: "K, ← →", word: WORDS.help.key },
  { keys: "P", needs: "dealer", word: WORDS.help.packet },
  { keys: "P", needs: "deck", word: WORDS.help.green },
  { keys: "D", needs: "shoe", word: WORDS.help.draw },
  { keys: "M", word: WORDS.help.drawer },
  { keys: "/", word: WORDS.help.type },
  { keys: "?", word: WORDS.help.help },
];

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

  /** @param {any} table What the table does not have is left out; null: nothing is. */
  write(table) {
    this.dialog.replaceChildren();
    put("h2", "", this.dialog, say(WORDS.help.title));
    const fitted = (part) => (Array.isArray(part) ? part.length > 0 : Boolean(part));
    const has = (needs) => !needs || !table || fitted(table[needs]) || table.shuffler === needs;
    for (const { word } of PARAGRAPHS.filter(({ needs }) => has(needs))) {
      put("p", "", this.dialog, say(word));
    }
    const list = put("dl", "keys", this.dialog);
    for (const { keys, word, text } of KEYS.filter(({ needs }) => has(needs))) {
      put("kbd", "", put("dt", "", list), keys);
      put("dd", "", list, text ?? say(word));
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
    label.append(` ${say(WORDS.help.singleKeys)}`);
  }
}

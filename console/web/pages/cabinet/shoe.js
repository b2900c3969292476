/** The shoe: cards left, the cut card, and buttons to draw, burn and fill. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button, keyHint, mark, write } from "./elements.js";

const FULL = 312;

export class Shoe {
  /**
   * @param {HTMLElement} root
   * @param {import("./acts.js").Acts} acts
   * @param {import("./card_picker.js").CardPicker} picker
   */
  constructor(root, acts, picker) {
    this.root = root;
    this.acts = acts;
    this.picker = picker;
  }

  build(table) {
    this.kind = table.shoe;
    this.root.hidden = this.kind === null;
    this.root.replaceChildren();
    if (this.kind !== null) {
      this.#body();
      this.#hands();
    }
  }

  /** @param {import("./main.js").View} view */
  show({ seen, cabinet }) {
    if (this.kind === null) {
      return;
    }
    const left = cabinet.shoe;
    write(this.left, left === null ? say(WORDS.noShoe) : say(WORDS.remaining, { count: left }));
    this.fill.style.setProperty("--left", String((left ?? 0) / FULL));
    write(this.state, cabinet.cut_out ? say(WORDS.cutOut) : "");
    mark(this.root, "data-cut", cabinet.cut_out ? "out" : "in");
    mark(this.root, "data-last", seen.last ? "yes" : "no");
  }

  #body() {
    const body = put("div", "machine-body", this.root);
    const head = put("div", "machine-head", body);
    put("b", "", head).dataset.word = "devices.shoe";
    this.state = put("span", "machine-state", head);
    const box = put("div", "shoe-box", body);
    this.fill = put("span", "shoe-cards", box);
    this.left = put("span", "shoe-left", box);
    this.left.id = "shoe-left";
  }

  #hands() {
    const row = put("div", "machine-hands", this.root);
    const draw = this.#hand(row, "draw", "draw");
    draw.dataset.label = this.kind === "reading" ? "drawRule" : "drawAny";
    keyHint(draw, "D");
    if (this.kind === "reading") {
      const pick = button(row, "small", "pick", () => this.picker.open(pick));
      pick.dataset.label = "pickCard";
      pick.id = "pick-card";
    }
    this.#hand(row, "burn", "shoe burn");
    this.#hand(row, "cut", "cut-card");
    this.#hand(row, "loadShoe", "shoe load");
  }

  #hand(row, word, line) {
    const pressed = button(row, "small", word, () => this.acts.do(line, pressed));
    pressed.dataset.act = line;
    return pressed;
  }
}

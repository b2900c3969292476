/** The customer display: two lines of 20 characters of dots that glow; dark without power. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { COLUMNS, ROWS, columnsOf } from "./dots.js";
import { mark, svg, write } from "./elements.js";

const CHARACTERS = 20;
const STEP = COLUMNS + 1;
const LINE = ROWS + 3;
const DOT = 0.82;

export class Display {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.shown = null;
    const width = CHARACTERS * STEP + 1;
    const height = 2 * LINE;
    const picture = svg("svg", { viewBox: `-1 -1.5 ${width + 1} ${height}`, "aria-hidden": "true" });
    const everywhere = " ".repeat(CHARACTERS);
    svg("path", { class: "dots-dark", d: pathOf([everywhere, everywhere], allDots) }, picture);
    this.lit = svg("path", { class: "dots-lit", d: "" }, picture);
    put("div", "glass", root).append(picture);
    this.text = put("p", "unseen", root);
    this.text.id = "display-text";
  }

  /** @param {import("./main.js").View} view */
  show({ snapshot, seen, cabinet }) {
    const dark = !snapshot.powered || cabinet.unplugged.includes("display");
    const lines = dark ? ["", ""] : seen.display;
    this.root.classList.toggle("dark", dark);
    const text = lines.join("\n");
    if (text !== this.shown) {
      this.shown = text;
      this.lit.setAttribute("d", pathOf(lines, columnsOf));
    }
    mark(this.text, "data-lines", text);
    write(this.text, text.trim() ? lines.map((line) => line.trim()).join(" ") : say(WORDS.displayOff));
  }
}

function allDots() {
  return Array(COLUMNS).fill((1 << ROWS) - 1);
}

function pathOf(lines, shape) {
  const dots = [];
  lines.forEach((line, row) => {
    [...line].slice(0, CHARACTERS).forEach((character, place) => {
      shape(character).forEach((bits, column) => {
        for (let dot = 0; dot < ROWS; dot += 1) {
          if (bits & (1 << dot)) {
            dots.push(`M${place * STEP + column} ${row * LINE + dot}h${DOT}v${DOT}h-${DOT}z`);
          }
        }
      });
    });
  });
  return dots.join("");
}

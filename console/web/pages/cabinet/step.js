/** One line that says what comes next, and the light on what can be done at the panel. */

import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { mark, write } from "./elements.js";

/** The buttons of the panel that have one name. */
const NAMED = { COIN_IN: "COIN IN", JPOT: "JPOT", GAME_OVER: "GAME OVER" };

export class NextStep {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} panel
   */
  constructor(root, panel) {
    this.root = root;
    this.panel = panel;
  }

  /** @param {import("./main.js").View} view */
  show({ table, snapshot, cabinet }) {
    const { guide, powered } = snapshot;
    const there = powered && !cabinet.unplugged.includes("panel");
    const presses = there ? guide.presses : [];
    const turns = there ? guide.turns : [];
    const step = powered ? stepOf(guide, cabinet) : "OFF";
    mark(this.root, "data-step", step);
    write(this.root, say(WORDS.steps[step], {
      key: guide.key,
      seats: guide.seats.join(", "),
      presses: presses.map((name) => this.#nameOf(name, table, snapshot)).join(", "),
    }));
    for (const pressed of this.panel.querySelectorAll("[data-press]")) {
      mark(pressed, "data-can", presses.includes(buttonOf(pressed.dataset.press, table)) ? "yes" : "no");
    }
    for (const radio of this.panel.querySelectorAll("[data-to]")) {
      mark(radio, "data-can", turns.includes(radio.dataset.to) ? "yes" : "no");
    }
  }

  #nameOf(name, table, snapshot) {
    const legend = snapshot.legends[table.buttons.findIndex((_, place) => name === combination(place))];
    return NAMED[name] ?? table.texts[language()].combinations[legend] ?? legend;
  }
}

/** What a real table cannot see: whether somebody has freed the gate of a token that is stuck. */
function stepOf({ step, seats }, { jams }) {
  return step === "FREE" && !seats.some((seat) => jams.includes(seat)) ? "FREED" : step;
}

function combination(place) {
  return `COMBINATION_${place + 1}`;
}

/** The button as the rules call it. */
function buttonOf(press, table) {
  const place = table.buttons.findIndex((names) => names[0] === press);
  return place < 0 ? press : combination(place);
}

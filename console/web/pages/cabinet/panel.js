/** The dealer panel: seat LEDs, the lit buttons with their legends, COIN IN, JPOT, GAME OVER, the key. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button, keyHint, mark, write } from "./elements.js";
import { KeySelector } from "./key.js";
import { SEATS } from "./seats.js";
import { COMBINATION_KEYS, PRESS_KEYS } from "./shortcuts.js";

const LED_SHAPES = { DARK: "○", ON: "●", ALERT: "✕" };

export class Panel {
  /**
   * @param {HTMLElement} root
   * @param {import("./acts.js").Acts} acts
   */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    this.table = null;
    this.leds = new Map();
    /** The lit buttons from the left; `legend`: the name that counts at the moment. */
    this.lit = [];
  }

  build(table) {
    this.table = table;
    this.leds.clear();
    this.lit.length = 0;
    this.root.replaceChildren();
    const lit = table.buttons.length > 0;
    this.root.classList.toggle("without-jackpot", !lit);
    this.root.classList.toggle("without-leds", lit && table.rail === null);
    this.root.dataset.kind = table.kind_of_game;
    const top = put("div", "panel-top", this.root);
    if (table.rail !== null) {
      this.#ledRow(top);
    }
    if (lit) {
      this.#litRow(table.buttons);
    }
    this.#presses(lit ? ["COIN_IN", "JPOT", "GAME_OVER"] : ["COIN_IN", "GAME_OVER"]);
    const right = put("div", "panel-key", this.root);
    this.key = new KeySelector(right, this.acts);
    this.inspector = table.inspector_fitted ? this.#inspector(top) : null;
  }

  /** @param {import("./main.js").View} view */
  show({ snapshot, seen, cabinet }) {
    for (const [seat, led] of this.leds) {
      const state = seen.seats[seat] ?? "DARK";
      mark(led, "data-led", state);
      write(led.lastElementChild, LED_SHAPES[state] ?? LED_SHAPES.ON);
      mark(led, "aria-label", say(WORDS.led, { seat, state: say(WORDS.leds[state]) }));
    }
    const texts = this.table.texts[language()].combinations;
    this.lit.forEach((one, place) => {
      one.legend = snapshot.legends[place];
      mark(one.pressed, "aria-pressed", String(seen.lamps.includes(one.names[0])));
      mark(one.pressed, "data-legend", one.legend);
      write(one.text, texts[one.legend] ?? one.legend);
      write(one.others, one.names.filter((name) => name !== one.legend).map((name) => texts[name] ?? name).join(" · "));
    });
    this.key.show(cabinet.key);
    if (this.inspector) {
      mark(this.inspector, "aria-pressed", String(cabinet.inspector));
      write(this.inspector.lastElementChild, say(cabinet.inspector ? WORDS.here : WORDS.away));
    }
    this.root.classList.toggle("unplugged", cabinet.unplugged.includes("panel"));
  }

  #ledRow(where) {
    const row = put("div", "leds", where);
    row.setAttribute("role", "list");
    for (const seat of SEATS) {
      const led = put("span", "led", row);
      led.setAttribute("role", "listitem");
      led.dataset.seatLed = String(seat);
      put("span", "led-number", led, String(seat));
      put("span", "led-light", led);
      this.leds.set(seat, led);
    }
  }

  #litRow(buttons) {
    const row = put("div", "combinations", this.root);
    buttons.forEach((names, place) => {
      const one = { names, legend: names[0] };
      one.pressed = button(row, "combination", "", () => this.acts.do(`press ${one.legend}`, one.pressed));
      one.pressed.dataset.press = names[0];
      const legends = put("span", "legends", one.pressed);
      one.text = put("span", "legend", legends);
      one.others = put("small", "legend-others", legends);
      one.others.setAttribute("aria-hidden", "true");
      keyHint(one.pressed, COMBINATION_KEYS[place].toUpperCase());
      this.lit.push(one);
    });
  }

  #presses(names) {
    const row = put("div", "presses", this.root);
    for (const name of names) {
      const pressed = button(row, `press press-${name.toLowerCase()}`, "", () =>
        this.acts.do(`press ${name}`, pressed));
      pressed.dataset.press = name;
      put("span", "", pressed, name.replace("_", " "));
      keyHint(pressed, PRESS_KEYS[name].toUpperCase());
    }
  }

  #inspector(where) {
    const toggled = button(where, "inspector", "inspector", () => {
      const here = toggled.getAttribute("aria-pressed") === "true";
      this.acts.do(`inspector ${here ? "away" : "here"}`, toggled);
    });
    put("b", "", toggled);
    return toggled;
  }
}

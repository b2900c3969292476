/** Single keys for the main acts; they can be switched off, and do nothing while one is typing. */

export const PRESS_KEYS = { COIN_IN: "c", GAME_OVER: "g", JPOT: "j" };
export const COMBINATION_KEYS = ["q", "w", "e", "r", "t"];

const KEPT_AS = "banco-single-keys";

export class Shortcuts {
  /**
   * @param {import("./main.js").View} view
   * @param {import("./acts.js").Acts} acts
   * @param {import("./help.js").Help} help
   */
  constructor(view, acts, help) {
    this.view = view;
    this.acts = acts;
    this.help = help;
    help.keysOn = localStorage.getItem(KEPT_AS) !== "off";
    help.keysChanged = (on) => localStorage.setItem(KEPT_AS, on ? "on" : "off");
    document.addEventListener("keydown", (event) => this.#typed(event));
  }

  #typed(event) {
    const busy = event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping(event.target);
    if (busy || !this.help.keysOn || this.view.table === null || document.querySelector("dialog:modal")) {
      return;
    }
    const does = this.#seatKey(event) ?? this.#otherKey(event.key.toLowerCase());
    if (does) {
      event.preventDefault();
      does();
    }
  }

  #seatKey({ code, shiftKey }) {
    const digit = /^(?:Digit|Numpad)([1-7])$/.exec(code)?.[1];
    if (digit === undefined || this.view.table.rail === null) {
      return null;
    }
    const { tokens, cards } = this.view.cabinet;
    const there = (shiftKey ? cards : tokens).includes(Number(digit));
    const verbs = shiftKey ? ["cover", "uncover"] : ["token", "take"];
    const spot = document.getElementById(`seat-${digit}`);
    return () => this.acts.do(`${verbs[there ? 1 : 0]} ${digit}`, spot);
  }

  #otherKey(key) {
    const press = Object.keys(PRESS_KEYS).find((name) => PRESS_KEYS[name] === key)
      ?? this.view.table.buttons[COMBINATION_KEYS.indexOf(key)]?.[0];
    const selector = press ? `[data-press="${press}"]` : ELEMENTS[key];
    const target = selector ? document.querySelector(selector) : null;
    if (!target || target.closest("[hidden]")) {
      return null;
    }
    return key in FOCUSED ? () => target.focus() : () => target.click();
  }
}

/** Keys that press a button of the page. */
const ELEMENTS = {
  p: '[data-act="packet take"], [data-act="press GREEN"]',
  d: '[data-act="draw"]',
  m: "#open-drawer",
  "?": "#open-help",
  k: '.key [tabindex="0"]',
  "/": "#typed",
};

/** Keys that only move the focus. */
const FOCUSED = { k: true, "/": true };

function isTyping(target) {
  return target.matches("input:not([type=radio], [type=checkbox]), select, textarea, [role=menuitem]");
}

/** The key selector: R up, JPL left, JPH right, S further right; and between two of them. */

import { put } from "../common/frame.js";
import { mark, svg } from "./elements.js";

/** From the left, as the arrow keys turn it. */
const POSITIONS = ["JPL", "R", "JPH", "S"];
const BETWEEN = "between";

export class KeySelector {
  /**
   * @param {HTMLElement} where
   * @param {import("./acts.js").Acts} acts
   */
  constructor(where, acts) {
    this.acts = acts;
    this.position = "R";
    this.root = put("div", "key", where);
    this.root.setAttribute("role", "radiogroup");
    this.root.dataset.label = "key";
    this.#lock();
    this.radios = [...POSITIONS, BETWEEN].map((position) => this.#radio(position));
    this.root.addEventListener("keydown", (event) => this.#typed(event));
  }

  /** @param {string|null} position */
  show(position) {
    this.position = position ?? BETWEEN;
    mark(this.root, "data-key", this.position);
    for (const radio of this.radios) {
      const here = radio.dataset.to === this.position;
      mark(radio, "aria-checked", String(here));
      radio.tabIndex = here ? 0 : -1;
    }
  }

  /** Where the keyboard goes to turn it. */
  focus() {
    this.radios.find((radio) => radio.tabIndex === 0)?.focus();
  }

  #lock() {
    const lock = svg("svg", { class: "lock", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, this.root);
    svg("circle", { r: 47, class: "lock-plate" }, lock);
    svg("circle", { r: 38, class: "lock-ring" }, lock);
    const turned = svg("g", { class: "lock-key" }, lock);
    svg("circle", { r: 24, class: "lock-core" }, turned);
    svg("path", { d: "M-6 14V-34a6 6 0 0 1 12 0V14a6 6 0 0 1-12 0Z", class: "key-bow" }, turned);
    svg("path", { d: "M0 -36V-24", class: "key-mark" }, turned);
  }

  #radio(position) {
    const radio = put("button", `key-to key-to-${position.toLowerCase()}`, this.root);
    radio.type = "button";
    radio.setAttribute("role", "radio");
    radio.dataset.to = position;
    if (position === BETWEEN) {
      put("span", "", radio).dataset.word = BETWEEN;
    } else {
      radio.textContent = position;
    }
    radio.addEventListener("click", () => this.#turn(radio));
    return radio;
  }

  #turn(radio) {
    this.acts.do(`key ${radio.dataset.to}`, this.root);
  }

  #typed(event) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by === undefined) {
      return;
    }
    event.preventDefault();
    const now = this.radios.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = this.radios[Math.min(Math.max(now + by, 0), this.radios.length - 1)];
    if (to.dataset.to !== this.position) {
      this.#turn(to);
      to.tabIndex = 0;
      to.focus();
    }
  }
}

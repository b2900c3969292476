/**
 * An amount as wheels with digits. The text of the element is always the amount that has been
 * passed, rounded down; the next digit of a wheel that turns stands in `data-next`.
 */

import { put } from "../common/frame.js";
import { formatCents } from "../common/money.js";
import { PARTS } from "./creep.js";

const CENTS_DIGITS = 2;

export class Odometer {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.text = "";
    this.wheels = [];
    this.turning = [];
  }

  /**
   * @param {number} parts hundredths of a cent
   * @param {"it"|"en"} language
   */
  show(parts, language) {
    const whole = Math.floor(parts / PARTS);
    const text = formatCents(whole, language);
    if (text.length !== this.text.length || text.replace(/\d/g, "") !== this.text.replace(/\d/g, "")) {
      this.#build(text);
    }
    this.#write(text);
    this.#turn(whole, parts - whole * PARTS);
  }

  /** What is no amount: dashes. @param {string} text */
  showText(text) {
    this.text = "";
    this.wheels = [];
    this.turning = [];
    this.place.textContent = text;
    this.place.dataset.digits = "0";
  }

  /** New wheels: there is another number of them, or other separators. */
  #build(text) {
    this.place.replaceChildren();
    this.place.dataset.digits = String(text.replace(/\D/g, "").length);
    this.wheels = [];
    this.turning = [];
    const at = text.length - CENTS_DIGITS - 1;
    this.#addPart("euros", text.slice(0, at));
    this.#addPart("cents", text.slice(at));
    this.text = text.replace(/\d/g, "-");
  }

  #addPart(kind, text) {
    const part = put("span", kind, this.place);
    for (const letter of text) {
      if (/\d/.test(letter)) {
        this.wheels.push(put("b", "digit", put("span", "wheel", part)));
      } else {
        put("span", "mark", part, letter);
      }
    }
  }

  #write(text) {
    if (text === this.text) {
      return;
    }
    const digits = text.replace(/\D/g, "");
    this.wheels.forEach((wheel, at) => {
      if (wheel.textContent !== digits[at]) {
        wheel.textContent = digits[at];
        wheel.dataset.next = String((Number(digits[at]) + 1) % 10);
      }
    });
    this.text = text;
  }

  /** The last wheel turns, and each before which only nines stand. */
  #turn(whole, part) {
    const turns = part === 0 || whole < 0 ? 0 : 1 + /9*$/.exec(String(whole))[0].length;
    const turning = this.wheels.slice(this.wheels.length - turns);
    this.turning.filter((wheel) => !turning.includes(wheel)).forEach((wheel) => stand(wheel));
    turning.forEach((wheel) => wheel.style.setProperty("--turn", String(part / PARTS)));
    this.turning = turning;
  }
}

function stand(wheel) {
  wheel.style.removeProperty("--turn");
}

/** The fields beside an act in the drawer: what is typed is checked here, and what would be right said in words. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";

const LONGEST = 80;
const DAY_S = 24 * 60 * 60;

/**
 * What may be typed in a field. `read`: what stands in the act for it, or null where it is wrong;
 * `right`: what would be right, in words; `name`: of the field, where the act's word does not do.
 * @typedef {{first: string, read: (text: string) => string|null, right: () => string,
 *   name?: {it: string, en: string}, attributes?: object}} Field
 */

/** @returns {Field} a whole number */
function number({ least, most, first }, name) {
  return {
    name,
    first: String(first),
    attributes: { type: "number", min: least, max: most },
    read: (text) => (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? String(Number(text)) : null),
    right: () => say(WORDS.fields.number, { from: least, to: most }),
  };
}

/** @returns {Field} the time that a level has left, in minutes or as the clock shows it */
function clockTime() {
  return {
    name: WORDS.fields.clockTimeName,
    first: "10:00",
    read: (text) => {
      const found = /^(\d{1,4})(?::([0-5]\d))?$/.exec(text);
      const seconds = found ? Number(found[1]) * 60 + Number(found[2] ?? 0) : DAY_S + 1;
      return seconds <= DAY_S ? `${seconds}s` : null;
    },
    right: () => say(WORDS.fields.clockTime),
  };
}

/** @returns {Field} euro, with a decimal comma or point */
function amount() {
  return {
    first: "",
    attributes: { inputMode: "decimal" },
    read: (text) => (/^\d{1,9}([.,]\d{1,2})?$/.test(text) ? text.replace(",", ".") : null),
    right: () => say(WORDS.fields.amount),
  };
}

/** @returns {Field} whole euro, a part for each pot */
function rakeParts() {
  return {
    first: "",
    read: (text) => {
      const plain = text.replaceAll(/ *\+ */g, "+"); // "5 10" is no 510
      return /^\d{1,6}(\+\d{1,6}){0,10}$/.test(plain) ? plain : null;
    },
    right: () => say(WORDS.fields.rakeParts),
  };
}

/** @returns {Field} whole euro, or steps of players and whole euro */
function rakeCap() {
  return {
    first: "",
    read: (text) => (/^(\d{1,6}|\d{1,2}:\d{1,6}( +\d{1,2}:\d{1,6})*)$/.test(text) ? text : null),
    right: () => say(WORDS.fields.rakeCap),
  };
}

/** @returns {Field} why, in words */
function reason() {
  return {
    first: "",
    read: (text) => (text ? text : null),
    right: () => say(WORDS.fields.reason),
  };
}

const levelsOf = (table) => table.poker.steps.filter((blinds) => blinds !== "").length;

/** The fields by their form, as `DrawerField` of console/texts/declarations/row.py names it. */
export const FIELDS = {
  number: (field) => number(field),
  level: ({ first }, table) => number({ least: 1, most: levelsOf(table), first }, WORDS.fields.level),
  entries: (field) => ({ ...number(field, WORDS.fields.entries), first: "" }),
  chips: (field) => ({ ...number(field, WORDS.fields.chips), first: "" }),
  clockTime,
  amount,
  rakeParts,
  rakeCap,
  reason,
};

/** The fields of one act, in the order of the `#` in its line. */
export class ActFields {
  /**
   * @param {Element} row where they stand, before their button
   * @param {Element} below where it is said what would be right
   * @param {Field[]} fields
   * @param {string} label of the act
   * @param {() => void} entered what Enter does
   */
  constructor(row, below, fields, label, entered) {
    this.fields = fields;
    this.wrong = put("p", "drawer-wrong", below);
    this.wrong.id = `wrong-${label.replaceAll(/\W+/g, "-")}`;
    this.wrong.setAttribute("role", "alert");
    this.inputs = fields.map((field) => {
      const input = /** @type {HTMLInputElement} */ (put("input", "", row));
      Object.assign(input, { type: "text", value: field.first, maxLength: LONGEST, autocomplete: "off" }, field.attributes);
      input.setAttribute("aria-label", field.name ? `${label}: ${say(field.name)}` : label);
      input.setAttribute("aria-describedby", this.wrong.id);
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          entered();
        }
      });
      return input;
    });
  }

  /** What stands in the act, one for each field; null, said in words, where one is wrong. */
  read() {
    const values = this.fields.map((field, place) => field.read(this.inputs[place].value.trim()));
    const first = values.indexOf(null);
    this.inputs.forEach((input, place) => input.setAttribute("aria-invalid", String(place === first)));
    this.wrong.textContent = first < 0 ? "" : this.fields[first].right();
    this.inputs[first]?.focus();
    return first < 0 ? values : null;
  }
}

/** Elements that many parts of the cabinet use. */

import { put } from "../common/frame.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * A button with a word of the catalogue, or without one where `word` is empty.
 * @param {Element} where
 * @param {string} kind its class
 * @param {string} word
 * @param {(button: HTMLButtonElement) => void} pressed
 * @returns {HTMLButtonElement}
 */
export function button(where, kind, word, pressed) {
  const element = /** @type {HTMLButtonElement} */ (put("button", kind, where));
  element.type = "button";
  if (word) {
    put("span", "", element).dataset.word = word;
  }
  element.addEventListener("click", () => pressed(element));
  return element;
}

/**
 * The key that does the same, shown on a button.
 * @param {Element} where
 * @param {string} text
 */
export function keyHint(where, text) {
  where.setAttribute("data-hint", text);
  where.setAttribute("aria-keyshortcuts", text);
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Record<string, string|number>} attributes
 * @param {Element|null} [where]
 */
export function svg(name, attributes, where = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  where?.append(element);
  return element;
}

/**
 * Write only what differs, so that no screen reader repeats what has not changed.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * The same for an attribute.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function mark(element, name, value) {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}

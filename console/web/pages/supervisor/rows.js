/** Tables and lists of facts, as every part of the page has them. */

import { put } from "../common/frame.js";

/**
 * A column: its head, and whether figures stand in it.
 * @typedef {{head: string, right?: boolean}} Column
 */

/**
 * A table; a cell is a text or an element.
 * @param {Column[]} columns
 * @param {(string|Node)[][]} rows
 * @param {string} caption for who cannot see what stands above it
 */
export function tableOf(columns, rows, caption) {
  const table = put("table");
  put("caption", "unseen", table, caption);
  const head = put("tr", "", put("thead", "", table));
  for (const { head: text, right } of columns) {
    put("th", right ? "right" : "", head, text).scope = "col";
  }
  const body = put("tbody", "", table);
  for (const row of rows) {
    body.append(rowOf(columns, row));
  }
  return table;
}

/**
 * Fill a place with a table that may need scrolling; it can then be reached by keyboard.
 * @param {HTMLElement} place
 * @param {Node[]} content
 * @param {string} name
 */
export function fill(place, content, name) {
  place.replaceChildren(...content);
  place.setAttribute("aria-label", name);
  rooms.observe(place);
  if (content.length) {
    rooms.observe(content[0]);
  }
}

const rooms = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const place = target.closest(".wide");
    if (place !== null) {
      const scrolls = place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight;
      place.tabIndex = scrolls ? 0 : -1;
      place.setAttribute("role", scrolls ? "region" : "group");
    }
  }
});

/**
 * One row of such a table.
 * @param {Column[]} columns
 * @param {(string|Node)[]} cells
 */
export function rowOf(columns, cells) {
  const row = put("tr");
  cells.forEach((cell, at) => {
    put("td", columns[at].right ? "right" : "", row).append(cell);
  });
  return row;
}

/**
 * Names and their values.
 * @param {[string, string|Node][]} facts
 */
export function factsOf(facts) {
  const list = put("dl", "facts");
  for (const [name, value] of facts) {
    const pair = put("div", "", list);
    put("dt", "", pair, name);
    put("dd", "", pair).append(value);
  }
  return list;
}

/**
 * A card of the first view: its title, and what stands in it.
 * @param {string} kind
 * @param {string} title
 * @param {(string|Node)[]} content
 */
export function cardOf(kind, title, content) {
  const card = put("section", `card ${kind}`);
  put("h2", "", card, title);
  card.append(...content);
  return card;
}

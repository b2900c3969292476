/** The tables of a jackpot: a row each for who listens, a large tile each for who looks. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/room.js";
import { writeAge } from "./age.js";

const COLUMNS = ["table", "phase", "beat", "shown", "outbox", "faultsTitle"];

/**
 * @param {HTMLElement} place
 * @param {any[]} tables
 * @param {(amount: string|null) => string} write amounts of the jackpot
 */
export function writeTables(place, tables, write) {
  place.replaceChildren();
  if (tables.length === 0) {
    put("p", "none", place, say(WORDS.noTable));
    return;
  }
  const table = put("table", "rows", place);
  const head = put("tr", "", put("thead", "", table));
  for (const column of COLUMNS) {
    put("th", "", head, say(WORDS[column])).scope = "col";
  }
  const body = put("tbody", "", table);
  tables.forEach((one) => writeRow(put("tr", "", body), one, write));
}

function writeRow(row, one, amount) {
  row.dataset.condition = one.condition;
  row.dataset.table = one.table;
  const name = put("th", "", row, one.table);
  name.scope = "row";
  const cells = [
    [WORDS.phase, (cell) => writePhase(cell, one)],
    [WORDS.beat, (cell) => writeBeat(cell, one)],
    [WORDS.shown, (cell) => writeShown(cell, one, amount)],
    [WORDS.outbox, (cell) => writeWaiting(cell, one)],
    [WORDS.faultsTitle, (cell) => writeFaults(cell, one)],
  ];
  for (const [word, write] of cells) {
    const cell = put("td", "", row);
    cell.dataset.name = say(word);
    write(cell);
  }
}

function writePhase(cell, one) {
  put("span", "phase", cell, one.phase === null ? "" : say(WORDS.phases[one.phase]));
  if (one.round !== null) {
    put("small", "", cell, say(WORDS.stakes, { round: one.round, stakes: one.stakes }));
  }
}

function writeBeat(cell, one) {
  put("span", "condition", cell, say(WORDS.conditions[one.condition]));
  if (one.age_s !== null) {
    put("small", "", cell, say(WORDS.ago, { age: writeAge(one.age_s) }));
  }
}

function writeShown(cell, one, amount) {
  const shown = put("span", "shown", cell, amount(one.shown));
  if (one.shown === null) {
    put("span", "unseen", shown, say(WORDS.dashes));
  }
  if (one.differs) {
    cell.classList.add("differs");
    put("small", "", cell, say(WORDS.differs));
  }
}

function writeWaiting(cell, one) {
  const waiting = [
    [one.outbox, WORDS.calls],
    [one.unbooked, WORDS.unbooked],
  ].filter(([count]) => count > 0);
  cell.classList.toggle("waiting", waiting.length > 0);
  put("span", "", cell, waiting.map(([count, word]) => say(word, { count })).join(", ") || say(WORDS.none));
}

function writeFaults(cell, one) {
  if (one.faults === null) {
    put("span", "", cell, say(WORDS.notKnown));
    return;
  }
  if (one.faults.length === 0) {
    put("span", "", cell, say(WORDS.noFault));
    return;
  }
  const list = put("ul", "faults", cell);
  for (const code of one.faults) {
    const item = put("li", "", list);
    put("b", "", item, code);
    put("small", "", item, WORDS.faults[code] ? say(WORDS.faults[code]) : "");
  }
}

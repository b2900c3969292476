/**
 * The roads of a shoe, as tables show them (results in their order: PUNTO, BANCO, EGALITE, VOID).
 *
 * Bead road: every coup, down a column of six and on to the next. Big road: a column for each run
 * of one side; at its foot, or at another run, it turns right. EGALITE is a mark on the coup
 * before it, or on the first one to come; a coup that is VOID is not in the big road.
 */

export const ROWS = 6;

/**
 * @typedef {object} Bead
 * @property {number} column
 * @property {number} row
 * @property {string} result
 */

/**
 * The newest columns of the bead road.
 * @param {string[]} results
 * @param {number} columns at the most
 * @returns {Bead[]}
 */
export function beadRoad(results, columns) {
  const too = Math.max(0, Math.ceil(results.length / ROWS) - columns);
  return results
    .map((result, at) => ({ column: Math.floor(at / ROWS) - too, row: at % ROWS, result }))
    .filter((bead) => bead.column >= 0);
}

/**
 * The newest columns of the big road; `ties`: how many EGALITE stand on the coup.
 * @param {string[]} results
 * @param {number} columns at the most
 * @returns {(Bead & {ties: number})[]}
 */
export function bigRoad(results, columns) {
  const road = new BigRoad();
  results.forEach((result) => road.add(result));
  const too = Math.max(0, Math.max(0, ...road.cells.map((cell) => cell.column + 1)) - columns);
  return road.cells
    .map((cell) => ({ ...cell, column: cell.column - too }))
    .filter((cell) => cell.column >= 0);
}

/** How many columns back each derived road looks. */
const LOOKS_BACK = { eye: 1, smallRoad: 2, cockroach: 3 };

/**
 * The newest columns of a road derived from the big one: red (BANCO) where the shoe repeats itself,
 * blue (PUNTO) where it does not.
 * @param {string[]} results
 * @param {"eye"|"smallRoad"|"cockroach"} kind
 * @param {number} columns at the most
 * @returns {Bead[]}
 */
export function derivedRoad(results, kind, columns) {
  const back = LOOKS_BACK[kind];
  const runs = [];
  const marks = [];
  for (const result of results.filter((one) => one === "PUNTO" || one === "BANCO")) {
    if (runs.at(-1)?.result === result) {
      runs.at(-1).length += 1;
    } else {
      runs.push({ result, length: 1 });
    }
    const mark = derive(runs, back);
    if (mark !== null) {
      marks.push(mark);
    }
  }
  return bigRoad(marks, columns);
}

/** What the newest coup adds; null before the runs are there that it is compared with. */
function derive(runs, back) {
  const run = runs.length - 1;
  const row = runs[run].length - 1;
  if (row === 0) {
    return run <= back ? null : repeats(runs[run - 1].length === runs[run - 1 - back].length);
  }
  return run < back ? null : repeats(runs[run - back].length !== row);
}

function repeats(does) {
  return does ? "BANCO" : "PUNTO";
}

class BigRoad {
  constructor() {
    this.cells = [];
    this.taken = new Set();
    this.first = -1;
    this.early = 0;
  }

  add(result) {
    const last = this.cells.at(-1);
    if (result === "EGALITE") {
      if (last) {
        last.ties += 1;
      } else {
        this.early += 1;
      }
    } else if (result !== "VOID") {
      this.#put(result, last?.result === result ? this.#after(last) : this.#newRun());
    }
  }

  #after(last) {
    const before = this.cells.at(-2);
    const turned = before?.result === last.result && before.row === last.row;
    const below = `${last.column} ${last.row + 1}`;
    if (!turned && last.row + 1 < ROWS && !this.taken.has(below)) {
      return { column: last.column, row: last.row + 1 };
    }
    return { column: last.column + 1, row: last.row };
  }

  #newRun() {
    this.first += 1;
    while (this.taken.has(`${this.first} 0`)) {
      this.first += 1;
    }
    return { column: this.first, row: 0 };
  }

  #put(result, { column, row }) {
    this.taken.add(`${column} ${row}`);
    this.cells.push({ column, row, result, ties: this.early });
    this.early = 0;
  }
}

/**
 * The loop while nothing happens: one panel of the stage after the other; a sign that has the room
 * shows the ladder beside it all the time. After each turn the next of the house's languages.
 */

const SHOWN_MS = { ladder: 14_000, wins: 9_000, limits: 7_000, message: 8_000 };
const ORDER = ["ladder", "wins", "limits", "message"];

export class Attract {
  /**
   * @param {HTMLElement} stage its `data-turn` says which panel is on
   * @param {() => void} onTurn the loop begins again
   */
  constructor(stage, onTurn) {
    this.stage = stage;
    this.onTurn = onTurn;
    this.filled = new Set();
    this.timer = 0;
    this.#go(ORDER[0]);
  }

  /**
   * Whether a panel has something to show.
   * @param {string} panel
   * @param {boolean} filled
   */
  fill(panel, filled) {
    const had = this.filled.has(panel);
    this.filled[filled ? "add" : "delete"](panel);
    this.stage.dataset.filled = ORDER.filter((one) => this.filled.has(one)).join(" ");
    if (had !== filled && !this.filled.has(this.turn)) {
      this.#next();
    }
  }

  #next() {
    const at = ORDER.indexOf(this.turn);
    const later = [...ORDER.slice(at + 1), ...ORDER.slice(0, at + 1)].find((one) => this.filled.has(one));
    const next = later ?? ORDER[0];
    if (this.filled.size > 0 && ORDER.indexOf(next) <= at) {
      this.onTurn();
    }
    this.#go(next);
  }

  #go(panel) {
    this.turn = panel;
    this.stage.dataset.turn = panel;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#next(), SHOWN_MS[panel]);
  }
}

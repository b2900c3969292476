/**
 * An amount that creeps to the ledger's as an odometer does: it takes the time that usually passes
 * between two rises, is never above the ledger in any frame, and falls at once.
 *
 * All is whole numbers: a cent has a hundred parts, so that its wheel turns smoothly.
 */

export const PARTS = 100;

const FIRST_MS = 12_000;
const SHORTEST_MS = 1500;
const LONGEST_MS = 60_000;
const REMEMBERED = 5;

/** One amount on the page. */
export class Creep {
  /** @param {(parts: number) => void} write shows an amount, in hundredths of a cent */
  constructor(write) {
    this.write = write;
    this.shown = null;
    this.target = null;
    this.frame = 0;
    this.roseAt = null;
    this.pauses = [];
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /**
   * What the ledger has now.
   * @param {number} cents
   */
  to(cents) {
    const target = cents * PARTS;
    if (target === this.target) {
      return;
    }
    const rises = this.target !== null && target > this.target;
    this.target = target;
    cancelAnimationFrame(this.frame);
    if (!rises || this.still.matches) {
      this.#show(target);
      return;
    }
    const rise = { from: this.shown, to: target, since: performance.now(), lasts: this.#usualPause() };
    this.frame = requestAnimationFrame((now) => this.#rise(rise, now));
  }

  /** Write it once more: in another language. */
  again() {
    if (this.shown !== null) {
      this.write(this.shown);
    }
  }

  /** No amount is known any more. */
  forget() {
    cancelAnimationFrame(this.frame);
    this.shown = null;
    this.target = null;
    this.roseAt = null;
  }

  /** The middle one of the last pauses between two rises, in ms. */
  #usualPause() {
    const now = performance.now();
    if (this.roseAt !== null) {
      this.pauses = [...this.pauses, now - this.roseAt].slice(-REMEMBERED);
    }
    this.roseAt = now;
    const sorted = [...this.pauses].sort((one, other) => one - other);
    const usual = sorted[Math.floor(sorted.length / 2)] ?? FIRST_MS;
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, usual));
  }

  #rise(rise, now) {
    const passed = Math.min(rise.lasts, Math.max(0, now - rise.since));
    const arrived = passed >= rise.lasts;
    this.#show(arrived ? rise.to : rise.from + Math.floor(((rise.to - rise.from) * passed) / rise.lasts));
    if (!arrived) {
      this.frame = requestAnimationFrame((later) => this.#rise(rise, later));
    }
  }

  #show(parts) {
    if (parts !== this.shown) {
      this.shown = parts;
      this.write(parts);
    }
  }
}

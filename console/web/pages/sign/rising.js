/**
 * An amount in whole cents that rises smoothly to the ledger's: never above it in any frame, and at
 * once down when it falls.
 */

const SHORTEST_MS = 1200;
const LONGEST_MS = 5000;
const MS_FOR_EACH_EURO = 4;

/** One amount on the page. */
export class Rising {
  /** @param {(cents: number) => void} write shows an amount */
  constructor(write) {
    this.write = write;
    this.shown = null;
    this.target = null;
    this.frame = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /**
   * What the ledger has now.
   * @param {number} cents
   */
  to(cents) {
    if (cents === this.target) {
      return;
    }
    this.target = cents;
    cancelAnimationFrame(this.frame);
    if (this.shown === null || cents <= this.shown || this.still.matches) {
      this.#show(cents);
      return;
    }
    const rise = { from: this.shown, to: cents, since: performance.now() };
    rise.lasts = Math.min(LONGEST_MS, SHORTEST_MS + ((rise.to - rise.from) / 100) * MS_FOR_EACH_EURO);
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
  }

  #rise(rise, now) {
    const part = Math.min(1, Math.max(0, (now - rise.since) / rise.lasts));
    const eased = 1 - (1 - part) ** 3;
    this.#show(part < 1 ? rise.from + Math.floor((rise.to - rise.from) * eased) : rise.to);
    if (part < 1) {
      this.frame = requestAnimationFrame((later) => this.#rise(rise, later));
    }
  }

  #show(cents) {
    if (cents !== this.shown) {
      this.shown = cents;
      this.write(cents);
    }
  }
}

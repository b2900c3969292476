/**
 * A clock that counts down by the browser's monotonic time between the table's messages.
 *
 * A message can only be late, so it never makes the clock show more than before, unless by so much
 * that the clock was set, or had stood.
 */

const SET_MS = 400;
const SECOND_MS = 1000;

export class Countdown {
  /** @param {(seconds: number, ticks: boolean) => void} write shows whole seconds, rounded up */
  constructor(write) {
    this.write = write;
    this.endsAt = null;
    this.left = 0;
    this.timer = 0;
  }

  /**
   * What the table says now.
   * @param {number} leftMs
   * @param {boolean} ticks whether time passes
   */
  set(leftMs, ticks) {
    const endsAt = performance.now() + leftMs;
    if (!ticks) {
      this.endsAt = null;
      this.left = leftMs;
    } else if (this.endsAt === null || endsAt < this.endsAt || endsAt > this.endsAt + SET_MS) {
      this.endsAt = endsAt;
    }
    this.#show();
  }

  /** Stop where it is: nobody knows how it goes on. */
  stop() {
    if (this.endsAt !== null) {
      this.left = Math.max(0, this.endsAt - performance.now());
      this.endsAt = null;
      clearTimeout(this.timer);
    }
  }

  #show() {
    clearTimeout(this.timer);
    const left = this.endsAt === null ? this.left : Math.max(0, this.endsAt - performance.now());
    this.write(Math.ceil(left / SECOND_MS), this.endsAt !== null);
    if (this.endsAt !== null && left > 0) {
      // Just after the second has changed.
      this.timer = setTimeout(() => this.#show(), ((left - 1) % SECOND_MS) + 2);
    }
  }
}

/**
 * `07:31`; minutes are not wrapped into hours.
 * @param {number} seconds
 */
export function minutesOf(seconds) {
  const digits = (number) => String(number).padStart(2, "0");
  return `${digits(Math.floor(seconds / 60))}:${digits(seconds % 60)}`;
}

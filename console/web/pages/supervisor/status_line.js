/** The line in which a part of the page shows that it waits, or why there is no answer. */

import { Refused } from "../common/ask.js";

/** One line of text, written again when the language changes. */
export class StatusLine {
  /**
   * @param {HTMLElement} line
   * @param {() => void} ended the session is over
   */
  constructor(line, ended) {
    this.line = line;
    this.ended = ended;
    this.text = () => "";
  }

  /** @param {() => string} text */
  show(text) {
    this.text = text;
    this.write();
  }

  /** In the language that is chosen now. */
  write() {
    this.line.textContent = this.text();
  }

  /**
   * Do requests; show here why there is no answer.
   * @param {() => Promise<void>} work
   */
  async during(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) {
        throw error;
      }
      if (error.code === "NOT_ENTERED") {
        this.ended();
      } else {
        this.show(() => error.words);
      }
    }
  }
}

/** Acts, each a line of a scenario, and the table's answers. */

import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";

const REMEMBERED = 64;
const SHAKEN_MS = 700;
const LATE_MS = 1500;

/** Refusals whose remedy is a turn of the key: which one, only the table knows. */
const KEYS = ["WRONG_KEY", "KEY_NOT_IN_RUN"];

export class Acts {
  /**
   * @param {(message: object) => boolean} send
   * @param {HTMLElement} answer where the result of an act is shown
   * @param {import("./main.js").View} view
   */
  constructor(send, answer, view) {
    this.send = send;
    this.place = answer;
    this.view = view;
    this.number = 0;
    this.waiting = new Map();
    this.last = null;
  }

  /**
   * Do it; `control` is what was touched, and shakes when the act is refused.
   * @param {string} line as docs/reference/scenarios.md writes it
   * @param {Element|null} [control]
   */
  do(line, control = null) {
    this.number += 1;
    if (!this.send({ id: this.number, do: line })) {
      this.report(say(WORDS.notSent, { line }), "bad");
      return;
    }
    this.waiting.set(this.number, control);
    if (this.waiting.size > REMEMBERED) {
      this.waiting.delete(this.waiting.keys().next().value);
    }
  }

  /** @param {{to: number, line: string, refused: string|null, why: string}} answer */
  onAnswer({ to, line, refused, why }) {
    const control = this.waiting.get(to) ?? null;
    this.waiting.delete(to);
    this.last = null;
    if (why) {
      this.report(say(WORDS.answerWhy, { line, why }), "bad");
      shake(control);
    } else if (refused) {
      this.#refuse(line, refused, control);
    } else {
      this.report(line, "good");
      this.last = { line, control, at: performance.now() };
    }
  }

  /**
   * A refusal that arrives only after the answer, on a busy computer.
   * @param {import("./main.js").View} view
   */
  show({ seen }) {
    const last = this.last;
    if (last && seen.refused && performance.now() - last.at < LATE_MS) {
      this.last = null;
      this.#refuse(last.line, seen.refused, last.control);
    }
  }

  #refuse(line, code, control) {
    const { refusals, remedies } = this.view.table.texts[language()];
    const { guide } = this.view.snapshot;
    const text = refusals[code] ?? "";
    const remedy = KEYS.includes(code) && guide.step === "TURN_KEY"
      ? say(WORDS.steps.TURN_KEY, { key: guide.key })
      : remedies[code] ?? "";
    this.report(say(WORDS.answerRefused, { line, code, text, remedy }), "bad");
    shake(control);
  }

  /**
   * Show a text at the place of the answers.
   * @param {string} text
   * @param {"good"|"bad"} how
   */
  report(text, how) {
    this.place.textContent = text;
    this.place.dataset.how = how;
  }

  /** Remove the answer, which may be in another language. */
  clear() {
    this.place.textContent = "";
    delete this.place.dataset.how;
  }
}

function shake(control) {
  control?.classList.add("shaken");
  setTimeout(() => control?.classList.remove("shaken"), SHAKEN_MS);
}

/** Who has entered: the form, the session that is kept while somebody does something, the end. */

import { say } from "../common/words.js";
import { ask, Refused, send } from "./ask.js";
import { WORDS } from "./words.js";

const TOUCH_EVERY_MS = 60_000;

/**
 * @typedef {{name: string, duties: string[]}} Person
 */
export class Session {
  /**
   * @param {HTMLFormElement} form with `name` and `pin`
   * @param {HTMLElement} refused where a refusal is told
   * @param {(person: Person|null) => void} changed
   * @param {(table: any) => void} met at which table this is
   */
  constructor(form, refused, changed, met) {
    this.form = form;
    this.refused = refused;
    this.changed = changed;
    this.met = met;
    this.entered = false;
    this.touched = performance.now();
    this.told = () => "";
    form.addEventListener("submit", (event) => this.#enter(event));
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => this.#touch(), { capture: true, passive: true });
    }
  }

  /** Ask who has entered, when the page opens or may have lost its session. */
  async begin() {
    try {
      const told = await ask("session", {}, { byItself: true });
      this.met(told.at);
      this.#set(told);
    } catch (error) {
      this.#tell(error);
      this.changed(null);
    }
  }

  /** The process says that nobody has entered any more. */
  ended() {
    if (this.entered) {
      this.#say(() => say(WORDS.sessionEnded));
    }
    this.#set({ name: null });
  }

  /** Somebody leaves; without an answer the page forgets him, too. */
  async leave() {
    this.entered = false;
    try {
      await send("logout", {});
      this.#say(() => say(WORDS.haveLeft));
    } catch (error) {
      this.#tell(error);
    }
    this.#set({ name: null });
  }

  /** In the language that is chosen now. */
  write() {
    this.refused.textContent = this.told();
  }

  async #enter(event) {
    event.preventDefault();
    const { name, pin } = this.form.elements;
    const told = { name: name.value, pin: pin.value };
    pin.value = "";
    this.#say(() => "");
    try {
      this.#set(await send("login", told));
    } catch (error) {
      this.#tell(error);
      pin.focus();
    }
  }

  async #touch() {
    const now = performance.now();
    if (!this.entered || now - this.touched < TOUCH_EVERY_MS) {
      return;
    }
    this.touched = now;
    try {
      const told = await ask("session");
      if (told.name === null) {
        this.ended();
      }
    } catch (error) {
      if (!(error instanceof Refused)) {
        throw error;
      }
      // The socket tells that the table is lost; the next act asks again.
      this.touched = now - TOUCH_EVERY_MS;
    }
  }

  #set(person) {
    this.entered = person.name !== null;
    this.touched = performance.now();
    if (this.entered) {
      this.form.reset();
      this.#say(() => "");
    }
    this.changed(this.entered ? person : null);
  }

  #tell(error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    const wait = error.waitS ? () => ` ${say(WORDS.waitSeconds, { seconds: error.waitS })}` : () => "";
    this.#say(() => `${error.words}${wait()}`);
  }

  #say(told) {
    this.told = told;
    this.write();
  }
}

/** The session: the login form, extending it while somebody uses the page, and its end. */

import { say } from "./language.js";
import { WORDS } from "../words/common.js";
import { ask, Refused, send } from "./ask.js";

const TOUCH_EVERY_MS = 60_000;

/**
 * @typedef {{name: string, duties: string[], pin_ends: string}} Person
 */

/** Who has entered, for which duties, and that the PIN ends soon.
 * @param {Person|null} person @param {(duty: string) => string} sayDuty
 */
export function describePerson(person, sayDuty) {
  if (person === null) {
    return "";
  }
  const ends = person.pin_ends === "" ? [] : [say(WORDS.login.pinEnds, { day: person.pin_ends })];
  return [`${person.name} (${person.duties.map(sayDuty).join(", ")})`, ...ends].join("; ");
}

export class Session {
  /**
   * @param {HTMLFormElement} form with `name` and `pin`
   * @param {HTMLElement} refused where a refusal is shown
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
    this.text = () => "";
    form.addEventListener("submit", (event) => this.#enter(event));
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => this.#touch(), { capture: true, passive: true });
    }
  }

  /** Ask who has entered, when the page opens or may have lost its session. */
  async begin() {
    try {
      const session = await ask("session", {}, { byItself: true });
      this.met(session.at);
      this.#set(session);
    } catch (error) {
      this.#showError(error);
      this.changed(null);
    }
  }

  /** The session has ended. */
  ended() {
    if (this.entered) {
      this.#show(() => say(WORDS.login.expired));
    }
    this.#set({ name: null });
  }

  /** Sign out; the page forgets the person even without an answer. */
  async leave() {
    this.entered = false;
    try {
      await send("logout", {});
      this.#show(() => say(WORDS.login.left));
    } catch (error) {
      this.#showError(error);
    }
    this.#set({ name: null });
  }

  /** In the language that is chosen now. */
  write() {
    this.refused.textContent = this.text();
  }

  async #enter(event) {
    event.preventDefault();
    const { name, pin } = this.form.elements;
    const credentials = { name: name.value, pin: pin.value };
    pin.value = "";
    this.#show(() => "");
    try {
      this.#set(await send("login", credentials));
    } catch (error) {
      this.#showError(error);
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
      const session = await ask("session");
      if (session.name === null) {
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
      this.#show(() => "");
    }
    this.changed(this.entered ? person : null);
  }

  #showError(error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    const wait = error.waitS ? () => ` ${say(WORDS.login.wait, { seconds: error.waitS })}` : () => "";
    this.#show(() => `${error.words}${wait()}`);
  }

  #show(text) {
    this.text = text;
    this.write();
  }
}

/** The tournament: level, clock, blinds, what comes next, the players at the table. */

import { Countdown, minutesOf } from "../common/countdown.js";
import { put } from "../common/frame.js";
import { onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";

export class Clock {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.message = null;
    this.shown = "";
    this.countdown = new Countdown((seconds) => this.#writeTime(seconds));
    onLanguage(() => this.#write());
  }

  /** @param {any} message a message `clock` */
  show(message) {
    this.message = message;
    this.#write();
  }

  /** A table that is lost does not count on: what stands there was true. @param {boolean} there */
  setThere(there) {
    if (!there) {
      this.countdown.stop();
    }
  }

  #write() {
    if (this.message === null) {
      return;
    }
    const { left_ms, ticks, ...rest } = this.message;
    const shown = JSON.stringify([document.documentElement.lang, ticks, rest]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.#draw();
    }
    this.countdown.set(left_ms, ticks);
  }

  #draw() {
    const { level, blinds, ticks, hand_for_hand: each, players, hand } = this.message;
    this.place.replaceChildren();
    const isBreak = blinds === "";
    const stands = !ticks && !(each && !isBreak);
    this.place.dataset.state = stands ? "stopped" : isBreak ? "break" : "running";
    const head = put("h1", "clock-level", this.place, say(isBreak ? WORDS.clock.break : WORDS.clock.level, { level }));
    head.id = "clock-name";
    if (each) {
      put("p", "clock-each", this.place, say(WORDS.clock.handForHand)).setAttribute("role", "status");
    }
    this.time = put("p", "clock-time", this.place);
    this.time.setAttribute("role", "timer");
    this.stopped = stands ? put("p", "clock-stopped", this.place) : null;
    if (!isBreak) {
      this.#drawBlinds(put("p", "clock-blinds", this.place), blinds);
    }
    const facts = put("dl", "clock-facts", this.place);
    drawFact(facts, WORDS.clock.next, this.#next());
    drawFact(facts, WORDS.clock.players, String(players));
    drawFact(facts, WORDS.clock.hand, hand ? String(hand) : "-");
  }

  #drawBlinds(line, blinds) {
    const [small, big, ante] = blinds.split("/");
    put("span", "clock-word", line, say(WORDS.clock.blinds));
    put("b", "", line, `${small} / ${big}`);
    if (ante) {
      put("span", "clock-word", line, say(WORDS.clock.ante));
      put("b", "", line, ante);
    }
  }

  #next() {
    const { next, level } = this.message;
    if (next === null) {
      return say(WORDS.clock.last);
    }
    const values = { level: level + 1, blinds: next };
    return next === "" ? say(WORDS.clock.break) : say(WORDS.clock.nextLevel, values);
  }

  #writeTime(seconds) {
    const time = minutesOf(seconds);
    this.time.textContent = this.stopped ? say(WORDS.clock.stopped) : time;
    if (this.stopped) {
      this.stopped.textContent = `${say(WORDS.clock.left)} ${time}`;
    }
  }
}

function drawFact(list, word, value) {
  const fact = put("div", "", list);
  put("dt", "", fact, say(word));
  put("dd", "", fact, value);
}

/** A tournament, on any page: level, clock, blinds, what comes next, players; of one table or of all. */

import { Countdown, minutesOf } from "./countdown.js";
import { put } from "./frame.js";
import { language, onLanguage, say } from "./language.js";
import { formatCount } from "./money.js";
import { WORDS } from "../words/common.js";

const UNKNOWN = "--:--";

export class Clock {
  /**
   * @param {HTMLElement} place
   * @param {string} heading the tag of its heading, whose id is that of the place and "-name"
   */
  constructor(place, heading = "h1") {
    this.place = place;
    this.heading = heading;
    this.message = null;
    this.shown = "";
    this.breakIn = null;
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
    this.known = left_ms !== null;
    const shown = JSON.stringify([document.documentElement.lang, ticks, this.known, rest]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.#draw();
    }
    this.countdown.set(left_ms ?? 0, ticks);
  }

  #draw() {
    const { level, blinds, ticks, hand_for_hand: each, players, entries, average, hand, tables, here } = this.message;
    this.place.replaceChildren();
    const isBreak = blinds === "";
    const stands = this.known && !ticks && !(each && !isBreak);
    this.place.dataset.state = stands ? "stopped" : isBreak ? "break" : "running";
    const head = put(this.heading, "clock-level", this.place, say(isBreak ? WORDS.clock.break : WORDS.clock.level, { level }));
    head.id = `${this.place.id}-name`;
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
    this.#drawNext(drawFact(facts, WORDS.clock.next, ""));
    this.breakIn = this.message.break_after_ms === null || !this.known ? null : drawFact(facts, WORDS.clock.breakIn, "");
    drawFact(facts, here ? WORDS.clock.playersHere : WORDS.clock.players, entries === null ? String(players) : `${players} / ${entries}`);
    if (average !== null) {
      drawFact(facts, WORDS.clock.average, formatCount(average, language()));
    }
    if (tables !== null) {
      drawFact(facts, WORDS.clock.tables, String(tables));
    } else {
      drawFact(facts, WORDS.clock.hand, hand ? String(hand) : "-");
    }
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

  /** The number of the next level is left out where it has no place. */
  #drawNext(value) {
    const { next, level } = this.message;
    if (next === null || next === "") {
      value.textContent = say(next === null ? WORDS.clock.last : WORDS.clock.break);
      return;
    }
    put("span", "clock-next", value, `${say(WORDS.clock.level, { level: level + 1 })}: `);
    value.append(next);
  }

  #writeTime(seconds) {
    const time = this.known ? minutesOf(seconds) : UNKNOWN;
    this.time.textContent = time;
    if (this.breakIn !== null) {
      const away = awayOf(seconds + this.message.break_after_ms / 1000);
      if (this.breakIn.textContent !== away) {
        this.breakIn.textContent = away;
      }
    }
    if (this.stopped) {
      this.stopped.textContent = say(WORDS.clock.stopped);
    }
  }
}

/** @returns {HTMLElement} where the value stands */
function drawFact(list, word, value) {
  const fact = put("div", "", list);
  put("dt", "", fact, say(word));
  return put("dd", "", fact, value);
}

/** The minutes that something is away, rounded up: `52 min`, `1 h 12 min`. */
function awayOf(seconds) {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

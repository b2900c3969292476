/** A poker table on the felt: positions and dealer button, the board, the pots, the clock. */

import { Countdown, minutesOf } from "../common/countdown.js";
import { put } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { mark, svg, write } from "./elements.js";

/** The ellipse on which the positions stand, in the felt's picture. */
const MIDDLE = { x: 500, y: 400 };
const ACROSS = 405;
const UP = 305;
const FIRST_ANGLE = 174;
const LAST_ANGLE = 6;
const BOARD = { flop: 3, turn: 4, river: 5 };
const CARDS = 5;

export class Poker {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.countdown = null;
  }

  build(table) {
    this.table = table.poker;
    this.countdown?.stop();
    this.root.hidden = this.table === null;
    this.root.replaceChildren();
    this.drawn = "";
    if (this.table !== null) {
      this.picture = svg("svg", { class: "positions", viewBox: "0 0 1000 560", role: "img" }, this.root);
      this.clock = put("div", "poker-clock", this.root);
      this.clockName = put("span", "poker-clock-name", this.clock);
      this.clockTime = put("span", "poker-clock-time", this.clock);
      this.clockTime.setAttribute("role", "timer");
      this.board = put("div", "poker-board", this.root);
      this.board.setAttribute("aria-hidden", "true");
      for (let place = 0; place < CARDS; place += 1) {
        put("span", "board-card", this.board);
      }
      this.facts = put("p", "poker-facts", this.root);
      this.facts.id = "poker-facts";
      this.countdown = new Countdown((seconds) => write(this.clockTime, this.writeTime(seconds)));
    }
  }

  /** @param {import("./main.js").View} view */
  show({ snapshot, seen }) {
    if (this.table === null) {
      return;
    }
    this.#showClock(snapshot, seen);
    this.#showPositions(seen);
    const out = BOARD[seen.street] ?? 0;
    [...this.board.children].forEach((card, place) => mark(card, "data-out", place < out ? "yes" : "no"));
    const [cards, money] = [cardFacts(snapshot.poker, seen), moneyFacts(snapshot.poker, seen)];
    write(this.facts, [...cards, ...money].join(" · "));
    mark(this.facts, "data-change", seen.change);
  }

  #showClock(snapshot, seen) {
    const { time_until: until, step } = snapshot.poker;
    const state = until !== null ? this.#callOf(snapshot) : step !== null ? this.#levelOf(snapshot, seen) : null;
    this.clock.hidden = state === null;
    if (state === null) {
      this.countdown.stop();
      return;
    }
    mark(this.clock, "data-state", state.state);
    write(this.clockName, state.name);
    this.writeTime = state.write;
    this.countdown.set(state.left, state.ticks);
  }

  /** What a called player has. */
  #callOf({ poker, now }) {
    const left = Math.max(0, poker.time_until - now);
    if (poker.time_until === 0) {
      return { state: "up", name: "", left: 0, ticks: false, write: () => say(WORDS.hold.timeUp) };
    }
    const counted = left <= poker.countdown_ms;
    const name = say(counted ? WORDS.hold.count : WORDS.hold.time);
    return { state: counted ? "count" : "call", name, left, ticks: true, write: String };
  }

  #levelOf({ poker, now, powered }, { level }) {
    const isBreak = poker.on_break;
    const each = poker.hand_for_hand && !isBreak;
    const ticks = poker.ticks && powered;
    const stands = !poker.ticks && !each;
    const name = say(each ? WORDS.hold.handForHand : isBreak ? WORDS.hold.break : WORDS.hold.level, { level });
    const left = Math.max(0, poker.left_ms - (poker.ticks ? now - poker.at : 0));
    const shown = stands ? () => say(WORDS.hold.stopped) : minutesOf;
    return { state: stands ? "stopped" : isBreak ? "break" : "level", name, left, ticks, write: shown };
  }

  #showPositions(seen) {
    const { players, dealt, hand, deal } = seen;
    const held = deal > 0 && dealt !== 0;
    const words = [
      hand ? say(WORDS.hold.hand, { hand }) : say(WORDS.hold.noHand),
      say(WORDS.hold.players, { players }), say(WORDS.hold.dealer, { players }),
      say(WORDS.streets[seen.street]),
    ].join(", ");
    mark(this.picture, "aria-label", words);
    const drawn = `${players} ${held} ${seen.deck}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.picture.replaceChildren();
      const step = (FIRST_ANGLE - LAST_ANGLE) / Math.max(1, players - 1);
      for (let place = 1; place <= players; place += 1) {
        const angle = players === 1 ? 90 : FIRST_ANGLE - (place - 1) * step;
        this.#drawPosition(place, angle, held, place === players, seen.deck);
      }
    }
  }

  #drawPosition(number, degrees, held, isButton, back) {
    const angle = (degrees * Math.PI) / 180;
    const x = MIDDLE.x + ACROSS * Math.cos(angle);
    const y = MIDDLE.y - UP * Math.sin(angle);
    const group = svg("g", { class: "position", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, this.picture);
    group.dataset.position = String(number);
    const inwards = 90 - degrees;
    if (held) {
      for (let card = 0; card < this.table.hole; card += 1) {
        const at = (card - (this.table.hole - 1) / 2) * (this.table.hole === 2 ? 17 : 11);
        const turned = `rotate(${inwards}) translate(${at.toFixed(1)} 44)`;
        svg("rect", { class: `hole ${back}`, x: -10, y: -14, width: 20, height: 28, rx: 3, transform: turned }, group);
      }
    }
    svg("circle", { r: 21 }, group);
    svg("text", { y: 7 }, group).textContent = String(number);
    if (isButton) {
      const button = svg("g", { class: "dealer", transform: `rotate(${inwards}) translate(-38 34) rotate(${-inwards})` }, group);
      svg("circle", { r: 13 }, button);
      svg("text", { y: 5 }, button).textContent = "D";
    }
  }
}

function cardFacts(poker, seen) {
  const hand = say(seen.hand ? WORDS.hold.hand : WORDS.hold.noHand, { hand: seen.hand });
  const facts = [hand, say(WORDS.hold.players, { players: seen.players }), say(WORDS.hold.blinds, { blinds: seen.blinds })];
  if (seen.deal > 1) {
    facts.push(say(WORDS.hold.deal, { deal: seen.deal }));
  }
  if (poker.awaited) {
    facts.push(say(WORDS.hold.awaited));
  } else if (seen.street !== "none") {
    const known = seen.stub !== null;
    facts.push(say(WORDS.streets[seen.street]), say(known ? WORDS.hold.stub : WORDS.hold.unknownStub, { stub: seen.stub }));
  }
  if (seen.deck !== "unknown") {
    facts.push(say(WORDS.hold.deck, { deck: say(WORDS.backs[seen.deck]).toLowerCase() }));
  }
  return seen.change === "due" ? [...facts, say(WORDS.hold.change)] : facts;
}

function moneyFacts({ pots }, seen) {
  const amount = (value) => formatCents(value, language());
  const facts = pots.map((pot, place) => say(WORDS.hold.pot, { number: place + 1, amount: amount(pot) }));
  if (seen.rake !== "none") {
    facts.push(say(WORDS.hold.rake, { rake: seen.rake }));
  }
  return cents(seen.taken) ? [...facts, `${say(WORDS.accounts.rake)}: ${amount(cents(seen.taken))} EUR`] : facts;
}

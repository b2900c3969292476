/** The seven seats: slot or sensor, its lamp, and what lies there. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { dragCard } from "./drag.js";
import { button, mark } from "./elements.js";
import { SeatMenu } from "./seat_menu.js";

export const SEATS = [1, 2, 3, 4, 5, 6, 7];
const HANDS = { token: "handToken", card: "handCard", jam: "handJam" };
const FALL_MS = 900;

export class Seats {
  /**
   * @param {{room: HTMLElement, hands: HTMLElement}} places the seats; beside the spare cards, what
   *   is in hand
   * @param {import("./acts.js").Acts} acts
   * @param {import("./main.js").View} view
   */
  constructor({ room, hands }, acts, view) {
    this.root = room;
    this.beside = hands;
    this.acts = acts;
    this.view = view;
    this.hand = "token";
    this.seats = new Map();
    this.before = new Set();
  }

  build(table) {
    this.root.hidden = table.rail === null;
    this.root.replaceChildren();
    this.seats.clear();
    if (table.rail !== null) {
      this.root.dataset.rail = table.rail;
      SEATS.forEach((number) => this.seats.set(number, this.#seat(number)));
      this.#hands(put("div", "hands", this.beside));
      this.menu = new SeatMenu(this.root, this.acts);
    }
  }

  /** @param {import("./main.js").View} view */
  show(view) {
    for (const [number, seat] of this.seats) {
      this.#showSeat(number, seat, view);
    }
    this.before = new Set(view.cabinet.tokens);
  }

  /** Do what is in hand at a seat: put it there, or take it away. */
  touch(number, hand = this.hand, control = null) {
    const { tokens, cards, jams } = this.view.cabinet;
    const things = { token: tokens, card: cards, jam: jams };
    const verbs = { token: ["token", "take"], card: ["cover", "uncover"], jam: ["jam", "unjam"] };
    const there = things[hand].includes(number);
    if (hand === "token" && !there && cards.includes(number)) {
      this.acts.report(say(WORDS.covered, { seat: number }), "bad");
      return;
    }
    this.acts.do(`${verbs[hand][there ? 1 : 0]} ${number}`, control);
  }

  #seat(number) {
    const root = put("div", "seat", this.root);
    root.dataset.seat = String(number);
    const spot = button(root, "spot", "", () => this.touch(number, this.hand, spot));
    spot.id = `seat-${number}`;
    const slot = put("span", "slot", spot);
    put("span", "lamp", slot);
    put("span", "lamp-shape", spot);
    put("span", "chip-token", spot);
    put("span", "falling", spot);
    put("span", "jam-mark", spot);
    put("span", "seat-number", spot, String(number));
    const card = put("span", "card-over", root);
    card.addEventListener("click", () => spot.click());
    dragCard(card, { from: number, acts: this.acts, lies: () => this.view.cabinet.cards.includes(number) });
    const more = button(root, "seat-more", "", () => this.menu.open(number, more, this.view));
    more.textContent = "⋯";
    mark(more, "aria-haspopup", "menu");
    spot.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.menu.open(number, spot, this.view);
    });
    return { root, spot, more };
  }

  #hands(group) {
    group.setAttribute("role", "radiogroup");
    group.dataset.label = "inHand";
    for (const [hand, word] of Object.entries(HANDS)) {
      const label = put("label", `hand hand-${hand}`, group);
      const radio = /** @type {HTMLInputElement} */ (put("input", "", label));
      Object.assign(radio, { type: "radio", name: "hand", value: hand, checked: hand === this.hand });
      radio.addEventListener("change", () => this.#takeInHand(hand));
      put("span", "", label).dataset.word = word;
    }
  }

  #takeInHand(hand) {
    this.hand = hand;
    this.root.dataset.hand = hand;
  }

  #showSeat(number, { root, spot, more }, { seen, cabinet }) {
    const lamp = seen.slots[number] ?? "DARK";
    const has = (list) => list.includes(number);
    mark(root, "data-lamp", lamp);
    root.classList.toggle("with-token", has(cabinet.tokens));
    root.classList.toggle("with-card", has(cabinet.cards));
    root.classList.toggle("with-jam", has(cabinet.jams));
    root.classList.toggle("gate-open", has(cabinet.gates));
    const fell = this.before.has(number) && !has(cabinet.tokens) && seen.phase !== "BETTING";
    if (fell && this.root.dataset.rail !== "sensor" && seen.seats[number]) {
      root.classList.add("falls");
      setTimeout(() => root.classList.remove("falls"), FALL_MS);
    }
    mark(spot, "aria-label", spoken(number, lamp, cabinet));
    mark(more, "aria-label", say(WORDS.seatMenu, { seat: number }));
  }
}

/** The text for a screen reader: the seat's lamp, and what lies there. */
function spoken(number, lamp, { tokens, cards, jams, gates }) {
  const things = [
    [tokens, WORDS.token], [cards, WORDS.changedCard], [jams, WORDS.jammed], [gates, WORDS.gateOpen],
  ];
  const there = things.filter(([seats]) => seats.includes(number)).map(([, word]) => say(word));
  return [say(WORDS.seat, { seat: number }), say(WORDS.lamps[lamp]), ...there].join(", ");
}

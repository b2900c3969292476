/**
 * A guided first round: each step is ticked when the record has it. It can be left at any time, and
 * repeated with a token that sticks.
 */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button, mark } from "./elements.js";

/**
 * The steps by their words; `done`: what the record says then, one of these (`RecordView.did`).
 * `here`: whether it is so already when the guide begins.
 * @typedef {{name: string, done: string[], here?: (view: import("./main.js").View) => boolean}} TourStep
 */

/** @type {TourStep[]} */
const BEGINNING = [
  { name: "open", done: ["GAME_OVER"], here: ({ seen }) => seen.phase === "BETTING" },
  { name: "stake", done: ["token-in"], here: ({ seen, cabinet }) => seen.phase === "BETTING" && cabinet.tokens.length > 0 },
];

/** @type {TourStep[]} */
const ENDING = [
  { name: "next", done: ["GAME_OVER"] },
  { name: "close", done: ["COIN_IN"] },
];

/** @type {TourStep} */
const SHOE = { name: "shoe", done: ["shoe-loaded"], here: ({ seen }) => seen.remaining > 0 };

/** @type {TourStep[]} without tokens */
const BETS = [
  { name: "bets", done: ["GAME_OVER"], here: ({ seen }) => seen.phase === "BETTING" },
  { name: "deal", done: ["COIN_IN"] },
];

/** @type {TourStep[]} */
const HAND = [
  { name: "table", done: ["GAME_OVER"], here: ({ seen }) => seen.phase === "BETTING" },
  { name: "hand", done: ["hand-begun"] },
  { name: "flop", done: ["street-out"] },
];

/** @type {Record<string, TourStep[]>} */
const TOURS = {
  award: [
    ...BEGINNING,
    { name: "collect", done: ["token-accepted"] },
    { name: "choose", done: ["choice"] },
    { name: "turn", done: ["JPL", "JPH"] },
    { name: "award", done: ["award-pending"] },
    { name: "pay", done: ["award-final"] },
    ...ENDING,
  ],
  jam: [
    ...BEGINNING,
    { name: "jam", done: ["token-stuck"] },
    { name: "free", done: ["token-accepted"] },
    ...ENDING,
  ],
  cards: [...BETS, ENDING[0]],
  shoe: [SHOE, ...BETS, ENDING[0]],
  coup: [SHOE, ...BETS, { name: "coup", done: ["coup-ended"] }, ENDING[0]],
  cash: [
    ...HAND,
    { name: "count", done: ["chip-entered"] },
    { name: "rake", done: ["hand-over"] },
    { name: "shut", done: ["COIN_IN"] },
  ],
  tournament: [...HAND, { name: "over", done: ["hand-over"] }, { name: "shut", done: ["COIN_IN"] }],
};

/** @returns {string} the tour that a table begins with */
function firstTour({ rail, poker, shoe }) {
  if (rail !== null) {
    return "award";
  }
  return poker?.form ?? { reading: "coup", counting: "shoe" }[shoe] ?? "cards";
}

/** The rails whose gates can jam. */
const JAMS = ["slot", "cctalk"];

export class FirstRound {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} opener
   * @param {import("./main.js").View} view
   */
  constructor(root, opener, view) {
    this.root = root;
    this.opener = opener;
    this.view = view;
    this.tour = "";
    this.at = 0;
    opener.addEventListener("click", () => (this.tour ? this.#leave() : this.#begin(firstTour(this.table))));
  }

  build(table) {
    this.table = table;
    this.opener.dataset.word = table.poker ? "tour.hand" : "tour.opener";
    this.opener.hidden = false;
    this.tour = "";
    this.write();
  }

  /** @param {import("./main.js").View} view */
  show({ snapshot }) {
    mark(this.opener, "data-first", snapshot.round === 0 && !this.tour ? "yes" : "no");
  }

  /** @param {{did: string[]}[]} records those that are new, oldest first */
  add(records) {
    const before = this.at;
    records.forEach(({ did }) => this.#tick(did));
    if (this.tour && this.at !== before) {
      this.write();
    }
  }

  /** In the language that is chosen now. */
  write() {
    const steps = TOURS[this.tour] ?? [];
    this.root.hidden = !this.tour;
    this.opener.setAttribute("aria-expanded", String(Boolean(this.tour)));
    this.root.replaceChildren();
    if (!this.tour) {
      return;
    }
    put("h2", "", this.root, say(WORDS.tourTitles[this.tour]));
    const list = put("ol", "tour-steps", this.root);
    steps.forEach(({ name }, place) => this.#writeStep(list, name, place));
    if (this.at === steps.length) {
      put("p", "tour-over", this.root, say(WORDS.tourEnds[this.tour === "jam" ? "jam" : "round"])).setAttribute("role", "status");
    }
    const row = put("div", "tour-row", this.root);
    if (this.at === steps.length && this.tour === "award" && JAMS.includes(this.table.rail)) {
      this.#button(row, "again", () => this.#begin("jam"));
    }
    this.#button(row, this.at === steps.length ? "end" : "leave", () => this.#leave());
  }

  #writeStep(list, name, place) {
    const state = place < this.at ? "done" : place === this.at ? "now" : "later";
    const item = put("li", `tour-step ${state}`, list);
    item.dataset.step = name;
    put("span", "tour-mark", item, state === "done" ? "✓" : String(place + 1)).setAttribute("aria-hidden", "true");
    const words = (state === "now" ? WORDS.tourTexts : WORDS.tourNames)[name];
    const text = put("span", "", item, say(words));
    if (state === "now") {
      item.setAttribute("aria-current", "step");
      text.setAttribute("role", "status");
    } else if (state === "done") {
      put("span", "unseen", item, ` ${say(WORDS.tour.done)}`);
    }
  }

  #button(row, name, pressed) {
    const made = button(row, `tour-${name}`, "", pressed);
    made.textContent = say(WORDS.tour[name]);
  }

  #begin(tour) {
    this.tour = tour;
    this.at = 0;
    const steps = TOURS[tour];
    while (this.view.seen !== null && steps[this.at].here?.(this.view)) {
      this.at += 1;
    }
    this.write();
  }

  #leave() {
    this.tour = "";
    this.write();
    this.opener.focus();
  }

  /** One record may have more than one step. */
  #tick(did) {
    const steps = TOURS[this.tour] ?? [];
    while (this.at < steps.length && steps[this.at].done.some((one) => did.includes(one))) {
      this.at += 1;
    }
  }
}

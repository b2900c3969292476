/** Shuffler or mixer: its decks by their backs, the packet at the exit, the green light. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button, keyHint, mark, write } from "./elements.js";

const BACKS = { red: "loadRed", blue: "loadBlue" };

export class Shuffler {
  /**
   * @param {HTMLElement} root
   * @param {import("./acts.js").Acts} acts
   */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
  }

  build(table) {
    this.kind = table.shuffler;
    this.root.hidden = this.kind === null;
    this.root.replaceChildren();
    this.take = null;
    this.green = null;
    if (this.kind !== null) {
      this.#body();
      this.#hands();
    }
  }

  /** @param {import("./main.js").View} view */
  show({ seen, cabinet }) {
    if (this.kind === null) {
      return;
    }
    const decks = cabinet.decks;
    mark(this.root, "data-shuffler", seen.shuffler);
    write(this.state, say(seen.shuffler === "EMPTY" ? WORDS.empty : WORDS.deckStates[seen.shuffler]));
    this.over.hidden = seen.shuffler !== "SHUFFLING";
    this.#showLight(seen);
    deck(this.decks.prepared, decks.prepared, decks.prepared_cards);
    deck(this.decks.behind, decks.behind, decks.behind_cards);
    deck(this.decks.playing, decks.playing, decks.left);
    if (this.take) {
      mark(this.take, "data-waiting", String(Math.min(decks.waiting, 7)));
      mark(this.exit, "data-back", decks.waiting ? decks.playing || decks.prepared : "");
      const waits = decks.waiting ? say(WORDS.waiting, { count: decks.waiting }) : say(WORDS.nothingWaits);
      mark(this.take, "aria-label", `${say(WORDS.take)}, ${waits}`);
    }
  }

  /** A shuffler's says that its deck is out, a deck shuffler's that GREEN would be accepted. */
  #showLight(seen) {
    const lit = this.green ? seen.ready_light : seen.green;
    const word = this.green ? WORDS.readyLight : WORDS.green;
    mark(this.light, "data-green", lit ? "on" : "off");
    mark(this.light, "aria-label", say(lit ? word : WORDS.greenOff));
    if (this.green) {
      mark(this.green, "data-lit", lit ? "yes" : "no");
    }
  }

  #body() {
    const body = put("div", "machine-body", this.root);
    const head = put("div", "machine-head", body);
    this.light = put("span", "green-light", head);
    this.light.setAttribute("role", "img");
    put("b", "", head).dataset.word = "devices.shuffler";
    this.state = put("span", "machine-state", head);
    this.state.id = "shuffler-state";
    this.over = button(head, "machine-over", "passOver", () => this.acts.do("deck ready", this.over));
    this.over.dataset.act = "deck ready";
    const windows = put("div", "deck-windows", body);
    this.decks = {};
    for (const place of ["behind", "prepared", "playing"]) {
      const window = put("span", `deck deck-${place}`, windows);
      put("span", "deck-cards", window);
      put("small", "", window).dataset.word = place;
      this.decks[place] = window;
    }
  }

  #hands() {
    const row = put("div", "machine-hands", this.root);
    for (const [back, label] of Object.entries(BACKS)) {
      const load = button(row, `small load-${back}`, `backs.${back}`, () =>
        this.acts.do(`deck load ${back}`, load));
      load.dataset.label = label;
      load.dataset.act = `deck load ${back}`;
    }
    if (this.kind === "deck") {
      this.green = button(row, "small push-green", "", () => this.acts.do("press GREEN", this.green));
      this.green.textContent = "GREEN";
      this.green.dataset.act = "press GREEN";
      keyHint(this.green, "P");
    }
    if (this.kind === "dealer") {
      this.take = button(row, "small take", "shortTake", () => this.acts.do("packet take", this.take));
      this.take.dataset.act = "packet take";
      this.exit = put("span", "exit", this.take);
      keyHint(this.take, "P");
    }
    const unload = button(row, "small", "shortUnload", () => this.acts.do("deck unload", unload));
    unload.dataset.label = "unload";
    unload.dataset.act = "deck unload";
  }
}

function deck(window, back, cards) {
  mark(window, "data-back", back);
  write(window.firstElementChild, back ? String(cards) : "");
  mark(window, "title", back ? `${say(WORDS.backs[back])}: ${cards}` : "");
}

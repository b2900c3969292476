/** The coup of Punto Banco: PUNTO's and BANCO's cards, points, who draws, how it ended. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { mark, write } from "./elements.js";
import { faceUp, spoken } from "./playing_card.js";

const PLACES = ["PUNTO", "BANCO"];

export class Coup {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.shown = "";
  }

  build(table) {
    this.shown = "";
    this.reads = table.shoe === "reading";
    this.root.hidden = !this.reads;
    this.root.replaceChildren();
    if (this.reads) {
      this.places = new Map(PLACES.map((place) => [place, this.#place(place)]));
      this.result = put("p", "coup-result", this.root);
      this.result.setAttribute("role", "status");
      this.result.id = "coup-result";
    }
  }

  /** @param {import("./main.js").View} view */
  show({ snapshot, seen }) {
    if (!this.reads) {
      return;
    }
    const { next, result, last } = seen;
    const key = JSON.stringify([language(), snapshot.punto, snapshot.banco, next, result, seen.points, last]);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    const points = seen.points.split(" ");
    PLACES.forEach((place, at) => {
      const cards = place === "PUNTO" ? snapshot.punto : snapshot.banco;
      this.#show(this.places.get(place), place, { cards, points: points[at] ?? "", seen });
    });
    write(this.result, [seen.result, seen.last ? say(WORDS.lastCoup) : ""].filter(Boolean).join(" · "));
    mark(this.result, "data-result", seen.result);
  }

  #place(place) {
    const root = put("div", `place place-${place.toLowerCase()}`, this.root);
    const head = put("p", "place-head", root);
    put("b", "", head, place);
    const draws = put("span", "draws", head);
    const points = put("span", "points", head);
    const cards = put("div", "place-cards", root);
    cards.setAttribute("role", "img");
    return { root, points, draws, cards };
  }

  #show({ root, points, draws, cards }, place, now) {
    mark(root, "data-next", now.seen.next === place ? "yes" : "no");
    mark(root, "data-won", now.seen.result === place ? "yes" : "no");
    write(draws, now.seen.next === place ? say(WORDS.next) : "");
    write(points, now.cards.length ? now.points : "");
    cards.replaceChildren();
    now.cards.forEach((name) => faceUp(cards, name));
    const names = now.cards.map((name) => spoken(name)).join(", ");
    mark(cards, "aria-label", `${place}: ${names || say(WORDS.noCard)}`);
  }
}

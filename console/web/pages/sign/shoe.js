/** The shoe of Punto Banco: the coup on the table, and the roads of the coups before. */

import { put } from "../common/frame.js";
import { onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/sign.js";
import { ROWS, beadRoad, bigRoad, derivedRoad } from "./roads.js";

const BEAD_COLUMNS = 10;
const BIG_COLUMNS = 24;
const DERIVED_COLUMNS = 15;
const DERIVED = ["eye", "smallRoad", "cockroach"];
const SUITS = { S: "\u2660", H: "\u2665", D: "\u2666", C: "\u2663" };
/** One letter in a bead of the bead road. */
const BEADS = { PUNTO: "P", BANCO: "B", EGALITE: "E", VOID: "\u2013" };

/** The shoe is drawn again with each message. */
export class Shoe {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.message = null;
    onLanguage(() => this.#write());
  }

  /** @param {any} message a message `road` */
  show(message) {
    this.message = message;
    this.#write();
  }

  #write() {
    if (this.message === null) {
      return;
    }
    this.place.replaceChildren();
    this.#writeCoup(put("div", "coup", this.place));
    this.#writeTally(put("p", "tally", this.place));
    const { road } = this.message;
    const roads = put("div", "roads", this.place);
    drawRoad(roads, "bead", beadRoad(road, BEAD_COLUMNS), BEAD_COLUMNS);
    drawRoad(roads, "big", bigRoad(road, BIG_COLUMNS), BIG_COLUMNS);
    for (const kind of DERIVED) {
      drawRoad(roads, kind, derivedRoad(road, kind, DERIVED_COLUMNS), DERIVED_COLUMNS);
    }
  }

  #writeCoup(coup) {
    const { punto, banco, points, result } = this.message;
    const [ofPunto = "", ofBanco = ""] = points.split(" ");
    writeSide(coup, "PUNTO", punto, ofPunto, result);
    const middle = put("div", "middle", coup);
    put("p", `result ${result.toLowerCase()}`, middle, this.#situation()).setAttribute("role", "status");
    if (this.message.last) {
      put("p", "last-coup", middle, say(WORDS.lastCoup));
    }
    put("p", "remaining", middle, this.#left());
    writeSide(coup, "BANCO", banco, ofBanco, result);
  }

  #situation() {
    const { result, next, punto, banco } = this.message;
    if (result) {
      return say(WORDS.outcomes[result]);
    }
    if (next && punto.length + banco.length > 0) {
      return say(WORDS.coup.next, { side: say(WORDS.sides[next]) });
    }
    return say(WORDS.coup.between);
  }

  #left() {
    const { remaining } = this.message;
    return remaining > 0 ? say(WORDS.shoe.remaining, { cards: remaining }) : say(WORDS.shoe.none);
  }

  #writeTally(line) {
    for (const side of ["BANCO", "PUNTO", "EGALITE"]) {
      const many = this.message.road.filter((result) => result === side).length;
      const coups = this.message.road.filter((result) => result !== "VOID").length;
      const part = put("span", `of ${side.toLowerCase()}`, line);
      put("b", "", part, say(nameOf(side)));
      part.append(` ${many}`);
      put("small", "", part, coups > 0 ? ` ${Math.round((100 * many) / coups)} %` : "");
    }
  }
}

function writeSide(coup, side, cards, points, result) {
  const part = put("div", `side ${side.toLowerCase()}`, coup);
  part.classList.toggle("winner", result === side);
  put("h2", "side-name", part, say(WORDS.sides[side]));
  put("p", "points", part, cards.length > 0 ? points : "\u00a0");
  const row = put("p", "cards", part);
  cards.forEach((card, at) => writeCard(row, card, at));
}

function writeCard(row, card, at) {
  const suit = card.slice(-1);
  const rank = card.slice(0, -1).replace("T", "10");
  const element = put("span", "card", row);
  element.classList.toggle("red", suit === "H" || suit === "D");
  element.classList.toggle("third", at === 2);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", say(WORDS.card, { rank, suit: say(WORDS.suits[suit]) }));
  put("b", "", element, rank);
  put("i", "", element, SUITS[suit] ?? "");
}

function nameOf(result) {
  return WORDS.sides[result] ?? WORDS.outcomes[result];
}

/** A road as one picture; its label lists the coups, newest last. */
function drawRoad(place, kind, beads, columns) {
  const road = put("div", `road ${kind}`, place);
  road.setAttribute("role", "img");
  const coups = beads.map((bead) => say(nameOf(bead.result))).join(", ");
  road.setAttribute("aria-label", DERIVED.includes(kind) ? say(WORDS.roads[kind]) : `${say(WORDS.roads[kind])}: ${coups || "-"}`);
  const cells = new Map(beads.map((bead) => [`${bead.column} ${bead.row}`, bead]));
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      drawBead(put("span", "cell", road), kind, cells.get(`${column} ${row}`));
    }
  }
}

function drawBead(cell, kind, bead) {
  if (bead === undefined) {
    return;
  }
  const mark = put("i", bead.result.toLowerCase(), cell, kind === "bead" ? BEADS[bead.result] : "");
  if (bead.ties > 0) {
    mark.classList.add("tied");
  }
}

/** A playing card as it lies on the felt. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/common.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export const RANKS = [..."A23456789TJQK"];
export const SUIT_LETTERS = Object.keys(SUITS);

/**
 * Draw a card face up.
 * @param {Element} where
 * @param {string} name as in TD
 */
export function faceUp(where, name) {
  const face = put("span", "face", where);
  face.dataset.card = name;
  face.classList.toggle("red-suit", "HD".includes(name[1]));
  put("b", "", face, rank(name));
  put("i", "", face, SUITS[name[1]]);
  return face;
}

/**
 * A card's name for people: `10 di quadri`, `10 of diamonds`.
 * @param {string} name
 */
export function spoken(name) {
  return say(WORDS.card, { rank: rank(name), suit: say(WORDS.suits[name[1]]) });
}

function rank(name) {
  return name[0] === "T" ? "10" : name[0];
}

/** A playing card as it lies on the felt. */

import { put } from "../common/frame.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const NAMES = {
  it: { S: "picche", H: "cuori", D: "quadri", C: "fiori" },
  en: { S: "spades", H: "hearts", D: "diamonds", C: "clubs" },
};

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
 * @param {"it"|"en"} language
 */
export function spoken(name, language) {
  const of = language === "it" ? "di" : "of";
  return `${rank(name)} ${of} ${NAMES[language][name[1]]}`;
}

function rank(name) {
  return name[0] === "T" ? "10" : name[0];
}

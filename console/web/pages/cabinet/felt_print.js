/** What is printed on the felt of a table without coin rail: the players' places. */

import { svg } from "./elements.js";

/** How many places, how large, and how far out: the half axes of the ellipse they stand on. */
const PRINTS = {
  "ultimate-texas-holdem": { places: 6, radius: 27, cards: true, across: 402, up: 300 },
  "black-jack": { places: 7, radius: 27, cards: true, across: 402, up: 300 },
  "mini-punto-banco": { places: 7, radius: 17, cards: false, across: 426, up: 326 },
};
const MIDDLE = { x: 500, y: 400 };
const FIRST_ANGLE = 172;
const LAST_ANGLE = 8;

/**
 * @param {SVGElement} where
 * @param {string} game
 */
export function printFelt(where, game) {
  where.replaceChildren();
  const print = PRINTS[game];
  if (print) {
    const step = (FIRST_ANGLE - LAST_ANGLE) / (print.places - 1);
    for (let at = 0; at < print.places; at += 1) {
      place(where, print, at + 1, FIRST_ANGLE - at * step);
    }
  }
}

function place(where, { radius, cards, across, up }, number, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const x = MIDDLE.x + across * Math.cos(angle);
  const y = MIDDLE.y - up * Math.sin(angle);
  const group = svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, where);
  svg("circle", { r: radius }, group);
  svg("text", { y: radius / 3 }, group).textContent = String(number);
  if (cards) {
    const towards = 90 - degrees;
    const turned = `rotate(${towards}) translate(0 ${radius + 24})`;
    svg("rect", { x: -25, y: -16, width: 23, height: 32, rx: 4, transform: turned }, group);
    svg("rect", { x: 2, y: -16, width: 23, height: 32, rx: 4, transform: turned }, group);
  }
}

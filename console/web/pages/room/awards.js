/** Awards: those that are pending, with the tables in them and those that may still join; the last. */

import { put } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/room.js";
import { writeAge } from "./age.js";

/**
 * @param {HTMLElement} place
 * @param {any[]} awards
 */
export function writeAwards(place, awards) {
  place.replaceChildren();
  if (awards.length === 0) {
    return;
  }
  put("h3", "", place, say(WORDS.awardsTitle));
  for (const award of awards) {
    const box = put("div", "award", place);
    box.dataset.number = String(award.number);
    put("p", "award-what", box, nameAward(award));
    const list = put("ul", "parts", box);
    for (const part of award.parts) {
      put("li", "", list, say(WORDS.part, { table: part.table, state: say(WORDS.parts[part.state]) }));
    }
    if (award.holds.length > 0) {
      put("p", "", box, `${say(WORDS.holdTitle)}:`);
      writeHolds(put("ul", "holds", box), award.holds);
    }
  }
}

/**
 * @param {HTMLElement} place
 * @param {any[]} finals
 */
export function writeFinals(place, finals) {
  place.replaceChildren();
  if (finals.length === 0) {
    put("p", "none", place, say(WORDS.noFinal));
    return;
  }
  const list = put("ol", "by-time", place);
  for (const award of finals) {
    const item = put("li", "", list);
    put("time", "", item, clockOf(award.at));
    put("b", "", item, award.parts.map((part) => part.table).join(", "));
    put("span", "", item, nameAward(award));
  }
}

function writeHolds(list, holds) {
  for (const { table, round, age_s: age, late } of holds) {
    put("li", late ? "late" : "", list, say(WORDS.hold, { table, round, age: writeAge(age) }));
  }
}

function nameAward({ number, combination, winners, each }) {
  const values = { number, winners, each: formatCents(cents(each), language()) };
  return say(WORDS.awardLine, { ...values, combination: nameOf(combination) });
}

/** A house's own combination has no words here. */
function nameOf(combination) {
  const word = WORDS.combinations[combination];
  return word === undefined ? combination.replaceAll("_", " ") : say(word);
}

function clockOf(wall) {
  return wall === null ? "" : wall.replace("T", " ").slice(0, 16);
}

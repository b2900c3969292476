/** Awards: those that are pending, with the tables in them and those that may still join; the last. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { moneyIn } from "../common/money.js";
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

/** In the words and the currency of its own time. */
function nameAward({ number, name, currency, winners, each, envy, envy_seats: seats }) {
  const write = (text) => moneyIn(text, currency, language());
  const line = say(WORDS.awardLine, { number, winners, each: write(each), combination: say(name) });
  return envy === null ? line : `${line}; ${say(WORDS.envy, { seats, each: write(envy) })}`;
}

function clockOf(wall) {
  return wall === null ? "" : wall.replace("T", " ").slice(0, 16);
}

/** Tokens by seat and hour, the more the darker. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { clockOf } from "./moments.js";
import { cardOf } from "./rows.js";

const SEATS = [1, 2, 3, 4, 5, 6, 7];

/** The newest hours that have room. */
const HOURS = 5;

/** @param {any} course the answer to /supervisor/course, null before it has come */
export function seatsCard(course) {
  const title = say(WORDS.heat.title);
  const hours = (course?.seats ?? []).slice(-HOURS);
  if (!hours.length) {
    const text = course === null ? WORDS.reading : WORDS.heat.later;
    return cardOf("heat", title, [put("p", "later", null, say(text))]);
  }
  const table = put("table", "heat-map");
  put("caption", "unseen", table, title);
  const head = put("tr", "", put("thead", "", table));
  put("th", "", head, say(WORDS.heat.hour)).scope = "col";
  SEATS.forEach((seat) => { put("th", "", head, String(seat)).scope = "col"; });
  const body = put("tbody", "", table);
  const most = Math.max(...hours.flatMap((one) => one.tokens));
  hours.forEach((one) => writeHour(put("tr", "", body), one, most));
  return cardOf("heat", title, [table]);
}

function writeHour(row, { hour, tokens }, most) {
  put("th", "", row, clockOf(hour)).scope = "row";
  for (const count of tokens) {
    const cell = put("td", "", row, count ? String(count) : "-");
    cell.style.setProperty("--heat", `${Math.round((40 * count) / most)}%`);
  }
}

/** What went wrong tonight, and when: faults and refusals, the newest first. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { clockOf, durationOf } from "./moments.js";
import { cardOf } from "./rows.js";

const MOST = 40;
const SERVICE = "SERVICE";

/**
 * @param {any} course the answer to /supervisor/course, null before it has come
 * @param {any} table
 */
export function troubleCard(course, table) {
  const title = say(WORDS.trouble.title);
  if (!course?.night) {
    return cardOf("trouble", title, [put("p", "later", null, say(laterOf(course)))]);
  }
  const rows = [...course.faults.map((one) => ({ ...one, fault: true })), ...course.refusals]
    .sort((one, two) => (two.at ?? 0) - (one.at ?? 0));
  if (!rows.length) {
    return cardOf("trouble", title, [put("p", "later no-fault", null, say(WORDS.trouble.none))]);
  }
  const list = put("ol", "rows-of-night");
  list.tabIndex = 0;
  list.setAttribute("aria-label", title);
  rows.slice(0, MOST).forEach((one) => list.append(lineOf(one, table)));
  return cardOf("trouble", title, [list]);
}

function laterOf(course) {
  return course === null ? WORDS.reading : WORDS.trouble.later;
}

function lineOf(one, table) {
  const item = put("li", one.fault ? "was-fault" : "was-refused");
  put("time", "", item, one.at === null ? say(WORDS.trouble.before) : clockOf(one.at));
  const { faults, refusals } = table.texts[language()];
  const means = one.fault ? faults[one.code] : refusals[one.code];
  const code = one.fault ? one.code : `${say(WORDS.refused)} ${one.code}`;
  put("b", "", item, one.code === SERVICE ? say(WORDS.phases.SERVICE) : code);
  if (one.fault) {
    put("i", "", item, lastedOf(one));
  }
  put("span", "", item, means ?? "");
  return item;
}

function lastedOf({ at, until }) {
  if (until === null) {
    return say(WORDS.trouble.present);
  }
  return at === null ? "" : durationOf(Math.max(0, Math.round(until - at)));
}

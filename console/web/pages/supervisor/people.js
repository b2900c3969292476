/** Who did what by name, the newest first. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { clock } from "./moments.js";
import { cardOf } from "./rows.js";

/** @param {any} course the answer to /supervisor/course, null before it has come */
export function peopleCard(course) {
  const title = say(WORDS.people.title);
  const acts = course?.people ?? [];
  if (!acts.length) {
    const text = course === null ? WORDS.reading : WORDS.people.later;
    return cardOf("people", title, [put("p", "later", null, say(text))]);
  }
  const list = put("ol", "rows-of-night");
  list.tabIndex = 0;
  list.setAttribute("aria-label", title);
  acts.forEach((one) => list.append(lineOf(one)));
  return cardOf("people", title, [list]);
}

function lineOf({ at, who, text, refusal }) {
  const item = put("li", refusal ? "was-refused" : "");
  put("time", "", item, clock(at));
  put("b", "", item, who);
  put("span", "", item, text[language()]);
  if (refusal) {
    put("i", "", item, `${say(WORDS.refused)} ${refusal}`);
  }
  return item;
}

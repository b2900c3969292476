/** The faults that are present: what each means, and what to do about it. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { cardOf, factsOf } from "./rows.js";

/**
 * @param {string[]} present codes
 * @param {Record<string, any>|null} catalogue their texts, once they have come
 */
export function faultsCard(present, catalogue) {
  const content = present.length
    ? present.map((code) => faultOf(code, catalogue?.[code]?.[language()]))
    : [put("p", "no-fault", null, say(WORDS.noFault))];
  const card = cardOf(present.length ? "faults some" : "faults", say(WORDS.faults.title), content);
  card.setAttribute("aria-live", "polite");
  return card;
}

function faultOf(code, text) {
  const box = put("article", "fault");
  const line = put("p", "", box);
  put("b", "", line, code);
  if (!text) {
    return box;
  }
  line.append(` ${text.means}`);
  const more = put("details", "", box);
  more.dataset.code = code;
  put("summary", "", more, say(WORDS.faults.whatToDo));
  put("h3", "", more, say(WORDS.faults.check));
  const steps = put("ol", "", more);
  text.check.forEach((step) => { put("li", "", steps).append(...quoted(step)); });
  const parts = ["meanwhile", "do", "clears"].filter((part) => text[part]);
  more.append(factsOf(parts.map((part) => [say(WORDS.faults[part]), fragment(text[part])])));
  return box;
}

function fragment(text) {
  const whole = document.createDocumentFragment();
  whole.append(...quoted(text));
  return whole;
}

/** Text between backquotes is a command, a code or a file. */
function quoted(text) {
  return text.split("`").map((part, at) => (at % 2 ? put("code", "", null, part) : part));
}

/** What the page's parts show, and what it cannot do. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";

const SECTIONS = [
  [WORDS.now, WORDS.help.now],
  [WORDS.rounds, WORDS.help.rounds],
  [WORDS.nights, WORDS.help.nights],
  [WORDS.plots, WORDS.help.plots],
  [WORDS.compare.link, WORDS.help.compare],
  [WORDS.rake.title, WORDS.help.rake],
  ...["readOnly", "session", "lost", "times"].map((name) => [WORDS.helpTitles[name], WORDS.help[name]]),
];

/** @param {HTMLElement} root */
export function writeHelp(root) {
  root.replaceChildren();
  for (const [title, text] of SECTIONS) {
    put("h3", "", root, say(title));
    put("p", "", root, say(text));
  }
}

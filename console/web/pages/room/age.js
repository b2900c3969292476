/** Ages in words: seconds up to two minutes, then what is large enough. */

import { say } from "../common/language.js";
import { WORDS } from "../words/room.js";

const UNITS = [
  [2 * 86_400, 86_400, WORDS.days],
  [2 * 3600, 3600, WORDS.hours],
  [120, 60, WORDS.minutes],
  [0, 1, WORDS.seconds],
];

/** @param {number} seconds whole ones */
export function writeAge(seconds) {
  const [, unit, word] = UNITS.find(([from]) => seconds >= from);
  return say(word, { n: Math.floor(seconds / unit) });
}

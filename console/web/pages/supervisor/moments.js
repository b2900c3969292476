/** Labels of the clock, as people read them: in this browser's time zone, in the page's language. */

import { language } from "../common/language.js";

const LOCALE = { it: "it-IT", en: "en-GB" };

/**
 * `21:30:05`; a label that is no time stays as it is.
 * @param {string} wall
 */
export function clock(wall) {
  return shown(wall, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/**
 * `20/11/2026, 21:30`
 * @param {string} wall
 */
export function moment(wall) {
  const parts = { day: "2-digit", month: "2-digit", year: "numeric" };
  return shown(wall, { ...parts, hour: "2-digit", minute: "2-digit" });
}

/**
 * The same of seconds since 1970.
 * @param {number|null} seconds
 */
export function momentOf(seconds) {
  return seconds === null ? "" : moment(new Date(seconds * 1000).toISOString());
}

/**
 * A number as the language writes it, with at most so many decimals, and at least so many.
 * @param {number} value
 * @param {number} [most]
 * @param {number} [least]
 */
export function number(value, most = 0, least = 0) {
  const decimals = { maximumFractionDigits: most, minimumFractionDigits: least };
  return value.toLocaleString(LOCALE[language()], decimals);
}

/**
 * A time that passes: `0:42`, `1:03:20`.
 * @param {number} seconds whole ones
 */
export function durationOf(seconds) {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const two = (value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * The time of day of seconds since 1970, without the seconds.
 * @param {number|null} seconds
 */
export function clockOf(seconds) {
  const parts = { hour: "2-digit", minute: "2-digit" };
  return seconds === null ? "" : shown(new Date(seconds * 1000).toISOString(), parts);
}

function shown(wall, parts) {
  const time = new Date(wall);
  return Number.isNaN(time.getTime()) ? wall : time.toLocaleString(LOCALE[language()], parts);
}

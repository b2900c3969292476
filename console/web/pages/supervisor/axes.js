/** How uPlot's axes look and are labelled; its own labels are English. */

import { language } from "../common/language.js";
import { number } from "./moments.js";

const LOCALE = { it: "it-IT", en: "en-GB" };
const DAY_S = 86_400;

/** The steps between times on the axis; no smaller than the labels can show. */
const STEPS_S = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 21_600, 43_200]
  .concat([1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY_S));

export const TIME_AXIS = { values: times, incrs: STEPS_S };
export const ROUND_AXIS = { values: (_, at) => at.map(wholeOnly) };

/**
 * A colour of the page, as a canvas needs it.
 * @param {Element} element
 * @param {string} name such as `--faint`
 */
export function colourOf(element, name) {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

/** What every axis has in these colours. @param {Element} element */
export function plainAxis(element) {
  const grid = { stroke: colourOf(element, "--line"), width: 1 };
  return { stroke: colourOf(element, "--faint"), grid, ticks: grid };
}

/**
 * Bands over a plot where something was wrong, at least two pixels wide.
 * @param {[number, number][]} spans from, to, as the x axis counts
 * @param {string} colour
 */
export function bandsOver(spans, colour) {
  return (plot) => {
    const { ctx, bbox: { left, top, width, height } } = plot;
    ctx.save();
    ctx.fillStyle = colour;
    for (const [from, to] of spans) {
      const begin = Math.max(left, plot.valToPos(from, "x", true));
      const end = Math.min(left + width, Math.max(begin + 2, plot.valToPos(to, "x", true)));
      if (end > begin) {
        ctx.fillRect(begin, top, end - begin, height);
      }
    }
    ctx.restore();
  };
}

function wholeOnly(value) {
  return Number.isInteger(value) ? number(value) : "";
}

/** The time of day, and the day where a new one begins. */
function times(_plot, splits, _axis, _space, step) {
  const locale = LOCALE[language()];
  const day = (date) => date.toLocaleDateString(locale, { day: "numeric", month: "short" });
  const clock = { hour: "2-digit", minute: "2-digit" };
  const precise = step < 60 ? { ...clock, second: "2-digit" } : clock;
  let before = "";
  return splits.map((seconds) => {
    const date = new Date(seconds * 1000);
    const today = day(date);
    const under = today === before ? "" : `\n${today}`;
    before = today;
    return step < DAY_S ? date.toLocaleTimeString(locale, precise) + under : today;
  });
}

/** What the table's prizes will cost: three lines of `banco forecast`, and its plot. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { cardOf } from "./rows.js";

/** @typedef {{lines: string[], plot: string, more: boolean}} Forecast */

/** @param {Forecast|null} forecast null before it has come */
export function forecastCard(forecast) {
  const lines = forecast === null ? [say(WORDS.forecast.reading)] : forecast.lines;
  return cardOf("forecast", say(WORDS.forecast.title), lines.map((line) => put("p", "", null, line)));
}

/**
 * The plot, drawn by the server; its colours are the page's.
 * @param {HTMLElement} root
 * @param {Forecast} forecast
 */
export function showForecastPlot(root, forecast) {
  root.hidden = forecast.plot === "";
  if (root.hidden) {
    return;
  }
  const { documentElement: drawn } = new DOMParser().parseFromString(forecast.plot, "image/svg+xml");
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  root.replaceChildren(put("h3", "", null, say(WORDS.forecast.beside)), document.adoptNode(drawn));
}

/** One plot: drawn by uPlot, with values under the pointer, and the same data as a table. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { bandsOver, colourOf, plainAxis, ROUND_AXIS, TIME_AXIS } from "./axes.js";
import { fill, tableOf } from "./rows.js";

const HEIGHT = 220;

/**
 * The data of a plot. `xs` may be seconds since 1970 (`time`) or numbers of rounds.
 * @typedef {object} Curve
 * @property {{it: string, en: string}} word
 * @property {string} kind its class
 * @property {boolean} time
 * @property {boolean} bars
 * @property {number[]} xs
 * @property {number[]} ys
 * @property {(value: number) => string} format a value as it is read
 * @property {(place: number) => string} where an x as it is read
 * @property {string} whereHead
 * @property {[number, number][]} [marks] where faults were, as the xs count
 */

/** A figure that is drawn again when its data, its width or the colours change. */
export class Plot {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.figure = put("figure", "plot", root);
    this.head = put("h3", "", this.figure);
    this.canvas = put("div", "canvas", this.figure);
    this.canvas.setAttribute("role", "img");
    this.readout = put("p", "readout", this.figure);
    this.readout.setAttribute("aria-hidden", "true");
    this.details = put("details", "", this.figure);
    this.summary = put("summary", "", this.details);
    this.table = put("div", "wide", this.details);
    this.details.addEventListener("toggle", () => this.#writeTable());
    this.plot = null;
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
  }

  /**
   * @param {any} uPlot the library
   * @param {Curve} curve
   */
  show(uPlot, curve) {
    this.curve = curve;
    this.figure.className = `plot ${curve.kind}`;
    this.head.textContent = nameOf(curve);
    this.summary.textContent = say(WORDS.asTable);
    this.canvas.setAttribute("aria-label", describe(curve));
    this.details.hidden = !curve.xs.length;
    this.readout.textContent = "";
    this.plot?.destroy();
    this.plot = null;
    this.canvas.replaceChildren();
    if (curve.xs.length) {
      this.plot = new uPlot(this.#options(uPlot), [curve.xs, curve.ys], this.canvas);
    } else {
      put("p", "no-points", this.canvas, say(WORDS.noPoints));
    }
    this.#writeTable();
  }

  #options(uPlot) {
    const axis = plainAxis(this.figure);
    const { curve } = this;
    const marked = bandsOver(curve.marks ?? [], colourOf(this.figure, "--mark"));
    return {
      width: Math.max(200, this.canvas.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      scales: { x: { time: curve.time, range: curve.time ? undefined : widened }, y: { range: rangeOf(curve) } },
      axes: [
        { ...axis, space: 70, ...(curve.time ? TIME_AXIS : ROUND_AXIS) },
        { ...axis, size: 84, values: (_, at) => at.map((one) => curve.format(one)) },
      ],
      series: [{}, this.#series(uPlot, colourOf(this.figure, "--series"))],
      cursor: { y: false, drag: { setScale: false } },
      hooks: { drawClear: [marked], setCursor: [(plot) => this.#read(plot.cursor.idx)] },
    };
  }

  #series(uPlot, colour) {
    const { curve } = this;
    const few = curve.xs.length < 80;
    const series = { stroke: colour, width: 1.5, points: { show: few, size: 5, fill: colour } };
    if (curve.bars) {
      const paths = uPlot.paths.bars({ size: [0.7, 40] });
      return { ...series, fill: `${colour}99`, width: 0, paths, points: { show: false } };
    }
    return curve.time ? { ...series, paths: uPlot.paths.stepped({ align: 1 }) } : series;
  }

  #read(place) {
    const { curve } = this;
    const known = place !== null && place !== undefined && place < curve.xs.length;
    this.readout.textContent = known
      ? `${curve.where(place)}: ${curve.format(curve.ys[place])}`
      : "";
  }

  #resize() {
    const width = this.canvas.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) {
      this.plot.setSize({ width, height: HEIGHT });
    }
  }

  /** The table may be long, so it is built only when somebody opens it. */
  #writeTable() {
    const { curve } = this;
    if (!this.details.open || !curve.xs.length) {
      this.table.replaceChildren();
      return;
    }
    const columns = [{ head: curve.whereHead }, { head: say(WORDS.value), right: true }];
    const rows = curve.xs.map((_, place) => [curve.where(place), curve.format(curve.ys[place])]);
    fill(this.table, [tableOf(columns, rows, nameOf(curve))], nameOf(curve));
  }
}

function describe(curve) {
  if (!curve.ys.length) {
    return `${nameOf(curve)}: ${say(WORDS.noPoints)}`;
  }
  const low = curve.ys.reduce((one, two) => Math.min(one, two));
  const high = curve.ys.reduce((one, two) => Math.max(one, two));
  const [shown, highest, last] = [low, high, curve.ys.at(-1)].map((one) => curve.format(one));
  return say(WORDS.range, { name: nameOf(curve), low: shown, high: highest, last });
}

/** Counts begin at 0; the jackpot has a range around its values. */
function rangeOf(curve) {
  return (_, low, high) => {
    if (!curve.time) {
      return [0, Math.max(1, high * 1.1)];
    }
    const room = Math.max((high - low) * 0.08, 100);
    return [Math.max(0, low - room), high + room];
  };
}

/** Room for the whole bar at each edge. */
function widened(_, low, high) {
  return [low - 0.6, high + 0.6];
}

function nameOf(curve) {
  return say(curve.word, { currency: curve.currency });
}

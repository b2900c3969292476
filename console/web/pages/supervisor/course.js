/** The night over time: the jackpot's curve, and under it a strip of what happened. */

import { put } from "../common/frame.js";
import { formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { bandsOver, colourOf, plainAxis, TIME_AXIS } from "./axes.js";
import { clockOf } from "./moments.js";
import { cardOf } from "./rows.js";

const LIBRARY = "/pages/vendor/uplot/uPlot.esm.js";
const HEIGHT = 150;

/** A night that has just begun is drawn this long. */
const LEAST_S = 900;

const LANES = ["faults", "refusals", "awards", "starts"];

/** @typedef {{from: number, to: number}} Span */

export class Course {
  constructor() {
    this.card = cardOf("course", say(WORDS.course.title), []);
    this.head = this.card.querySelector("h2");
    this.empty = put("p", "course-empty", this.card);
    this.canvas = put("div", "course-plot", this.card);
    this.canvas.setAttribute("role", "img");
    this.strip = put("div", "strip", this.card);
    this.strip.setAttribute("role", "img");
    this.course = null;
    this.money = true;
    this.now = null;
    this.plot = null;
    new ResizeObserver(() => this.#place()).observe(this.canvas);
  }

  /**
   * @param {any} course the answer to /supervisor/course, null before it has come
   * @param {any} table
   * @param {number} now seconds since 1970, by the table
   */
  show(course, table, now) {
    this.course = course;
    this.table = table;
    this.money = table.combinations.length > 0;
    this.now = now;
    this.write();
  }

  /** In the language, and in the colours, that are chosen now. */
  write() {
    const { course } = this;
    this.head.textContent = say(course?.night?.closed ? WORDS.course.titleLast : WORDS.course.title);
    const known = Boolean(course?.night);
    this.empty.textContent = known ? "" : say(course === null ? WORDS.reading : WORDS.course.later);
    this.empty.hidden = known;
    this.canvas.hidden = !known || !this.money;
    this.strip.hidden = !known;
    if (known) {
      this.span = spanOf(course, this.now);
      this.#draw();
      this.#place();
    }
  }

  async #draw() {
    this.uPlot ??= (await import(LIBRARY)).default;
    this.plot?.destroy();
    this.plot = null;
    this.canvas.replaceChildren();
    const { at: xs, cents: ys } = this.course.jackpot;
    if (!this.money || this.canvas.clientWidth === 0) {
      return;
    }
    const last = ys.at(-1);
    const both = last === undefined ? [[], []] : [[...xs, this.span.to], [...ys, last]];
    this.canvas.setAttribute("aria-label", describeJackpot(ys));
    this.plot = new this.uPlot(this.#options(), both, this.canvas);
    this.#writeStrip();
  }

  #options() {
    const axis = plainAxis(this.card);
    const { from, to } = this.span;
    const spans = this.course.faults.map((one) => [one.at ?? from, one.until ?? to]);
    const stroke = colourOf(this.card, "--gold");
    const paths = this.uPlot.paths.stepped({ align: 1 });
    return {
      width: this.canvas.clientWidth,
      height: HEIGHT,
      padding: [8, 0, 0, 0],
      legend: { show: false },
      scales: { x: { range: [from, to] }, y: { range: roomy } },
      axes: [
        { ...axis, ...TIME_AXIS, space: 80 },
        { ...axis, size: 96, values: (_, at) => at.map((one) => formatCents(Math.round(one), language())) },
      ],
      series: [{}, { stroke, width: 2, paths, points: { show: false } }],
      cursor: { show: false },
      hooks: { drawClear: [bandsOver(spans, colourOf(this.card, "--mark"))] },
    };
  }

  #place() {
    if (this.plot && this.canvas.clientWidth > 0 && this.canvas.clientWidth !== this.plot.width) {
      this.plot.setSize({ width: this.canvas.clientWidth, height: HEIGHT });
    }
    this.#writeStrip();
  }

  #writeStrip() {
    if (!this.span) {
      return;
    }
    const { course, span } = this;
    const inSpan = (marks) => marks.filter((one) => one.at >= span.from);
    const lanes = {
      faults: course.faults.map((one) => mark(one.at, one.until ?? span.to, one.code)),
      refusals: inSpan(course.refusals).map((one) => mark(one.at, one.at, one.code)),
      awards: inSpan(course.awards).filter((one) => one.state === "paid")
        .map((one) => mark(one.at, one.at, this.#nameOf(one.code))),
      starts: inSpan(course.starts.map((at) => mark(at, at, ""))),
    };
    this.strip.replaceChildren();
    const shown = LANES.filter((name) => name !== "awards" || this.money);
    for (const name of shown) {
      this.#writeLane(name, lanes[name]);
    }
    const counts = shown.map((name) => `${say(WORDS.course[name])} ${lanes[name].length}`);
    this.strip.setAttribute("aria-label", counts.join(", "));
  }

  #writeLane(name, marks) {
    const lane = put("div", `lane ${name}`, this.strip);
    put("span", "lane-name", lane, `${say(WORDS.course[name])} ${marks.length || "-"}`);
    const line = put("span", "lane-line", lane);
    const { from, to } = this.span;
    for (const { at, until, code } of marks) {
      const begin = Math.max(0, ((at ?? from) - from) / (to - from));
      const end = Math.min(1, ((until ?? to) - from) / (to - from));
      const shape = put("span", "mark", line);
      shape.style.left = `${begin * 100}%`;
      shape.style.width = `${Math.max(0, end - begin) * 100}%`;
      shape.title = `${clockOf(at)} ${code}`.trim();
    }
  }

  #nameOf(combination) {
    return this.table.texts[language()].combinations[combination] ?? combination;
  }
}

function mark(at, until, code) {
  return { at, until, code };
}

/** From the night's opening, or the start before it, until now or until it was closed. */
function spanOf(course, now) {
  const { jackpot, faults, refusals, starts, night } = course;
  const from = Date.parse(night.opened) / 1000;
  const last = [...jackpot.at, ...refusals.map((one) => one.at), ...starts,
    ...faults.map((one) => one.until ?? one.at ?? 0)].reduce((one, two) => Math.max(one, two), from);
  return { from, to: Math.max(night.closed ? last : Math.max(now, last), from + LEAST_S) };
}

function describeJackpot(ys) {
  if (!ys.length) {
    return say(WORDS.noPoints);
  }
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const [shown, highest, last] = [low, high, ys.at(-1)].map((one) => formatCents(one, language()));
  return say(WORDS.range, { name: say(WORDS.figures.jackpot), low: shown, high: highest, last });
}

function roomy(_, low, high) {
  const room = Math.max((high - low) * 0.1, 100);
  return [Math.max(0, low - room), high + room];
}

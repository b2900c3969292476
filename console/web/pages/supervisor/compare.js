/** Two nights beside each other: their figures, and what came in since each was opened. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { ask, askOn } from "../common/ask.js";
import { colourOf, plainAxis } from "./axes.js";
import { durationOf, moment, number } from "./moments.js";
import { NightChoice } from "./nights.js";
import { fill, tableOf } from "./rows.js";
import { StatusLine } from "./status_line.js";

const LIBRARY = "/pages/vendor/uplot/uPlot.esm.js";
const HEIGHT = 240;

const at = (id) => document.getElementById(id);

const count = (name) => [WORDS.meters[name] ?? WORDS.compare[name], (night) => number(night[name])];
const amount = (word, name) => [word, (night) => amountOf(night[name])];
const share = (word, name) => [word, (night) => (night[name] === null ? "-" : `${number(night[name], 1, 1)} %`)];

/** The rows: a word, and the value of a night's figures; the second list is of tables with a jackpot. */
const ALWAYS = [
  count("rounds"),
  [WORDS.compare.play, (night) => durationOf(night.play_s)],
  [WORDS.compare.hands, (night) => (night.hands_an_hour === null ? "-" : number(night.hands_an_hour, 1))],
];
const OF_MONEY = [
  count("taken"),
  amount(WORDS.compare.drop, "drop"),
  amount(WORDS.meters.paid, "paid"),
  share(WORDS.compare.share, "paid_share"),
  amount(WORDS.compare.hold, "hold"),
  [WORDS.compare.growth, (night) => (night.growth_an_hour === null ? "-" : amountOf(night.growth_an_hour))],
  count("awards"),
];
const TROUBLE = [count("faults"), count("refusals")];

export class Compare {
  /** @param {() => void} ended the session is over */
  constructor(ended) {
    this.status = new StatusLine(at("compare-status"), ended);
    this.choices = ["compare-night", "compare-other"].map((id) => new NightChoice(at(id), () => this.show({})));
    this.answer = null;
    this.money = true;
    this.plot = null;
    new ResizeObserver(() => this.#resize()).observe(at("compare-plot"));
  }

  /** @param {{byItself?: boolean}} how */
  async show(how) {
    this.uPlot ??= (await import(LIBRARY)).default;
    await this.status.during(async () => {
      const { nights } = await ask("nights", {}, how);
      this.choices.forEach((choice, place) => choice.set(nights, place));
      const [night, other] = this.choices.map((choice) => choice.first);
      await askOn("compare", { night, other }, how, (answer) => {
        this.answer = answer;
        this.#draw();
        return true;
      });
    });
  }

  /** Remove everything that the last person has seen. */
  forget() {
    this.answer = null;
    at("compare-figures").replaceChildren();
    at("compare-plot").replaceChildren();
  }

  /** In the language that is chosen now. @param {any} [table] */
  write(table) {
    this.money = table ? table.combinations.length > 0 : this.money;
    this.choices.forEach((choice) => choice.write());
    this.status.write();
    this.#draw();
  }

  #draw() {
    if (this.answer === null) {
      return;
    }
    const { nights } = this.answer;
    this.status.show(() => say(nights.length < 2 ? WORDS.compare.later : this.answer.more ? WORDS.reading
      : WORDS.compare.since));
    at("compare-figures").replaceChildren();
    this.plot?.destroy();
    this.plot = null;
    at("compare-plot").replaceChildren();
    if (nights.length === 2) {
      this.#writeFigures(nights);
      this.#drawPlot(nights);
    }
  }

  #writeFigures(nights) {
    const rows = [...ALWAYS, ...(this.money ? OF_MONEY : []), ...TROUBLE].map(([word, value]) => [
      say(word, { currency: currency() }), ...nights.map(({ figures }) => value(figures))]);
    const heads = nights.map(({ night }) => ({ head: moment(night.opened), right: true }));
    const title = say(WORDS.compare.title);
    fill(at("compare-figures"), [tableOf([{ head: "" }, ...heads], rows, title)], title);
  }

  #drawPlot(nights) {
    const place = at("compare-plot");
    place.closest("figure").hidden = !this.money;
    if (!this.money || !this.uPlot || place.clientWidth === 0) {
      return;
    }
    const axis = plainAxis(place);
    const colours = ["--series", "--gold"].map((name) => colourOf(place, name));
    const data = this.uPlot.join(nights.map(({ drop }) => [drop.hours, drop.cents]));
    const paths = this.uPlot.paths.stepped({ align: 1 });
    const dashes = [[], [6, 4]];
    const options = {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false }, y: { range: (_, _low, high) => [0, Math.max(100, high * 1.1)] } },
      axes: [
        { ...axis, space: 60, values: (_, hours) => hours.map((one) => `${number(one, 2)} h`) },
        { ...axis, size: 84, values: (_, values) => values.map((one) => formatCents(Math.round(one), language())) },
      ],
      series: [{}, ...colours.map((stroke, which) => ({
        stroke, width: 2, dash: dashes[which], spanGaps: true, paths, points: { show: false } }))],
    };
    this.plot = new this.uPlot(options, data, place);
    const [newer, older] = nights.map(({ night, figures }) => `${moment(night.opened)}: ${amountOf(figures.drop)}`);
    const title = say(WORDS.compare.plot, { currency: currency() });
    at("compare-plot-name").textContent = title;
    place.setAttribute("aria-label", `${title}. ${newer}, ${older}`);
    at("compare-newer").textContent = moment(nights[0].night.opened);
    at("compare-older").textContent = moment(nights[1].night.opened);
  }

  #resize() {
    const width = at("compare-plot").clientWidth;
    if (width > 0 && this.answer?.nights.length === 2 && this.plot?.width !== width) {
      this.plot?.destroy();
      at("compare-plot").replaceChildren();
      this.#drawPlot(this.answer.nights);
    }
  }
}

function amountOf(text) {
  return formatCents(cents(text), language());
}

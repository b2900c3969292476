/** The plots of a period: tonight, the last seven nights, between two rounds or two times. */

import { formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { askOn } from "../common/ask.js";
import { momentOf, number } from "./moments.js";
import { Plot } from "./plot.js";
import { StatusLine } from "./status_line.js";

const LIBRARY = "/pages/vendor/uplot/uPlot.esm.js";

const at = (id) => document.getElementById(id);

export class Plots {
  /** @param {() => void} ended the session is over */
  constructor(ended) {
    this.status = new StatusLine(at("plots-status"), ended);
    this.question = 0;
    this.answer = null;
    this.money = true;
    this.linked = false;
    at("span").addEventListener("change", () => this.#chosen());
    at("span-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.show({});
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.write());
  }

  /** Whether what is shown grows while the table is played. */
  get grows() {
    return ["tonight", "week"].includes(at("span").value);
  }

  /** @param {{byItself?: boolean}} how */
  async show(how) {
    const values = this.#values();
    if (values === null) {
      return;
    }
    const question = this.question += 1;
    this.uPlot ??= (await import(LIBRARY)).default;
    await this.status.during(() => askOn("plots", values, how, (answer) => {
      if (question !== this.question) {
        return false;
      }
      this.answer = answer;
      this.status.show(() => summaryOf(answer));
      this.#draw();
      return true;
    }));
  }

  /** In the language, and in the colours, that are chosen now. @param {any} [table] */
  write(table) {
    this.money = table ? table.combinations.length > 0 : this.money;
    this.linked = table ? table.link !== "" : this.linked;
    this.status.write();
    this.#draw();
  }

  #chosen() {
    const span = at("span").value;
    at("span-rounds").hidden = span !== "rounds";
    at("span-times").hidden = span !== "times";
    at("span-show").hidden = this.grows;
    if (this.grows) {
      this.show({});
    }
  }

  #values() {
    switch (at("span").value) {
      case "rounds": {
        const [first, last] = [at("first").value.trim(), at("last").value.trim()];
        return first && last ? { first, last } : null;
      }
      case "times": {
        const [since, until] = [labelOf(at("since").value), labelOf(at("until").value)];
        return since || until ? { since, until } : null;
      }
      default:
        return { span: at("span").value };
    }
  }

  #draw() {
    if (this.answer === null || !this.uPlot) {
      return;
    }
    this.plots ??= [0, 1, 2].map(() => new Plot(at("plots")));
    const [jackpot, stakes, hands] = this.plots;
    const { uPlot } = this;
    jackpot.figure.hidden = stakes.figure.hidden = !this.money;
    const { faults } = this.answer;
    const marks = faults.map(({ rounds: [from, to] }) => [from, Math.max(from, to || Infinity)]);
    at("plots-marked").textContent = faults.length
      ? say(WORDS.marked, { faults: countCodes(faults) }) : "";
    if (this.money) {
      jackpot.show(uPlot, { ...jackpotOf(this.answer, this.linked), marks: timesOf(faults) });
      stakes.show(uPlot, { ...byRound(this.answer.stakes, "stakes"), bars: true, marks });
    }
    hands.show(uPlot, { ...byRound(this.answer.hands, "hands"), marks });
  }
}

function timesOf(faults) {
  return faults.map(({ at: from, until }) => [from ?? -Infinity, until ?? Infinity]);
}

/** `RAIL_LOST x2, TRAY_COUNT` */
function countCodes(faults) {
  const counts = new Map();
  faults.forEach(({ code }) => counts.set(code, (counts.get(code) ?? 0) + 1));
  return [...counts].map(([code, count]) => (count > 1 ? `${code} x${count}` : code)).join(", ");
}

function jackpotOf({ jackpot: { at: xs, cents: ys }, currency }, linked) {
  return {
    currency,
    word: linked ? WORDS.plotJackpotPart : WORDS.plotJackpot,
    kind: "jackpot",
    time: true,
    bars: false,
    xs,
    ys,
    format: (value) => formatCents(Math.round(value), language()),
    where: (place) => momentOf(xs[place]),
    whereHead: say(WORDS.time),
  };
}

function byRound({ round, at: opened, value }, kind) {
  return {
    word: kind === "stakes" ? WORDS.plotStakes : WORDS.plotHands,
    kind,
    time: false,
    bars: false,
    xs: round,
    ys: value,
    format: (one) => number(one, 2),
    where: (place) => `${say(WORDS.round)} ${round[place]}, ${momentOf(opened[place])}`,
    whereHead: say(WORDS.round),
  };
}

function summaryOf(answer) {
  if (!answer.rounds) {
    return say(answer.more ? WORDS.reading : WORDS.nothing);
  }
  const [first, last] = answer.rounds;
  const parts = [say(WORDS.spanned, { first, last, count: number(answer.counted) })];
  if (answer.rounds_a_point > 1) {
    parts.push(say(WORDS.joined, { step: answer.rounds_a_point }));
  }
  if (answer.dropped) {
    parts.push(say(WORDS.leftOut, { count: number(answer.dropped) }));
  }
  if (answer.more) {
    parts.push(say(WORDS.reading));
  }
  return parts.join(" ");
}

/** A local time as the beginning of a UTC label; null without one. */
function labelOf(local) {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 16);
}

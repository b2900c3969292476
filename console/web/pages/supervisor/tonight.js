/** The night's figures, large: what came in, what was paid, how the jackpot grows. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents, jackpotMoney } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { number } from "./moments.js";
import { cardOf } from "./rows.js";

/** @param {any} meters the answer to /supervisor/meters, null before it has come */
export function dropCard(meters) {
  const title = say(meters?.night?.closed ? WORDS.figures.dropLast : WORDS.figures.drop, { currency: meters?.currency ?? currency() });
  if (!meters?.night) {
    return tileOf("drop", title, "", [empty(meters)]);
  }
  const counts = { tokens: number(meters.taken - meters.returned), rounds: number(meters.rounds) };
  return tileOf("drop", title, amountOf(meters.drop), [say(WORDS.figures.counts, counts), paceOf(meters)]);
}

/** @param {any} meters */
export function paidCard(meters) {
  const title = say(meters?.night?.closed ? WORDS.figures.paidLast : WORDS.figures.paid, { currency: meters?.currency ?? currency() });
  if (!meters?.night) {
    return tileOf("paid-out", title, "", [empty(meters)]);
  }
  const { awards, paid_share: paid, hold_share: held } = meters;
  const lines = paid === null ? [say(WORDS.figures.noDrop)] : [
    say(WORDS.figures.share, { share: number(paid, 1, 1), awards: number(awards) }),
    say(WORDS.figures.hold, { amount: amountOf(meters.hold), share: number(held, 1, 1) }),
  ];
  return tileOf("paid-out", title, amountOf(meters.paid), lines);
}

/**
 * At a table without a jackpot: how fast it deals; at a poker table with cash, its rake, too.
 * @param {any} meters
 * @param {any} table
 */
export function paceCard(meters, table) {
  const title = say(WORDS.figures.hands);
  if (!meters?.night) {
    return tileOf("pace", title, "", [empty(meters)]);
  }
  const cash = table.poker && !table.poker.steps.length;
  const rake = cash ? [say(WORDS.figures.rake, { amount: amountOf(meters.rake), currency: currency() })] : [];
  return tileOf("pace", title, number(meters.rounds), [paceOf(meters), ...rake]);
}

/**
 * @param {any} table
 * @param {any} seen
 * @param {string|null} shown the jackpot that players may be shown
 * @param {any} meters
 */
export function jackpotCard(table, seen, shown, meters) {
  const amount = table.link ? shown : seen.jackpot;
  const big = amount === null ? "- - -" : jackpotMoney(cents(amount), language());
  const title = say(table.link ? WORDS.figures.linkedJackpot : WORDS.figures.jackpot);
  const lines = meters?.night ? [growthOf(meters), say(WORDS.figures.grown, {
    amount: amountOf(meters.contributions.jackpot) })] : [empty(meters)];
  const card = tileOf("growth", title, big, lines);
  card.querySelector(".figure").classList.add("jackpot");
  return card;
}

function growthOf({ growth_an_hour: growth }) {
  return growth === null ? say(WORDS.figures.growthLater) : say(WORDS.figures.growth, { amount: amountOf(growth) });
}

function paceOf({ hands_an_hour: hands }) {
  return hands === null ? say(WORDS.figures.handsLater) : say(WORDS.figures.handsAnHour, { hands: number(hands) });
}

function amountOf(text) {
  return formatCents(cents(text), language());
}

/** Nothing yet: what will stand here. */
function empty(meters) {
  return say(meters === null ? WORDS.reading : WORDS.figures.later);
}

function tileOf(kind, title, figure, lines) {
  const parts = lines.map((line) => put("p", "", null, line));
  return cardOf(`tile ${kind}`, title, [put("p", "figure", null, figure || "-"), ...parts]);
}

/** The meters of the table's life: what tokens brought, each prize's hits and money, the last wins. */

import { put } from "../common/frame.js";
import { cents, currencyOf, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { moment, number } from "./moments.js";
import { cardOf, factsOf, tableOf } from "./rows.js";

const amount = (text) => formatCents(cents(text), language());

/**
 * @param {any} life the answer to /supervisor/life, null before it has come
 * @param {any} table
 */
export function lifeCard(life, table) {
  if (life === null || life.last === undefined) {
    return cardOf("life", say(WORDS.life.title), [put("p", "", null, say(WORDS.reading))]);
  }
  const since = life.first > 1 ? WORDS.life.archived : WORDS.life.since;
  const facts = [
    [say(since), moment(life.since)],
    [say(WORDS.life.tokens), number(life.tokens)],
    [say(WORDS.meters.toJackpot, { currency: currencyOf(life.currency) }), amount(life.contributions.jackpot)],
    [say(WORDS.meters.paid, { currency: currencyOf(life.currency) }), amount(life.paid)],
  ];
  return cardOf("life", say(WORDS.life.title), [factsOf(facts), prizes(life, table), wins(life, table)]);
}

function nameOf(combination, table) {
  return table.texts[language()].combinations[combination] ?? combination;
}

function prizes(life, table) {
  const columns = [
    { head: say(WORDS.life.prize) },
    { head: say(WORDS.life.hits), right: true },
    { head: say(WORDS.life.winners), right: true },
    { head: say(WORDS.meters.paid, { currency: currencyOf(life.currency) }), right: true },
  ];
  const rows = life.prizes.map((one) =>
    [nameOf(one.combination, table), number(one.hits), number(one.winners), amount(one.paid)]);
  return wide(tableOf(columns, rows, say(WORDS.life.prizes)));
}

function wins(life, table) {
  const columns = [
    { head: say(WORDS.life.when) },
    { head: say(WORDS.life.prize) },
    { head: say(WORDS.life.amount, { currency: currencyOf(life.currency) }), right: true },
    { head: say(WORDS.life.verified) },
  ];
  const rows = life.wins.map((win) => [
    moment(win.wall),
    `${nameOf(win.combination, table)} x${win.winners}`,
    amount(win.total),
    win.verified.map((one) => `${one.seat}: ${one.who}`).join(", "),
  ]);
  return wide(tableOf(columns, rows, say(WORDS.life.wins)));
}

function wide(table) {
  const place = put("div", "wide");
  place.tabIndex = 0;
  place.append(table);
  return place;
}

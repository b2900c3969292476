/** What was counted since the night was opened. */

import { put } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { moment, number } from "./moments.js";
import { cardOf, factsOf } from "./rows.js";

/**
 * @param {any} meters the answer to /supervisor/meters, null before it has come
 * @param {any} table
 */
export function metersCard(meters, table) {
  if (meters === null || meters.night === null) {
    const text = meters === null ? WORDS.reading : WORDS.meters.noNight;
    return cardOf("meters", say(WORDS.meters.open), [put("p", "", null, say(text))]);
  }
  const facts = [
    [say(WORDS.meters.opened), moment(meters.night.opened)],
    [say(WORDS.meters.rounds), number(meters.rounds)],
    ...(table.combinations.length ? moneyFacts(meters) : []),
  ];
  const content = [factsOf(facts)];
  if (meters.more) {
    content.push(put("p", "status", null, say(WORDS.reading)));
  }
  const title = meters.night.closed ? WORDS.meters.closed : WORDS.meters.open;
  return cardOf("meters", say(title), content);
}

function moneyFacts(meters) {
  const amount = (text) => formatCents(cents(text), language());
  const values = { currency: meters.currency };
  const { jackpot, reserve, house } = meters.contributions;
  return [
    [say(WORDS.meters.staked), number(meters.staked)],
    [say(WORDS.meters.taken), number(meters.taken)],
    [say(WORDS.meters.returned), number(meters.returned)],
    [say(WORDS.meters.toJackpot, values), amount(jackpot)],
    [say(WORDS.meters.toReserve, values), amount(reserve)],
    [say(WORDS.meters.toHouse, values), amount(house)],
    [say(WORDS.meters.awards), number(meters.awards)],
    [say(WORDS.meters.paid, values), amount(meters.paid)],
    [say(WORDS.meters.cancelled), number(meters.cancelled)],
    [say(WORDS.meters.corrections), number(meters.corrections)],
  ];
}

/** What was counted since the night was opened. */

import { put } from "../common/frame.js";
import { cents, formatCents } from "../common/money.js";
import { language, say } from "../common/words.js";
import { moment, number } from "./moments.js";
import { cardOf, factsOf } from "./rows.js";
import { WORDS } from "./words.js";

/**
 * @param {any} meters the answer to /supervisor/meters, null before it has come
 * @param {any} table
 */
export function metersCard(meters, table) {
  if (meters === null || meters.night === null) {
    const text = meters === null ? WORDS.reading : WORDS.noNight;
    return cardOf("meters", say(WORDS.meters), [put("p", "", null, say(text))]);
  }
  const facts = [
    [say(WORDS.opened), moment(meters.night.opened)],
    [say(WORDS.counted), number(meters.rounds)],
    ...(table.combinations.length ? moneyFacts(meters) : []),
  ];
  const content = [factsOf(facts)];
  if (meters.more) {
    content.push(put("p", "status", null, say(WORDS.reading)));
  }
  const title = meters.night.closed ? WORDS.metersClosed : WORDS.meters;
  return cardOf("meters", say(title), content);
}

function moneyFacts(meters) {
  const amount = (text) => formatCents(cents(text), language());
  const { jackpot, reserve, house } = meters.contributions;
  return [
    [say(WORDS.staked), number(meters.staked)],
    [say(WORDS.tokensTaken), number(meters.taken)],
    [say(WORDS.tokensReturned), number(meters.returned)],
    [say(WORDS.toJackpot), amount(jackpot)],
    [say(WORDS.toReserve), amount(reserve)],
    [say(WORDS.toHouse), amount(house)],
    [say(WORDS.awards), number(meters.awards)],
    [say(WORDS.paidOut), amount(meters.paid)],
    [say(WORDS.cancelled), number(meters.cancelled)],
    [say(WORDS.corrections), number(meters.corrections)],
  ];
}

/** The newest records and the last wins, as they come over the socket. */

import { put } from "../common/frame.js";
import { cents, formatCents, moneyIn } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { clock } from "./moments.js";
import { cardOf } from "./rows.js";

/** How many records are shown. */
export const KEPT = 60;

/** @param {any[]} records newest first */
export function recordCard(records) {
  const list = put("ol", "record");
  list.tabIndex = 0;
  list.setAttribute("aria-label", say(WORDS.record));
  records.forEach((one) => list.append(lineOf(one)));
  return cardOf("records", say(WORDS.record), [list]);
}

/**
 * The money a record moves: `jackpot +1,40`.
 * @param {Record<string, string>} moved
 */
export function movedWords(moved) {
  return Object.entries(moved).map(([account, amount]) => {
    const name = say(WORDS.accounts[account]);
    return `${name} ${signed(amount)}`;
  }).join(", ");
}

/**
 * @param {any} message the message `wins`, null before it has come
 */
export function winsCard(message) {
  const wins = message?.wins ?? [];
  const list = put("ul", "wins");
  list.tabIndex = 0;
  list.setAttribute("aria-label", say(WORDS.lastWins));
  for (const win of wins) {
    const item = put("li", win.state, list);
    put("time", "", item, clock(win.wall));
    const amount = (text) => moneyIn(text, win.currency, language());
    const values = { combination: say(win.name), winners: win.winners, each: amount(win.each) };
    put("span", "", item, say(WORDS.win, values) + envyWords(win.envy, amount));
    put("em", "", item, say(win.state === "paid" ? WORDS.winPaid : WORDS.winPending));
  }
  const content = wins.length ? list : put("p", "", null, say(WORDS.noWin));
  return cardOf("last-wins", say(WORDS.lastWins), [content]);
}

function envyWords(envy, amount) {
  const others = envy && { seats: envy.seats, each: amount(envy.each) };
  return others ? `; ${say(WORDS.envy, others)}` : "";
}

function lineOf(record) {
  const item = put("li", record.refusal ? "refusal" : "");
  put("time", "", item, record.clock || clock(record.wall));
  put("span", "", item, record.text[language()]);
  if (record.refusal) {
    put("b", "", item, `${say(WORDS.refused)} ${record.refusal}`);
  }
  const moved = movedWords(record.moved ?? {});
  if (moved) {
    put("i", "", item, moved);
  }
  return item;
}

/** Exact amounts may have more than two decimals, without separators among them. */
function signed(amount) {
  const [whole, decimals] = amount.split(".");
  const short = decimals.length > 2
    ? `${whole}${language() === "it" ? "," : "."}${decimals}`
    : formatCents(cents(amount), language());
  return amount.startsWith("-") ? short : `+${short}`;
}

/** The table as it is: phase, seats, accounts, devices, faults, wins, the record. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents, jackpotMoney, money } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { forecastCard } from "./forecast.js";
import { faultsCard } from "./faults.js";
import { metersCard } from "./meters.js";
import { recordCard, winsCard } from "./record.js";
import { cardOf, factsOf } from "./rows.js";

const SEATS = [1, 2, 3, 4, 5, 6, 7];
const ACCOUNTS = ["jackpot", "reserve", "house", "pending", "paid"];

/** What phases are called in a kind of game that has its own names. */
const OWN_PHASES = { poker: WORDS.poker };

/** A card is drawn again only if its content has changed, so that nothing jumps under a reader. */
export class Now {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.cards = new Map();
  }

  /**
   * @param {{table: any, snapshot: any, faults: any, meters: any, records: any[], wins: any,
   *   forecast: any}} view
   */
  show(view) {
    if (view.table === null || view.snapshot === null) {
      return;
    }
    const { table, snapshot } = view;
    const { seen } = snapshot;
    this.root.classList.toggle("some-faults", seen.faults.length > 0);
    this.root.classList.toggle("without-money", table.combinations.length === 0);
    this.#draw("faults", [seen.faults, view.faults !== null], () =>
      faultsCard(seen.faults, view.faults));
    this.#draw("state", [snapshot, table], () => stateCard(table, snapshot));
    if (table.combinations.length) {
      const facts = [ACCOUNTS.map((name) => seen[name]), seen.award, table.link && snapshot.jackpot];
      this.#draw("accounts", facts, () => accountsCard(table, seen, snapshot.jackpot));
    }
    this.#draw("meters", [view.meters], () => metersCard(view.meters, table));
    if (table.combinations.length) {
      this.#draw("forecast", [view.forecast], () => forecastCard(view.forecast));
      this.#draw("wins", [view.wins], () => winsCard(view.wins));
    }
    this.#draw("record", [view.records], () => recordCard(view.records));
  }

  #draw(name, facts, make) {
    const key = JSON.stringify([language(), currency(), facts]);
    const old = this.cards.get(name);
    if (old?.key === key) {
      return;
    }
    const card = make();
    keepOpen(old?.card, card);
    if (old) {
      old.card.replaceWith(card);
    } else {
      this.root.append(card);
    }
    this.cards.set(name, { key, card });
  }
}

/** Keep details open and the record scrolled as before. */
function keepOpen(old, card) {
  if (!old) {
    return;
  }
  for (const opened of old.querySelectorAll("details[open]")) {
    card.querySelector(`details[data-code="${opened.dataset.code}"]`)?.setAttribute("open", "");
  }
  const list = card.querySelector("ol");
  const before = old.querySelector("ol");
  if (list && before) {
    requestAnimationFrame(() => { list.scrollTop = before.scrollTop; });
  }
}

function stateCard(table, snapshot) {
  const { seen } = snapshot;
  const phase = snapshot.powered ? seen.phase : "OFF";
  const chip = put("b", "phase", null, say(OWN_PHASES[table.kind_of_game]?.[phase] ?? WORDS.phases[phase]));
  chip.dataset.phase = phase;
  const facts = [
    [say(WORDS.phase), chip],
    [say(WORDS.round), String(snapshot.round)],
    [say(WORDS.key), snapshot.key ?? say(WORDS.between)],
  ];
  if (snapshot.last_hands !== null && snapshot.last_hands !== undefined) {
    facts.push([say(WORDS.lastHands), String(snapshot.last_hands)]);
  }
  facts.push(...cardFacts(table, seen), ...handFacts(table, seen));
  const content = [factsOf(facts)];
  if (table.rail !== null) {
    content.push(seatsOf(seen));
  }
  content.push(displayOf(seen.display), devicesOf(table, seen.faults));
  return cardOf("state", say(WORDS.table), content);
}

function cardFacts(table, seen) {
  const facts = [];
  if (table.shuffler !== null) {
    facts.push([say(WORDS.deck), deckWords(seen.shuffler)]);
    facts.push([say(WORDS.dealt), String(seen.dealt)]);
  }
  if (table.shoe !== null) {
    const last = seen.last ? ` (${say(WORDS.lastCoup)})` : "";
    facts.push([say(WORDS.remaining), `${seen.remaining}${last}`]);
  }
  return facts;
}

function deckWords(state) {
  return say(WORDS.deckStates[state]);
}

/** At a poker table. */
function handFacts(table, seen) {
  if (!table.poker) {
    return [];
  }
  const tournament = [
    [say(WORDS.hold.level), String(seen.level)],
    [say(WORDS.hold.clock), seen.clock],
  ];
  const cash = [
    [say(WORDS.hold.rake), seen.rake === "none" ? "-" : `${seen.rake} EUR`],
    [say(WORDS.hold.taken), formatCents(cents(seen.taken), language())],
  ];
  return [
    [say(WORDS.hold.street), seen.street === "none" ? "-" : seen.street],
    [say(WORDS.hold.players), String(seen.players)],
    [say(WORDS.hold.blinds), seen.blinds],
    ...table.poker.steps.length ? tournament : cash,
  ];
}

function seatsOf(seen) {
  const list = put("ul", "seats");
  list.setAttribute("aria-label", say(WORDS.seats));
  for (const seat of SEATS) {
    const led = seen.seats[seat] ?? "DARK";
    const slot = seen.slots[seat] ?? "DARK";
    const item = put("li", "", list);
    item.dataset.led = led;
    put("b", "", item, String(seat)).setAttribute("aria-label", say(WORDS.seat, { seat }));
    const word = led === "DARK" && slot !== "DARK" ? WORDS.slots[slot] : WORDS.leds[led];
    put("span", "", item, say(word));
  }
  return list;
}

function displayOf(lines) {
  const display = put("p", "display");
  display.setAttribute("role", "img");
  display.setAttribute("aria-label", `${say(WORDS.display)}: ${lines.join(" / ").trim()}`);
  lines.forEach((line) => put("span", "", display, line.padEnd(20)));
  return display;
}

function devicesOf(table, faults) {
  const list = put("ul", "devices");
  list.setAttribute("aria-label", say(WORDS.devicesTitle));
  for (const device of table.devices) {
    const lost = faults.includes(`${device.toUpperCase()}_LOST`);
    const item = put("li", lost ? "is-lost" : "", list);
    const ending = say(WORDS.endings[device]);
    const state = say(lost ? WORDS.notConnected : WORDS.connected, { ending });
    put("span", "", item, `${say(WORDS.devices[device])}: ${state}`);
  }
  return list;
}

function accountsCard(table, seen, shown) {
  const { big, own, title } = jackpotOf(table, seen, shown);
  const rest = ACCOUNTS.slice(1).map((name) => [
    say(WORDS.accounts[name]), formatCents(cents(seen[name]), language()),
  ]).concat(own);
  const content = [big, factsOf(rest)];
  if (seen.award) {
    const { combination, winners, each, envy } = seen.award;
    const named = table.texts[language()].combinations[combination] ?? combination;
    const values = { combination: named, winners, each: money(each, language()) };
    content.push(put("p", "award", null, say(WORDS.award, values)));
    if (envy) {
      const others = { seats: envy.seats, each: money(envy.each, language()) };
      content.push(put("p", "award envy", null, say(WORDS.envy, others)));
    }
  }
  return cardOf("accounts", title, content);
}

/** A linked table's own jackpot is its part alone, and may be below zero: the big one is the centre's. */
function jackpotOf(table, seen, shown) {
  if (!table.link) {
    const big = put("p", "jackpot", null, jackpotMoney(cents(seen.jackpot), language()));
    return { big, own: [], title: say(WORDS.accountsTitle, { currency: currency() }) };
  }
  const amount = shown === null ? "- - -" : jackpotMoney(cents(shown), language());
  return {
    big: put("p", "jackpot", null, say(WORDS.linkedJackpot, { amount })),
    own: [[say(WORDS.jackpotPart), formatCents(cents(seen.jackpot), language())]],
    title: say(WORDS.accountsPart, { currency: currency() }),
  };
}

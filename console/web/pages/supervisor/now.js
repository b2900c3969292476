/** The table as it is, and the night so far: each question of a supervisor has its card. */

import { put } from "../common/frame.js";
import { cents, currency, formatCents, jackpotMoney } from "../common/money.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/supervisor.js";
import { alarmCard, Waiting } from "./alarm.js";
import { Course } from "./course.js";
import { forecastCard } from "./forecast.js";
import { faultsCard } from "./faults.js";
import { lifeCard } from "./life.js";
import { metersCard } from "./meters.js";
import { peopleCard } from "./people.js";
import { recordCard, winsCard } from "./record.js";
import { cardOf, factsOf } from "./rows.js";
import { seatsCard } from "./seats.js";
import { dropCard, jackpotCard, paceCard, paidCard } from "./tonight.js";
import { troubleCard } from "./trouble.js";

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
    this.waiting = new Waiting(root);
    this.course = null;
  }

  /** Remove everything that was shown. */
  forget() {
    this.root.replaceChildren();
    this.cards.clear();
    this.course = null;
  }

  /**
   * @param {{table: any, snapshot: any, faults: any, meters: any, course: any, records: any[],
   *   wins: any, forecast: any, life: any}} view
   */
  show(view) {
    if (view.table === null || view.snapshot === null) {
      return;
    }
    const { table, snapshot, meters, course } = view;
    const { seen } = snapshot;
    this.root.classList.toggle("without-money", table.combinations.length === 0);
    this.#draw("faults", [seen.faults, view.faults !== null], () =>
      faultsCard(seen.faults, view.faults));
    this.#draw("state", [snapshot, table], () => stateCard(table, snapshot));
    if (table.combinations.length) {
      this.#showMoney(view);
    } else {
      this.#draw("pace", [meters, table], () => paceCard(meters, table));
    }
    this.#showCourse(view);
    this.#draw("trouble", [course, table], () => troubleCard(course, table));
    this.#draw("people", [course !== null, course?.people], () => peopleCard(course));
    this.#draw("cabinet", [seen, table], () => cabinetCard(table, seen));
    this.#draw("meters", [meters], () => metersCard(meters, table));
    this.#draw("record", [view.records], () => recordCard(view.records));
    this.waiting.setWins(view.wins);
  }

  #showMoney(view) {
    const { table, snapshot, meters, course } = view;
    const { seen, jackpot } = snapshot;
    this.#draw("alarm", [seen.award, table], () => alarmCard(table, seen.award));
    this.#draw("drop", [meters], () => dropCard(meters));
    this.#draw("paid", [meters], () => paidCard(meters));
    this.#draw("growth", [seen.jackpot, jackpot, meters, table], () =>
      jackpotCard(table, seen, jackpot, meters));
    this.#draw("wins", [view.wins], () => winsCard(view.wins));
    if (table.rail !== null) {
      this.#draw("heat", [course !== null, course?.seats], () => seatsCard(course));
    }
    const facts = [ACCOUNTS.map((name) => seen[name]), table.link && jackpot];
    this.#draw("accounts", facts, () => accountsCard(table, seen, jackpot));
    this.#draw("forecast", [view.forecast], () => forecastCard(view.forecast));
    this.#draw("life", [view.life], () => lifeCard(view.life, table));
  }

  /** Its plot is drawn anew only when there is something new on it. */
  #showCourse({ course, table, snapshot }) {
    const key = JSON.stringify([language(), table.table, course]);
    if (this.course === null) {
      this.course = new Course();
      this.root.append(this.course.card);
    }
    if (this.courseKey !== key || !this.course.card.isConnected) {
      this.courseKey = key;
      this.course.show(course, table, Date.parse(snapshot.wall) / 1000);
    }
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
  const name = say(OWN_PHASES[table.kind_of_game]?.[phase] ?? WORDS.phases[phase]);
  const line = put("p", "figure");
  put("b", "phase", line, name).dataset.phase = phase;
  const facts = [
    `${say(WORDS.round)} ${snapshot.round}`,
    `${say(WORDS.key)} ${snapshot.key ?? say(WORDS.between)}`,
  ];
  if (snapshot.last_hands !== null && snapshot.last_hands !== undefined) {
    facts.push(`${say(WORDS.lastHands)} ${snapshot.last_hands}`);
  }
  const content = [line, put("p", "", null, facts.join(" \u00b7 "))];
  if (table.rail !== null) {
    content.push(seatsOf(seen));
  }
  return cardOf("tile state", say(WORDS.table), content);
}

/** What stands on the table: cards, display, devices. */
function cabinetCard(table, seen) {
  const facts = [...cardFacts(table, seen), ...handFacts(table, seen)];
  const content = facts.length ? [factsOf(facts)] : [];
  return cardOf("cabinet", say(WORDS.devicesTitle), [
    ...content, displayOf(seen.display), devicesOf(table, seen.faults)]);
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

/** A linked table's own jackpot is its part alone, and may be below zero: the big one is the centre's. */
function accountsCard(table, seen, shown) {
  const rest = ACCOUNTS.slice(1).map((name) => [
    say(WORDS.accounts[name]), formatCents(cents(seen[name]), language()),
  ]);
  if (!table.link) {
    return cardOf("accounts", say(WORDS.accountsTitle, { currency: currency() }), [factsOf(rest)]);
  }
  const amount = shown === null ? "- - -" : jackpotMoney(cents(shown), language());
  const own = [say(WORDS.jackpotPart), formatCents(cents(seen.jackpot), language())];
  const centre = put("p", "", null, say(WORDS.linkedJackpot, { amount }));
  const title = say(WORDS.accountsPart, { currency: currency() });
  return cardOf("accounts", title, [centre, factsOf([...rest, own])]);
}

/** The cabinet on a page: the table is drawn from its messages, and acts are sent to it. */

import { LostNotice, showBanner } from "../common/frame.js";
import { Live } from "../common/live.js";
import { WORDS } from "../words/cabinet.js";
import { setPrizes } from "../common/money.js";
import { language, languageSwitch, onLanguage, preferBrowserLanguage, say, setTableLanguage, translate }
  from "../common/language.js";
import { Accounts } from "./accounts.js";
import { Acts } from "./acts.js";
import { Cables } from "./cables.js";
import { CardPicker } from "./card_picker.js";
import { Coup } from "./coup.js";
import { Display } from "./display.js";
import { Drawer } from "./drawer.js";
import { FirstRound } from "./first_round.js";
import { printFelt } from "./felt_print.js";
import { Help } from "./help.js";
import { TypedLine } from "./line.js";
import { Middle } from "./middle.js";
import { News } from "./news.js";
import { Poker } from "./poker.js";
import { Panel } from "./panel.js";
import { RecordList } from "./record.js";
import { Seats } from "./seats.js";
import { Shoe } from "./shoe.js";
import { Shortcuts } from "./shortcuts.js";
import { Shuffler } from "./shuffler.js";
import { SpareCards } from "./spare_cards.js";
import { NextStep } from "./step.js";

/**
 * What is drawn: the table's first message and its newest state.
 * @typedef {{table: any, snapshot: any, seen: any, cabinet: any}} View
 */

/** What phases are called in a kind of game that has its own names. */
const OWN_PHASES = { poker: WORDS.poker };

const at = (id) => document.getElementById(id);

const view = { table: null, snapshot: null, seen: null, cabinet: null };
const notice = new LostNotice(at("page"));
const live = new Live("/live/cabinet", { onMessage, onChanged: (there, lastHeard) => notice.show(there, lastHeard) });
const acts = new Acts((message) => live.send(message), at("answer"), view);
const record = new RecordList(at("record"));
const firstRound = new FirstRound(at("tour"), at("open-tour"), view);
const picker = new CardPicker(at("cards"), acts);
const pieces = [
  new SpareCards(at("spare"), acts),
  new Seats({ room: at("seats"), hands: at("spare") }, acts, view),
  new Coup(at("coup")),
  new Display(at("display")),
  new Shuffler(at("shuffler"), acts),
  new Middle(at("middle")),
  new Shoe(at("shoe"), acts, picker),
  new Poker(at("poker")),
  new Panel(at("panel"), acts),
  new NextStep(at("step"), at("panel")),
  new Cables(at("cables"), acts),
  new Accounts(at("accounts")),
  new News(at("news")),
  new Drawer(at("drawer"), at("open-drawer"), acts),
  firstRound,
];
const help = new Help(at("help"), at("open-help"));
new Shortcuts(view, acts, help);
new TypedLine(at("line"), acts);
preferBrowserLanguage();
languageSwitch(at("language"));
onLanguage(writeAll);
writeAll();

function onMessage(message) {
  if (message.kind === "table") {
    setTable(message);
  } else if (message.kind === "snapshot") {
    Object.assign(view, { snapshot: message, seen: message.seen, cabinet: message.cabinet });
    show();
  } else if (message.kind === "records") {
    firstRound.add(record.add(message.records));
  } else if (message.kind === "answered") {
    acts.onAnswer(message);
  }
}

/** Build a table once; the same one, sent again after a lost connection, stays. */
function setTable(table) {
  record.begin();
  setTableLanguage(table.language);
  const same = JSON.stringify(table) === JSON.stringify(view.table);
  if (!same) {
    view.table = table;
    setPrizes(table);
    view.snapshot = null;
    at("felt").dataset.shoe = table.shoe ?? "";
    at("felt").dataset.kind = table.kind_of_game;
    printFelt(at("felt-print"), table.game);
    pieces.forEach((piece) => piece.build?.(table));
    writeAll();
  }
}

function show() {
  if (view.table === null || view.snapshot === null) {
    return;
  }
  const kind = view.table.kind_of_game;
  const phase = view.snapshot.powered ? view.seen.phase : "OFF";
  at("stage").dataset.phase = phase;
  at("phase").dataset.phase = phase;
  at("phase").dataset.suspended = isSuspended(phase) ? "yes" : "no";
  at("phase").textContent = say(isSuspended(phase) ? WORDS.suspended : OWN_PHASES[kind]?.[phase] ?? WORDS.phases[phase]);
  at("round").textContent = String(view.snapshot.round);
  pieces.forEach((piece) => piece.show(view));
  acts.show(view);
  document.body.dataset.ready = "yes";
}

/** Betting is open, but no player may stake now: no lamp invites, and the sign says the same. */
function isSuspended(phase) {
  return phase === "BETTING" && !view.snapshot.takes_bets && view.table.kind_of_game !== "poker";
}

function nameTable(name) {
  at("title").textContent = name;
  at("felt-title").textContent = name;
  document.title = `${name} - ${say(WORDS.theTable)} ${view.table.table}`;
}

function writeAll() {
  translate(document, WORDS);
  for (const link of [at("to-sign"), at("to-supervisor")]) {
    link.search = `lang=${language()}`;
  }
  showBanner(true);
  if (view.table !== null) {
    nameTable(say(WORDS.games[view.table.known_as]).toUpperCase());
  }
  acts.clear();
  help.write(view.table);
  record.write();
  firstRound.write();
  show();
}

/** The supervisor's page: table, record and nights, for people who have entered; it changes nothing. */

import { LostNotice, showBanner } from "../common/frame.js";
import { Live } from "../common/live.js";
import { WORDS } from "../words/supervisor.js";
import { language, languageSwitch, onLanguage, say, setTableLanguage, translate }
  from "../common/language.js";
import { ask, askOn, Refused } from "../common/ask.js";
import { setPrizes } from "../common/money.js";
import { showForecastPlot } from "./forecast.js";
import { Compare } from "./compare.js";
import { writeHelp } from "./help.js";
import { clock } from "./moments.js";
import { Now } from "./now.js";
import { Plots } from "./plots.js";
import { KEPT } from "./record.js";
import { Rake } from "./rake.js";
import { Report } from "./report.js";
import { Round } from "./round.js";
import { Rounds } from "./rounds.js";
import { describePerson, Session } from "../common/session.js";
import { Views } from "./views.js";

const NOT_ENTERED = 4401;
const METERS_EVERY_MS = 5000;

const at = (id) => document.getElementById(id);
const ended = () => session.ended();

const view = { table: null, snapshot: null, faults: null, meters: null, course: null, records: [],
  wins: null, forecast: null, life: null };
const notice = new LostNotice(at("view-now"));
const now = new Now(at("now"));
const rounds = new Rounds(ended);
const round = new Round(ended);
const report = new Report(ended);
const plots = new Plots(ended);
const compare = new Compare(ended);
const rake = new Rake(ended);
const views = new Views(showView);
const session = new Session(at("login-form"), at("login-refused"), setPerson, nameTable);
let live = null;
let metersAt = 0;
let metersLater = null;
let person = null;
let shownTable = null;

languageSwitch(at("language"));
onLanguage(writeAll);
at("leave").addEventListener("click", () => session.leave());
writeAll();
session.begin();

/** @param {import("../common/session.js").Person|null} who */
function setPerson(who) {
  person = who;
  at("login").hidden = who !== null;
  at("leave").hidden = at("person").hidden = who === null;
  if (who === null) {
    forget();
  } else if (live === null) {
    live = new Live("/live/supervisor", { onMessage, onHeartbeat, onChanged, onClosed });
  }
  writePerson();
  views.set(who !== null);
  if (who === null) {
    at("name").focus();
  }
  document.body.dataset.ready = "yes";
}

/** Remove everything that the last person has seen. */
function forget() {
  live?.close();
  live = null;
  clearTimeout(metersLater);
  Object.assign(view, { snapshot: null, meters: null, course: null, records: [], wins: null,
    forecast: null, life: null });
  notice.show(true);
  for (const id of ["rounds", "round", "sheet"]) {
    at(id).replaceChildren();
  }
  rake.forget();
  now.forget();
  compare.forget();
  onChanged(null);
}

function onMessage(message) {
  if (message.kind === "table") {
    setTable(message);
  } else if (message.kind === "snapshot") {
    const moved = view.snapshot !== null && view.snapshot.round !== message.round;
    view.snapshot = message;
    at("live-time").textContent = clock(message.wall);
    if (moved) {
      onRoundBegun();
    }
  } else if (message.kind === "records") {
    addRecords(message.records);
  } else if (message.kind === "wins") {
    view.wins = message;
  }
  draw();
}

/** The table's clock goes on while nothing happens. */
function onHeartbeat({ wall }) {
  at("live-time").textContent = clock(wall);
  now.waiting.setClock(wall);
}

/** @param {boolean|null} there null: nobody looks @param {Date} [lastHeard] */
function onChanged(there, lastHeard) {
  at("live").dataset.there = there ? "yes" : "no";
  at("live").hidden = there === null;
  at("live-text").textContent = say(there ? WORDS.live : WORDS.lost);
  notice.show(there !== false, lastHeard);
}

function onClosed(code) {
  if (code === NOT_ENTERED) {
    session.ended();
  }
}

function setTable(table) {
  setPrizes(table);
  view.table = table;
  view.records = [];
  nameTable(table);
  rounds.write(table);
  plots.write(table);
  compare.write(table);
  readMeters();
}

/** Known before anybody has entered. @param {{table: string, language: string, simulated: boolean, enrol?: string}} it */
function nameTable(it) {
  shownTable = it;
  setTableLanguage(it.language);
  showBanner(it.simulated);
  at("title").textContent = say(WORDS.title, { table: it.table });
  document.title = `${it.table} - banco`;
  if (it.enrol !== undefined) {
    at("login-enrol").hidden = it.enrol === "";
    at("enrol").textContent = it.enrol;
  }
}

function addRecords(records) {
  const newest = view.records[0]?.seq ?? 0;
  const more = records.filter((one) => one.seq > newest).sort((one, two) => two.seq - one.seq);
  view.records = [...more, ...view.records].slice(0, KEPT);
  if (more.length) {
    readMeters();
  }
}

/** @param {string} name @param {number} number */
function showView(name, number) {
  if (name === "now") {
    readMeters();
    readFaults();
    readLife();
    draw();
  } else if (name === "rounds") {
    rounds.show({});
  } else if (name === "round") {
    round.show(number);
  } else if (name === "nights") {
    report.show({});
  } else if (name === "plots") {
    plots.show({});
    readForecast();
  } else if (name === "compare") {
    compare.show({});
  }
}

/** A new round has begun: read what has grown. */
function onRoundBegun() {
  const byItself = { byItself: true };
  if (views.current === "plots" && plots.grows) {
    plots.show(byItself);
  } else if (views.current === "now") {
    readMeters();
  }
}

/** Read the night at once, but not more often than every few seconds; the slow forecast after it. */
function readMeters() {
  clearTimeout(metersLater);
  if (views.current !== "now") {
    return;
  }
  const wait = metersAt + METERS_EVERY_MS - performance.now();
  metersLater = setTimeout(async () => {
    metersAt = performance.now();
    view.meters = await askQuietly("meters") ?? view.meters;
    view.course = await askQuietly("course") ?? view.course;
    if (view.meters?.more || view.course?.more) {
      readMeters();
    } else if (view.forecast === null) {
      readForecast();
    }
    draw();
  }, Math.max(0, wait));
}

async function readFaults() {
  view.faults ??= await askQuietly("faults");
  draw();
}

/** The forecast in the language that is chosen now, and how far the jackpot is on its way. */
async function readForecast() {
  if (view.table === null || view.table.combinations.length === 0) {
    return;
  }
  const asked = language();
  await quietly(() => askOn("forecast", { lang: asked }, { byItself: true }, (forecast) => {
    if (asked !== language()) {
      return false;
    }
    view.forecast = forecast;
    showForecastPlot(at("forecast-plot"), forecast);
    draw();
    return true;
  }));
}

/** The meters of the table's life, each time the part is opened. */
async function readLife() {
  view.life = await askQuietly("life") ?? view.life;
  draw();
}

/** An automatic request; null without an answer: it is repeated later. */
function askQuietly(path) {
  return quietly(() => ask(path, {}, { byItself: true }));
}

async function quietly(asking) {
  try {
    return await asking();
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    if (error.code === "NOT_ENTERED") {
      session.ended();
    }
    return null;
  }
}

function draw() {
  if (views.current === "now") {
    now.show(view);
  }
}

function writePerson() {
  at("person").textContent = describePerson(person, (duty) => say(WORDS.duties[duty]));
}

function writeAll() {
  translate(document, WORDS);
  if (shownTable !== null) {
    nameTable(shownTable);
  }
  if (view.forecast !== null) {
    readForecast();
  }
  session.write();
  writePerson();
  writeHelp(at("help"));
  rounds.write(view.table);
  round.write();
  report.write();
  plots.write(view.table);
  compare.write(view.table);
  rake.write();
  at("live-text").textContent = say(at("live").dataset.there === "yes" ? WORDS.live : WORDS.lost);
  draw();
}

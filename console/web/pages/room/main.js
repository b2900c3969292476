/** The room's overview: alarms, jackpots, tables, awards, copies; it changes nothing. */

import { LostNotice, showBanner } from "../common/frame.js";
import { Live } from "../common/live.js";
import { describePerson, Session } from "../common/session.js";
import { languageSwitch, onLanguage, say, setTableLanguage, translate } from "../common/language.js";
import { WORDS } from "../words/room.js";
import { writeAge } from "./age.js";
import { Alarms } from "./alarms.js";
import { writeCopies } from "./copies.js";
import { Jackpots } from "./jackpots.js";

const NOT_ENTERED = 4401;

/** Older than this, the page says how old it is. */
const OLD_S = 5;

const at = (id) => document.getElementById(id);

const notice = new LostNotice(at("room"), WORDS.roomLost);
const alarms = new Alarms(at("alarms"), at("spoken"));
const jackpots = new Jackpots(at("jackpots"));
const session = new Session(at("login-form"), at("login-refused"), setPerson, setPlace);
let live = null;
let person = null;
let room = null;

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
  at("room").hidden = who === null || room === null;
  if (who === null) {
    forget();
    at("name").focus();
  } else if (live === null) {
    live = new Live("/live/room", { onMessage, onChanged, onClosed });
  }
  writePerson();
  document.body.dataset.ready = "yes";
}

/** Remove everything that the last person has seen. */
function forget() {
  live?.close();
  live = null;
  room = null;
  notice.show(true);
  alarms.forget();
  jackpots.forget();
  at("copies").replaceChildren();
  at("as-of").textContent = "";
  onChanged(null);
}

/** Known before anybody has entered. @param {{language: string, simulated: boolean}} place */
function setPlace(place) {
  setTableLanguage(place.language);
  showBanner(place.simulated);
}

function onMessage(message) {
  if (message.kind === "room") {
    room = message;
    at("room").hidden = person === null;
    draw();
  }
}

/** @param {boolean|null} there null: nobody looks @param {Date} [lastHeard] */
function onChanged(there, lastHeard) {
  at("live").dataset.there = there ? "yes" : "no";
  at("live").hidden = there === null;
  at("live-text").textContent = say(there ? WORDS.live : WORDS.roomLost);
  notice.show(there !== false, lastHeard);
}

function onClosed(code) {
  if (code === NOT_ENTERED) {
    session.ended();
  }
}

function draw() {
  if (room === null) {
    return;
  }
  alarms.show(room.alarms);
  const old = room.silent || room.age_s === null || room.age_s > OLD_S;
  const age = room.age_s === null ? say(WORDS.unknown) : say(WORDS.asOf, { age: writeAge(room.age_s) });
  at("as-of").textContent = old ? age : "";
  at("jackpots").classList.toggle("old", room.silent);
  jackpots.show(room.jackpots);
  writeCopies(at("copies"), room);
}

function writePerson() {
  at("person").textContent = describePerson(person, (duty) => say(WORDS.duties[duty]));
}

function writeAll() {
  translate(document, WORDS);
  document.title = `${say(WORDS.title)} - banco`;
  session.write();
  writePerson();
  at("live-text").textContent = say(at("live").dataset.there === "yes" ? WORDS.live : WORDS.roomLost);
  alarms.again();
  jackpots.again();
  draw();
}

/** The centre's copies, as the primary knows them. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/room.js";
import { writeAge } from "./age.js";

/**
 * @param {HTMLElement} place
 * @param {any} room the whole message
 */
export function writeCopies(place, room) {
  place.replaceChildren();
  if (room.wanted === null) {
    put("p", "bad", place, say(WORDS.copiesUnknown));
  } else {
    const list = put("ul", "parts", place);
    room.copies.forEach((copy) => writeCopy(put("li", copy.in_sync ? "good" : "bad", list), copy));
    if (room.copies.length === 0) {
      put("li", "bad", list, say(WORDS.noCopy));
    }
    put("p", "", place, say(WORDS.wanted, { wanted: room.wanted || "-" }));
  }
  put("p", "", place, say(room.at_standby ? WORDS.readAtStandby : WORDS.readAtPrimary));
}

function writeCopy(item, copy) {
  const { name, state, sync } = copy;
  const how = copy.in_sync ? say(WORDS.inSync) : say(WORDS.notInSync, { state, sync });
  put("b", "", item, name);
  put("span", "", item, ` ${how}, ${writeLag(copy.lag_s)}`);
}

function writeLag(lag) {
  return lag === null ? say(WORDS.lagLong) : say(WORDS.lag, { age: writeAge(lag) });
}

/** What lies before the croupier: the tray, the cards dealt, or the coups of the shoe. */

import { put } from "../common/frame.js";
import { language, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { mark, write } from "./elements.js";

const STACK = 20;
const STACKS = 7;
const FAN = 12;
const BEADS = 84;
const LETTERS = { PUNTO: "P", BANCO: "B", EGALITE: "E", VOID: "–" };

export class Middle {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
  }

  build(table) {
    this.table = table;
    this.shown = "";
    this.root.replaceChildren();
    this.tray = ["slot", "cctalk"].includes(table.rail) ? this.#tray() : null;
    this.dealt = table.shuffler === "dealer" ? this.#dealt(this.tray === null) : null;
    this.road = table.shoe === "reading" ? this.#road() : null;
  }

  /** @param {import("./main.js").View} view */
  show({ snapshot, seen, cabinet }) {
    if (this.tray) {
      this.#showTray(cabinet.tray ?? 0);
    }
    if (this.dealt) {
      write(this.dealt.words, `${say(WORDS.dealt)}: ${seen.dealt}`);
      this.#showFan(Math.min(seen.dealt, FAN), cabinet.decks.playing);
    }
    if (this.road) {
      this.#showRoad(snapshot.road);
    }
  }

  #tray() {
    const root = put("div", "tray", this.root);
    const stacks = put("div", "tray-stacks", root);
    for (let at = 0; at < STACKS; at += 1) {
      put("span", "tray-stack", stacks);
    }
    const words = put("p", "tray-words", root);
    words.id = "tray";
    return { stacks: [...stacks.children], words };
  }

  #showTray(count) {
    write(this.tray.words, say(WORDS.trayHolds, { count }));
    mark(this.tray.words, "data-count", String(count));
    this.tray.stacks.forEach((stack, at) => {
      const lies = Math.min(Math.max(count - at * STACK, 0), STACK);
      stack.style.setProperty("--tokens", String(lies));
    });
  }

  #dealt(room) {
    const root = put("div", "dealt", this.root);
    const fan = put("div", "fan", root);
    fan.hidden = !room;
    const words = put("p", "dealt-words", root);
    words.id = "dealt";
    return { fan, words };
  }

  #showFan(cards, back) {
    const { fan } = this.dealt;
    if (cards && back) {
      mark(fan, "data-back", back);
    }
    if (fan.childElementCount !== cards) {
      fan.replaceChildren();
      fan.style.setProperty("--cards", String(cards));
      for (let at = 0; at < cards; at += 1) {
        put("span", "card-back", fan).style.setProperty("--place", String(at));
      }
    }
  }

  #road() {
    const root = put("div", "road", this.root);
    root.setAttribute("role", "img");
    root.id = "road";
    return root;
  }

  #showRoad(road) {
    const key = `${language()} ${road.join(" ")}`;
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    this.road.replaceChildren();
    for (const result of road.slice(-BEADS)) {
      put("span", "bead", this.road, LETTERS[result]).dataset.result = result;
    }
    mark(this.road, "aria-label", `${say(WORDS.road)}: ${road.join(", ") || "-"}`);
  }
}

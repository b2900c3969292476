/** Under the table: the plug, each device's cable, and the disk of the ledger. */

import { put } from "../common/frame.js";
import { say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button, mark, svg, write } from "./elements.js";

const PICTURES = {
  power: "M8 3v6M16 3v6M5 9h14v4a7 7 0 0 1-14 0ZM12 20v3",
  cable: "M4 12h5M15 12h5M9 8h6v8H9ZM11 8V5M13 8V5",
  disk: "M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0ZM4 6c0 4 16 4 16 0M4 12c0 4 16 4 16 0",
};
const ORDER = ["panel", "rail", "display", "shuffler", "shoe"];

export class Cables {
  /**
   * @param {HTMLElement} root
   * @param {import("./acts.js").Acts} acts
   */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    this.switches = [];
  }

  build(table) {
    this.root.replaceChildren();
    const devices = ORDER.filter((device) => table.devices.includes(device));
    this.switches = [
      this.#switch("power", "power", {
        on: ({ snapshot }) => snapshot.powered,
        words: [WORDS.powerOn, WORDS.powerOff],
        line: (on) => `power ${on ? "off" : "on"}`,
      }),
      ...devices.map((device) => this.#switch("cable", `devices.${device}`, {
        on: ({ cabinet }) => !cabinet.unplugged.includes(device),
        words: [WORDS.plugged, WORDS.unplugged],
        ending: WORDS.endings[device],
        line: (on) => `${on ? "unplug" : "plug"} ${device}`,
      })),
      this.#switch("disk", "disk", {
        on: ({ cabinet }) => !cabinet.disk_full,
        words: [WORDS.diskOk, WORDS.diskFull],
        line: (on) => `disk ${on ? "full" : "ok"}`,
      }),
    ];
  }

  /** @param {import("./main.js").View} view */
  show(view) {
    for (const { root, state, on, words, ending } of this.switches) {
      const now = on(view);
      mark(root, "aria-pressed", String(now));
      write(state, say(words[now ? 0 : 1], { ending: ending ? say(ending) : "" }));
    }
  }

  #switch(picture, name, { on, words, ending, line }) {
    const root = button(this.root, `cable ${picture}`, "", () =>
      this.acts.do(line(root.getAttribute("aria-pressed") === "true"), root));
    root.dataset.switch = name;
    const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, root);
    svg("path", { d: PICTURES[picture] }, icon);
    const text = put("span", "cable-words", root);
    put("b", "", text).dataset.word = name;
    return { root, state: put("span", "cable-state", text), on, words, ending };
  }
}

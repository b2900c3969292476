/** A dialog to draw a chosen card from a reading shoe, right or wrong. */

import { put } from "../common/frame.js";
import { onLanguage, say } from "../common/language.js";
import { WORDS } from "../words/cabinet.js";
import { button } from "./elements.js";
import { RANKS, SUIT_LETTERS, faceUp, spoken } from "./playing_card.js";

const PLACES = { asRule: "", toPUNTO: "to PUNTO ", toBANCO: "to BANCO " };

export class CardPicker {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("./acts.js").Acts} acts
   */
  constructor(dialog, acts) {
    this.dialog = dialog;
    this.acts = acts;
    this.place = "asRule";
    onLanguage(() => this.dialog.open && this.#write());
  }

  /** @param {HTMLElement} opener */
  open(opener) {
    this.opener = opener;
    this.place = "asRule";
    this.#write();
    this.dialog.showModal();
  }

  #write() {
    this.dialog.replaceChildren();
    put("h2", "", this.dialog, say(WORDS.pickCard));
    const places = put("fieldset", "", this.dialog);
    put("legend", "", places, say(WORDS.toWhom));
    for (const place of Object.keys(PLACES)) {
      this.#place(places, place);
    }
    const table = put("div", "card-table", this.dialog);
    for (const suit of SUIT_LETTERS) {
      RANKS.forEach((rank) => this.#card(table, rank + suit));
    }
    const close = button(this.dialog, "", "", () => this.dialog.close());
    close.textContent = say(WORDS.close);
  }

  #place(where, place) {
    const label = put("label", "", where);
    const radio = /** @type {HTMLInputElement} */ (put("input", "", label));
    Object.assign(radio, { type: "radio", name: "place", checked: place === this.place });
    radio.addEventListener("change", () => {
      this.place = place;
    });
    label.append(` ${say(WORDS.drawTo[place])}`);
  }

  #card(where, name) {
    const card = button(where, "card-choice", "", () => {
      this.dialog.close();
      this.acts.do(`draw ${PLACES[this.place]}${name}`, this.opener);
    });
    card.setAttribute("aria-label", spoken(name));
    faceUp(card, name);
  }
}

/** What every page has around it: the banner of a simulation, and the notice of a lost table. */

import { WORDS } from "../words/common.js";
import { language, onLanguage, say } from "./language.js";

/**
 * Lay the banner over the top of the page, in both languages; it cannot be scrolled away.
 * @param {boolean} simulated
 */
export function showBanner(simulated) {
  document.querySelector(".banner")?.remove();
  document.documentElement.classList.toggle("simulated", simulated);
  if (simulated) {
    const banner = put("aside", "banner", document.body);
    for (const name of [language(), language() === "it" ? "en" : "it"]) {
      put("span", "", banner, WORDS.banner[name]).lang = name;
    }
    document.body.prepend(banner);
  }
}

/** The notice over a page that has lost its table; meanwhile the page cannot be used. */
export class LostNotice {
  /**
   * @param {HTMLElement} page what is covered
   * @param {{it: string, en: string}} [lost] what is lost
   */
  constructor(page, lost = WORDS.lost) {
    this.page = page;
    this.lost = lost;
    this.at = null;
    this.notice = put("div", "lost", document.body);
    this.notice.setAttribute("role", "alert");
    this.notice.hidden = true;
    onLanguage(() => this.#write());
  }

  /** @param {boolean} there @param {Date|null} [lastHeard] when the table was heard last */
  show(there, lastHeard = null) {
    this.at = there ? null : lastHeard;
    this.notice.hidden = there;
    this.page.inert = !there;
    this.#write();
  }

  #write() {
    if (this.at === null) {
      this.notice.replaceChildren();
      return;
    }
    const time = this.at.toLocaleTimeString(language() === "it" ? "it-IT" : "en-GB");
    const words = put("div", "lost-words");
    put("strong", "", words, say(this.lost));
    put("p", "", words, `${say(WORDS.lastKnown, { time })} ${say(WORDS.recovers)}`);
    this.notice.replaceChildren(words);
  }
}

/**
 * A new element: its class, where it goes, its text.
 * @param {string} name
 * @param {string} [kind]
 * @param {Element|null} [where]
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function put(name, kind = "", where = null, text = "") {
  const element = document.createElement(name);
  if (kind) {
    element.className = kind;
  }
  if (text) {
    element.textContent = text;
  }
  where?.append(element);
  return element;
}

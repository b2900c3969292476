/** Which part of the page is shown. It is in the address, so that going back and links work. */

const at = (id) => document.getElementById(id);
const VIEWS = ["now", "rounds", "round", "nights", "plots", "compare", "rake", "help"];

/** Parts that belong to another part's link in the bar. */
const LINK = { round: "rounds" };

export class Views {
  /** @param {(view: string, number: number|null) => void} shown */
  constructor(shown) {
    this.shown = shown;
    this.open = false;
    addEventListener("hashchange", () => this.#show(true));
  }

  /** The part that is shown; "" while nobody has entered. */
  get current() {
    return this.open ? this.#fromAddress().view : "";
  }

  /** Somebody has entered, or has left. @param {boolean} open */
  set(open) {
    const opened = open && !this.open;
    this.open = open;
    at("views").hidden = !open;
    if (opened || !open) {
      this.#show(false);
    }
  }

  #fromAddress() {
    const [view, number] = location.hash.slice(1).split("/");
    const known = VIEWS.includes(view) && (view !== "round" || /^[0-9]{1,9}$/.test(number));
    return known ? { view, number: Number(number ?? 0) } : { view: "now", number: 0 };
  }

  #show(moved) {
    const { view, number } = this.#fromAddress();
    for (const name of VIEWS) {
      at(`view-${name}`).hidden = !this.open || name !== view;
    }
    if (!this.open) {
      return;
    }
    for (const link of at("views").querySelectorAll("a")) {
      const current = link.hash === `#${LINK[view] ?? view}`;
      link.toggleAttribute("aria-current", current);
      if (current) {
        link.setAttribute("aria-current", "page");
      }
    }
    if (moved) {
      at("main").focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    this.shown(view, number);
  }
}

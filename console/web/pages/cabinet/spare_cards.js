/** Changed cards: a stack to drag cards from onto a seat, and back. */

import { put } from "../common/frame.js";
import { dragCard } from "./drag.js";

export class SpareCards {
  /**
   * @param {HTMLElement} root
   * @param {import("./acts.js").Acts} acts
   */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
  }

  build(table) {
    this.root.hidden = table.rail === null;
    this.root.replaceChildren();
    const stack = put("div", "spare-stack", this.root);
    put("span", "card-back", stack);
    put("span", "card-back", stack);
    const top = put("span", "card-back spare-top", stack);
    dragCard(top, { from: null, acts: this.acts });
    stack.dataset.title = "dragCard";
  }

  show() {
    // It never changes.
  }
}

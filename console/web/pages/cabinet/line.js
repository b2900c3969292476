/** A line to type any act into; the arrows bring back what was typed. */

const KEPT = 50;

export class TypedLine {
  /**
   * @param {HTMLFormElement} form
   * @param {import("./acts.js").Acts} acts
   */
  constructor(form, acts) {
    this.input = form.querySelector("input");
    this.typed = [];
    this.at = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const line = this.input.value.trim();
      if (line) {
        acts.do(line, this.input);
        this.typed = [...this.typed, line].slice(-KEPT);
        this.at = this.typed.length;
        this.input.value = "";
      }
    });
    this.input.addEventListener("keydown", (event) => this.#recall(event));
  }

  #recall(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      this.at = Math.min(Math.max(this.at + by, 0), this.typed.length);
      this.input.value = this.typed[this.at] ?? "";
    }
  }
}

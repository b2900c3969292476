/**
 * A screen whose letters are wider than those the sign was drawn with: the amount is made smaller
 * until there is room for it.
 * @param {HTMLElement} element its font size takes `--squeeze` as a factor
 */
export function fit(element) {
  element.style.setProperty("--squeeze", "1");
  const room = element.parentElement.clientWidth;
  if (element.scrollWidth > room && room > 0) {
    element.style.setProperty("--squeeze", String(room / element.scrollWidth));
  }
}

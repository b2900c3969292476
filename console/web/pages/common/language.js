/**
 * The language of a page: the table's, unless the address says `?lang=it|en` or somebody switches;
 * a simulated cabinet's page prefers the browser's.
 *
 * A word is `{it: "...", en: "..."}`. A page's words are served as words/PAGE.js, which is made of
 * console/texts/page_words.py. In HTML, `data-word="name"` stands for an element's text, `data-label`
 * for its aria-label, `data-title` for its title; `group.name` is a word of a group.
 */

export const LANGUAGES = ["it", "en"];

const ATTRIBUTES = { label: "aria-label", title: "title" };

const listeners = new Set();
let chosen = fromAddress();
let current = chosen ?? languageOf(document.documentElement.lang) ?? "it";
document.documentElement.lang = current;

/** The language the page is in. */
export function language() {
  return current;
}

/**
 * The table's own language; it counts where nobody has chosen another one.
 * @param {string} name
 */
export function setTableLanguage(name) {
  if (chosen === null && languageOf(name)) {
    change(name);
  }
}

/**
 * The browser's language counts before the table's, on a page that is only for whoever looks at it:
 * the first of its languages that there is. A choice in the address counts before it.
 */
export function preferBrowserLanguage() {
  const known = navigator.languages.map((tag) => languageOf(tag.slice(0, 2))).find((name) => name !== null);
  if (chosen === null && known) {
    chosen = known;
    change(known);
  }
}

/**
 * Somebody chooses; the address remembers it.
 * @param {"it"|"en"} name
 */
export function chooseLanguage(name) {
  chosen = name;
  const address = new URL(location.href);
  address.searchParams.set("lang", name);
  history.replaceState(null, "", address);
  change(name);
}

/**
 * The next of these languages, unless somebody has chosen one.
 * @param {string[]} languages
 */
export function alternateLanguage(languages) {
  if (chosen === null && languages.length > 1) {
    change(languages[(languages.indexOf(current) + 1) % languages.length]);
  }
}

/**
 * Make a button the switch: it names the other language, in that language.
 * @param {HTMLButtonElement} button
 */
export function languageSwitch(button) {
  const names = { it: "Italiano", en: "English" };
  const show = () => {
    const other = current === "it" ? "en" : "it";
    button.textContent = names[other];
    button.lang = other;
  };
  button.addEventListener("click", () => chooseLanguage(button.lang));
  listeners.add(show);
  show();
}

/**
 * Be called whenever the language has changed.
 * @param {(language: string) => void} listener
 */
export function onLanguage(listener) {
  listeners.add(listener);
}

/**
 * A word in the language of the page, its `{names}` replaced; an unknown word is an error.
 * @param {{it: string, en: string}} word
 * @param {Record<string, string|number>} [values]
 */
export function say(word, values = {}) {
  return word[current].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/**
 * Write a page's words into the elements that name them.
 * @param {ParentNode} root
 * @param {Record<string, any>} words
 */
export function translate(root, words) {
  for (const element of root.querySelectorAll("[data-word]")) {
    element.textContent = say(wordAt(words, element.dataset.word));
  }
  for (const [name, attribute] of Object.entries(ATTRIBUTES)) {
    for (const element of root.querySelectorAll(`[data-${name}]`)) {
      element.setAttribute(attribute, say(wordAt(words, element.dataset[name])));
    }
  }
}

function wordAt(words, path) {
  return path.split(".").reduce((part, name) => part[name], words);
}

function fromAddress() {
  return languageOf(new URLSearchParams(location.search).get("lang"));
}

function languageOf(name) {
  return LANGUAGES.includes(name) ? name : null;
}

function change(name) {
  if (name !== current) {
    current = name;
    document.documentElement.lang = name;
    listeners.forEach((listener) => listener(name));
  }
}

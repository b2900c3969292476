/** Questions to the page's process: answered, or refused with a text in both languages. */

import { language } from "./language.js";
import { WORDS } from "../words/common.js";

const WITHIN_MS = 20000;
const MOST_TIMES = 40;
const AGAIN_MS = 250;

/** Where the page that people enter is served: /supervisor. */
const PAGE = document.documentElement.dataset.page;

/** A request was refused, or got no answer (`code` SILENT). */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {{it: string, en: string}} text
   * @param {number} [waitS] no use to ask again before
   */
  constructor(code, text, waitS = 0) {
    super(code);
    this.code = code;
    this.text = text;
    this.waitS = waitS;
  }

  /** The text for people. */
  get words() {
    return this.text[language()];
  }
}

/**
 * Ask for an address behind the page that people have entered.
 * @param {string} path
 * @param {Record<string, string|number|null>} [values] its parameters; null: left out
 * @param {{byItself?: boolean}} [how] `byItself`: an automatic request, which does not extend the session
 */
export async function ask(path, values = {}, { byItself = false } = {}) {
  const headers = byItself ? { "X-By-Itself": "yes" } : {};
  return answerOf(path + queryOf(values), { headers });
}

/**
 * Ask until the answer is whole; `each` gets every answer on the way.
 * @param {string} path
 * @param {Record<string, string|number|null>} values
 * @param {{byItself?: boolean}} how
 * @param {(answer: any) => boolean} each returns false to stop asking
 */
export async function askOn(path, values, how, each) {
  for (let times = 0; times < MOST_TIMES; times += 1) {
    const answer = await ask(path, values, times === 0 ? how : { byItself: true });
    if (!each(answer) || !answer.more) {
      return;
    }
    await new Promise((later) => { setTimeout(later, AGAIN_MS); });
  }
}

/**
 * Send something: a login, a logout.
 * @param {string} path
 * @param {object} body
 */
export async function send(path, body) {
  const headers = { "Content-Type": "application/json" };
  return answerOf(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/**
 * The address of a file behind the page that people have entered.
 * @param {string} path
 * @param {Record<string, string|number|null>} values
 */
export function addressOf(path, values) {
  return `${PAGE}/${path}${queryOf(values)}`;
}

function queryOf(values) {
  const known = Object.entries(values).filter(([, value]) => value !== null);
  return known.length ? `?${new URLSearchParams(known)}` : "";
}

async function answerOf(path, options) {
  const waiting = { ...options, cache: "no-store", signal: AbortSignal.timeout(WITHIN_MS) };
  let response;
  let answer;
  try {
    response = await fetch(`${PAGE}/${path}`, waiting);
    answer = await response.json();
  } catch {
    throw new Refused("SILENT", WORDS.silent);
  }
  if (!response.ok) {
    throw new Refused(answer.refused, answer.text, answer.wait_s);
  }
  return answer;
}

/** Amounts: exact, as text `12345.67` or as whole cents. */

const SEPARATORS = { it: { thousands: ".", decimal: "," }, en: { thousands: ",", decimal: "." } };

/**
 * `-12345.67` as whole cents. Throws RangeError for what is no amount.
 * @param {string} text
 */
export function cents(text) {
  const parts = /^(-?)(\d+)\.(\d\d)$/.exec(text);
  const value = parts ? Number(parts[2]) * 100 + Number(parts[3]) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`no amount: ${text}`);
  }
  return parts[1] ? -value : value;
}

/**
 * Whole cents as the language writes them: `12.345,67` or `12,345.67`.
 * @param {number} value
 * @param {"it"|"en"} language
 */
export function formatCents(value, language) {
  const { thousands, decimal } = SEPARATORS[language];
  const digits = String(Math.abs(value)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${value < 0 ? "-" : ""}${whole}${decimal}${digits.slice(-2)}`;
}

/**
 * A whole number as the language writes it: `12.345` or `12,345`.
 * @param {number} count
 * @param {"it"|"en"} language
 */
export function formatCount(count, language) {
  return formatCents(count * 100, language).slice(0, -3);
}

const MAX = "MAX";

let tables = { code: "EUR", currency: "EUR", limit: null };

/**
 * The currency of the table's amounts, perhaps with a symbol of the house's, and its jackpot's limit.
 * @param {{currency: string, limit: string|null, symbol?: string}} table
 */
export function setPrizes({ currency, limit, symbol }) {
  tables = { code: currency, currency: symbol || currency, limit };
}

/** The currency of the table's amounts. */
export function currency() {
  return tables.currency;
}

/**
 * How an earlier amount's currency is written: the table may have another one now.
 * @param {string} code
 */
export function currencyOf(code) {
  return code === tables.code ? tables.currency : code;
}

/**
 * An amount of a message, as the language writes it, with its currency: `12.345,67 EUR`.
 * @param {string} text
 * @param {"it"|"en"} language
 */
export function money(text, language) {
  return moneyIn(text, tables.currency, language);
}

/**
 * The same in another currency than the table's.
 * @param {string} text
 * @param {string} currency
 * @param {"it"|"en"} language
 */
export function moneyIn(text, currency, language) {
  return `${formatCents(cents(text), language)} ${currency}`;
}

/**
 * Whether the jackpot has reached its limit.
 * @param {number} value whole cents
 */
export function isAtLimit(value) {
  return tables.limit !== null && value >= cents(tables.limit);
}

/**
 * The jackpot, with `MAX` where it has reached its limit: `10.000,00 EUR MAX`.
 * @param {number} value whole cents
 * @param {"it"|"en"} language
 */
export function jackpotMoney(value, language) {
  const written = `${formatCents(value, language)} ${tables.currency}`;
  return isAtLimit(value) ? `${written} ${MAX}` : written;
}

/**
 * A share in basis points as the page's language writes it, without the sign.
 * @param {number} share
 * @param {"it"|"en"} language
 */
export function percent(share, language) {
  const whole = Math.floor(share / 100);
  const rest = String(share % 100).padStart(2, "0").replace(/0+$/, "");
  return rest ? `${whole}${SEPARATORS[language].decimal}${rest}` : String(whole);
}

/** What the sign says by itself, in both languages; the combinations' names come from the table. */

export const TEXTS = {
  lastWins: { it: "Ultime vincite", en: "Last wins" },
  noWins: { it: "Ancora nessuna vincita", en: "No win yet" },
  unread: { it: "Vincite non disponibili", en: "Wins are not available" },
  shoe: { it: "Sabot", en: "Shoe" },
  bead: { it: "Tabella dei colpi", en: "Bead road" },
  big: { it: "Grande strada", en: "Big road" },
};

export const JACKPOT = { it: "JACKPOT", en: "JACKPOT" };
export const STILL = { it: "Jackpot", en: "Jackpot" };

export const AWARD = {
  pending: { it: "In verifica", en: "Being checked" },
  paid: { it: "Complimenti!", en: "Congratulations!" },
  each: { it: "{winners} vincitori, {each} EUR ciascuno", en: "{winners} winners, {each} EUR each" },
  again: { it: "Il jackpot riparte da {amount} EUR", en: "The jackpot starts again from {amount} EUR" },
  remains: { it: "Jackpot {amount} EUR", en: "Jackpot {amount} EUR" },
};

/** A win in the list: how many shared it. */
export const SHARED = { it: "{winners} x {each}", en: "{winners} x {each}" };

/** Names that the two-line display has no room for. */
export const COMBINATIONS = {
  DOUBLE_THREE_PLAYER: { it: "DOUBLE TRE GIOCATORE", en: "DOUBLE THREE PLAYER" },
  DOUBLE_THREE_DEALER: { it: "DOUBLE TRE BANCO", en: "DOUBLE THREE DEALER" },
};

const OPEN = { it: "Puntate aperte", en: "Bets open" };
const CLOSED = { it: "Puntate chiuse", en: "Bets closed" };
const TABLE_CLOSED = { it: "Tavolo chiuso", en: "Table closed" };
const OUT = { it: "Tavolo fuori servizio", en: "Table out of service" };

/** Betting was opened, but the table takes no bets: its ledger or its rail does not answer. */
export const SUSPENDED = { it: "Puntate sospese", en: "Betting suspended" };

/** Of a table with a jackpot: PAUSED is closed, for the night or for a hand without stakes. */
export const PROGRESSIVE_PHASES = {
  PAUSED: TABLE_CLOSED,
  BETTING: OPEN,
  COLLECTING: CLOSED,
  PLAYING: CLOSED,
  AWARDING: CLOSED,
  SERVICE: OUT,
};

/** Of a table without: PAUSED is a hand being played. */
export const PHASES = { ...PROGRESSIVE_PHASES, PAUSED: CLOSED };

/** With none left, one, two, three; then MANY_HANDS. */
export const LAST_HANDS = [
  { it: "Fine del gioco", en: "End of the game" },
  { it: "Ultima mano", en: "Last hand" },
  { it: "Ultime due mani", en: "Last two hands" },
  { it: "Ultime tre mani", en: "Last three hands" },
];
export const MANY_HANDS = { it: "Ultime {hands} mani", en: "Last {hands} hands" };

export const LOST = {
  it: "Collegamento con il tavolo interrotto. Ultimo stato noto alle {time}",
  en: "The table is out of reach. Last known at {time}",
};

export const SIDES = {
  PUNTO: { it: "Punto", en: "Punto" },
  BANCO: { it: "Banco", en: "Banco" },
  EGALITE: { it: "Egalité", en: "Egalité" },
};

export const COUP = {
  PUNTO: { it: "Vince punto", en: "Punto wins" },
  BANCO: { it: "Vince banco", en: "Banco wins" },
  EGALITE: { it: "Egalité", en: "Egalité" },
  VOID: { it: "Colpo nullo", en: "Coup void" },
  last: { it: "Ultimo colpo", en: "Last coup" },
  remaining: { it: "{cards} carte nel sabot", en: "{cards} cards in the shoe" },
  next: { it: "Carta a {side}", en: "Card to {side}" },
  between: { it: "In attesa del colpo", en: "Waiting for the coup" },
  noShoe: { it: "Nessun sabot", en: "No shoe" },
};

/** One letter in a bead: PUNTO, BANCO, EGALITE, VOID. */
export const BEADS = { PUNTO: "P", BANCO: "B", EGALITE: "E", VOID: "\u2013" };

/** What the floor manager declares, by the kind of the game. */

import { WORDS } from "../words/cabinet.js";
import { amount, clockTime, number, rakeCap, rakeParts } from "./drawer_fields.js";

const SEAT = { from: 1, to: 7, first: 1 };

const LAST_HANDS = { line: "declare last-hands #", number: { from: 1, to: 99, first: 3 }, word: WORDS.acts.lastHands };

/**
 * The acts: each `#` in a line stands for what is typed beside the button, `number` or the `fields` of
 * a table; `needs`: as in the help.
 */
const OF_CARDS = [
  { line: "declare hand-void #", number: SEAT, needs: "rail", word: WORDS.acts.handVoid },
  { line: "declare hand-void # returned", number: SEAT, needs: "rail", word: WORDS.acts.handReturned },
  { line: "declare round-void", needs: "shuffler", word: WORDS.acts.roundVoid },
  LAST_HANDS,
  {
    line: "declare tray #", number: { from: 0, to: 999999, first: 0 }, needs: "rail",
    word: WORDS.acts.trayCounted,
  },
  { line: "declare deck-replaced", needs: "shuffler", word: WORDS.acts.deckReplaced },
  { line: "declare shoe-replaced", needs: "shoe", word: WORDS.acts.shoeReplaced },
  { line: "declare coup-void", needs: "shoe", word: WORDS.acts.coupVoid },
  { line: "declare coup-without-stakes", needs: "shoe", word: WORDS.acts.coupWithoutStakes },
  { line: "declare card-annulled", needs: "shoe", word: WORDS.acts.cardAnnulled },
];

const levelsOf = (table) => table.poker.steps.filter((blinds) => blinds !== "").length;

const clockFields = (table) => [
  number({ from: 1, to: levelsOf(table), first: 1 }, WORDS.fields.level),
  clockTime("10:00"),
];

/** `form`, `house`: only there; `notAt`: the house that has it not. */
const OF_POKER = [
  { line: "declare clock start", form: "tournament", word: WORDS.acts.clockStart },
  { line: "declare clock stop", form: "tournament", word: WORDS.acts.clockStop },
  { line: "declare clock set # #", form: "tournament", fields: clockFields, word: WORDS.acts.clockSet },
  { line: "declare hand-for-hand on", form: "tournament", word: WORDS.acts.eachOn },
  { line: "declare go", form: "tournament", word: WORDS.acts.go },
  { line: "declare hand-for-hand off", form: "tournament", word: WORDS.acts.eachOff },
  { line: "declare break #", form: "tournament", fields: () => [clockTime("10:00")], word: WORDS.acts.extraBreak },
  { line: "declare match-new", form: "tournament", word: WORDS.acts.matchNew },
  { line: "declare prior-level", form: "tournament", word: WORDS.acts.priorLevel },
  {
    line: "declare jackpot-hit #", form: "tournament", number: { from: 1, to: 11, first: 1 },
    word: WORDS.acts.jackpotHit,
  },
  { line: "declare players #", number: { from: 2, to: 11, first: 9 }, word: WORDS.acts.players },
  { line: "declare boards #", form: "cash", number: { from: 2, to: 3, first: 2 }, word: WORDS.acts.boards },
  { line: "declare board-corrected", word: WORDS.acts.boardCorrected },
  { line: "declare round-void", word: WORDS.acts.handNull },
  { line: "declare change", word: WORDS.acts.change },
  { line: "declare time #", number: { from: 10, to: 60, first: 10 }, word: WORDS.acts.time },
  { line: "declare time normal", word: WORDS.acts.timeNormal },
  { line: "declare rake #", form: "cash", fields: () => [rakeParts()], word: WORDS.acts.rakeCorrected },
  { line: "declare rake none", form: "cash", word: WORDS.acts.rakeNone },
  { line: "declare rake-cap #", form: "cash", notAt: "prestige", fields: () => [rakeCap()], word: WORDS.acts.rakeCap },
  { line: "declare half-rake on", form: "cash", house: "prestige", word: WORDS.acts.halfOn },
  { line: "declare half-rake off", form: "cash", house: "prestige", word: WORDS.acts.halfOff },
  LAST_HANDS,
  { line: "declare drop #", form: "cash", fields: () => [amount()], word: WORDS.acts.drop },
];

export const DECLARATIONS = { cards: OF_CARDS, poker: OF_POKER };

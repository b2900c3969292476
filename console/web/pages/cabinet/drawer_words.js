/** The acts in the drawer. `#` in a line stands for the number beside it; `needs`: as in the help. */

const SEAT = { from: 1, to: 7, first: 1 };

/** What does not go away by itself (docs/rules.md, section 7). */
export const CLEARED = [
  "TRAY_COUNT", "TOKENS_UNKNOWN", "ACCEPTOR_CHANGED", "LEDGER_FAULT", "LEDGER_CORRUPT",
];

export const WORDS = {
  floorManager: { it: "Il capotavolo dichiara", en: "The floor manager declares" },
  technician: { it: "Il tecnico", en: "The technician" },
  prepare: { it: "Preparare", en: "To prepare" },
  clear: { it: "Azzera", en: "Clear" },
  clearNote: {
    it: "I guasti si azzerano con la chiave in S.",
    en: "Faults are cleared with the key at S.",
  },
  nothingToClear: { it: "Niente da azzerare.", en: "Nothing to clear." },
};

export const DECLARATIONS = [
  {
    line: "declare hand-void #", number: SEAT, needs: "rail",
    word: { it: "Mano nulla al posto", en: "Hand void at seat" },
  },
  {
    line: "declare hand-void # returned", number: SEAT, needs: "rail",
    word: { it: "Mano nulla, gettone restituito", en: "Hand void, token returned" },
  },
  { line: "declare round-void", needs: "shuffler", word: { it: "Tutte le mani nulle", en: "Round void" } },
  {
    line: "declare last-hands #", number: { from: 1, to: 99, first: 3 },
    word: { it: "Ultime mani", en: "Last hands" },
  },
  {
    line: "declare tray #", number: { from: 0, to: 999999, first: 0 }, needs: "rail",
    word: { it: "Gettoni contati nella vaschetta", en: "Tokens counted in the tray" },
  },
  { line: "declare deck-replaced", needs: "shuffler", word: { it: "Mazzo sostituito", en: "Deck replaced" } },
  { line: "declare shoe-replaced", needs: "shoe", word: { it: "Sabot sostituito", en: "Shoe replaced" } },
  { line: "declare coup-void", needs: "shoe", word: { it: "Colpo nullo", en: "Coup void" } },
  {
    line: "declare coup-without-stakes", needs: "shoe",
    word: { it: "Colpo senza giocate", en: "Coup without stakes" },
  },
  { line: "declare card-annulled", needs: "shoe", word: { it: "Carta annullata", en: "Card annulled" } },
];

export const PREPARED = [
  {
    line: "deck load red #", number: { from: 0, to: 999, first: 51 }, needs: "shuffler",
    word: { it: "Mazzo rosso di N carte", en: "Red deck of N cards" },
  },
  {
    line: "deck load blue #", number: { from: 0, to: 999, first: 51 }, needs: "shuffler",
    word: { it: "Mazzo blu di N carte", en: "Blue deck of N cards" },
  },
  {
    line: "shoe load #", number: { from: 0, to: 999, first: 20 }, needs: "shoe",
    word: { it: "Sabot di N carte", en: "Shoe of N cards" },
  },
  {
    line: "shoe burn #", number: { from: 0, to: 999, first: 5 }, needs: "shoe",
    word: { it: "Brucia N carte", en: "Burn N cards" },
  },
];

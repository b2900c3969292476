"""The meaning and the result of declarations, in both languages."""

from collections.abc import Mapping

from console.line.requests import Done
from console.texts.language import Language, Words
from console.texts.layout.paragraphs import label_text
from console.texts.record_texts import decision_words
from console.texts.record_vocabulary import OUTCOMES

MEANINGS: Mapping[str, Words] = {
    "hand-void": Words(
        "mano del posto nulla, il gettone resta (returned: si rende)",
        "that seat's hand is void, its token stays (returned: it is given back)",
    ),
    "round-void": Words(
        "tutte le mani nulle, carte da ridare", "all hands void, the cards are dealt again"
    ),
    "last-hands": Words(
        "il display conta le ultime mani", "the display counts down the last hands"
    ),
    "tray": Words("gettoni contati a mano alla chiusura", "tokens counted by hand at closing"),
    "deck-replaced": Words(
        "il prossimo mazzo può avere lo stesso dorso", "the next deck may have the same back"
    ),
    "coup-void": Words("il colpo è nullo", "the coup is void"),
    "coup-without-stakes": Words("colpo senza giocate", "a coup without stakes"),
    "card-annulled": Words("l'ultima carta estratta non vale", "the card drawn last is annulled"),
    "shoe-replaced": Words("il sabot è portato via", "the shoe is taken away"),
    "boards": Words("carte su 2 o 3 board da qui in poi", "2 or 3 boards from here on"),
    "board-corrected": Words(
        "un board sbagliato è stato corretto", "a board that was dealt wrongly was mended"
    ),
    "time": Words(
        "durata delle prossime chiamate di tempo, o normal",
        "how long later calls of time last, or normal",
    ),
    "clock": Words("start, stop, o set LIVELLO 7m", "start, stop, or set LEVEL 7m"),
    "break": Words("pausa straordinaria, subito: 10m", "an extra break at once: 10m"),
    "match-new": Words(
        "nuovo match: l'orologio riparte dal livello 1, fermo",
        "a new match: the clock starts again from level 1, standing",
    ),
    "prior-level": Words(
        "la mano in corso tiene i bui del livello precedente",
        "the hand in play keeps the blinds of the level before",
    ),
    "hand-for-hand": Words("on, off: mano per mano", "on, off: hand for hand"),
    "go": Words("la prossima mano può iniziare", "the next hand may begin"),
    "change": Words("il mazzo è da cambiare", "the deck is to be changed"),
    "half-rake": Words("on, off: metà rake (prestige)", "on, off: half of the rake (prestige)"),
    "jackpot-hit": Words(
        "jackpot del torneo vinto, verificato", "the tournament jackpot was hit, and verified"
    ),
    "players": Words(
        "giocatori dalla prossima mano, 2 a 11", "players from the next hand on, 2 to 11"
    ),
    "rake": Words(
        "rake dell'ultima mano: 5+10+15, o none", "the last hand's rake: 5+10+15, or none"
    ),
    "rake-cap": Words(
        "massimo della rake dalla prossima mano: 30, o 2:10 5:20",
        "the rake's cap from the next hand on: 30, or 2:10 5:20",
    ),
    "drop": Words("cassetta della rake contata alla chiusura", "the rake box counted at closing"),
}


def result_lines(done: Done, language: Language) -> list[str]:
    """The result of an act: decisions, each account before and after, the phase."""
    decided = [*decision_words(done.decisions, language)]
    if done.outcome in OUTCOMES:
        decided.insert(0, OUTCOMES[done.outcome].in_(language))
    lines = label_text("", "; ".join(decided)) if decided else []
    for account, (before, after) in done.accounts.items():
        lines += label_text(account, f"{before} -> {after}")
    phase = Words("fase", "phase").in_(language)
    return [*lines, *(label_text(phase, done.phase) if done.phase else ())]

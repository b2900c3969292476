"""The words of a poker table's records in both languages: decisions, and what time ends."""

from collections.abc import Iterator, Mapping
from typing import Any

from console.texts.language import Words

POKER_DECISIONS: Mapping[str, Words] = {
    "hand-begun": Words("mano, {players} giocatori", "hand, {players} players"),
    "players-now": Words("giocatori {players}, erano {before}", "players {players}, were {before}"),
    "players-changed": Words(
        "DALL'ULTIMA MANO: giocatori da {before} a {players}",
        "SINCE THE LAST HAND: players from {before} to {players}",
    ),
    "street-out": Words("{street}", "{street}"),
    "street-back": Words("{street} tolto", "{street} taken back"),
    "chip-entered": Words("fiche da {cents}, piatto {pot}", "chip of {cents}, pot {pot}"),
    "chip-back": Words(
        "tolta la fiche da {cents}, piatto {pot}", "chip of {cents} back, pot {pot}"
    ),
    "side-pot-begun": Words("piatto {pot}", "pot {pot}"),
    "side-pot-back": Words("piatto {pot} tolto", "pot {pot} taken back"),
    "dealt": Words("carte date, distribuzione {deal}", "cards dealt, deal {deal}"),
    "misdeal": Words("misdeal", "misdeal"),
    "hand-over": Words("mano finita", "hand over"),
    "new-dealer": Words("cambio mazziere", "new dealer"),
    "deck-changed": Words("mazzo cambiato", "deck changed"),
    "level-announced": Words("livello {level}", "level {level}"),
    "break-announced": Words("pausa", "break"),
    "time-called": Words("tempo chiamato", "time called"),
    "time-expired": Words("tempo scaduto", "time is up"),
    "dispute-over": Words("mano non più contestabile", "the hand can be disputed no more"),
    "rake-taken": Words("rake {parts}", "rake {parts}"),
    "rake-corrected": Words("mano {hand}: rake ora {parts}", "hand {hand}: rake now {parts}"),
    "jackpot-hit": Words("quota {share} %", "share {share} %"),
    "drop-counted": Words(
        "attesi {expected_cents}, differenza {difference_cents}",
        "expected {expected_cents}, difference {difference_cents}",
    ),
}

OVER: Mapping[str, Words] = {
    "level": Words("livello finito", "level over"),
    "break": Words("pausa finita", "break over"),
    "time-expired": Words("fine del tempo chiamato", "time call over"),
    "dispute-over": Words("passato un minuto dalla mano", "a minute after the hand"),
}
CLOCK_LEFT = Words("orologio: restano {left}", "clock: {left} left")
PLAYERS_SHOWN = Words("giocatori non più sul display", "players no longer on the display")


def describe_elapsed(body: Mapping[str, Any], at_ms: int) -> Words | None:
    """What time alone did at a poker table; None: another game's record.

    `at_ms`: the record's time. A clock that was only noted has what it has left since then.
    """
    changes, decisions = body.get("changes"), body.get("decisions")
    poker = changes.get("poker") if isinstance(changes, Mapping) else None
    if not isinstance(poker, Mapping):
        return None
    over = list(_what_is_over(decisions if isinstance(decisions, list) else []))
    if over:
        return Words(", ".join(one.it for one in over), ", ".join(one.en for one in over))
    clock = poker.get("clock")
    if isinstance(clock, Mapping) and clock.get("at") == at_ms:
        minutes, seconds = divmod(-(-int(clock.get("left_ms", 0)) // 1000), 60)
        left = f"{minutes:02}:{seconds:02}"
        return Words(CLOCK_LEFT.it.format(left=left), CLOCK_LEFT.en.format(left=left))
    return PLAYERS_SHOWN


def _what_is_over(decisions: list[Any]) -> Iterator[Words]:
    for decision in decisions:
        words = OVER.get(decision.get("after", decision.get("decision", "")))
        if words is not None:
            yield words

"""What a scenario expects people to see, compared with the table (docs/reference/scenarios.md)."""

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from console.rules.codes import Fault, Phase, Refusal
from console.rules.observation import Observation
from console.rules.poker.poker_shown import PokerSeen
from console.rules.poker_state import Street
from console.rules.typed import LineError, number_in, one_of, parse_blinds, seats_of, words_of
from console.simulation.scenario.acts import Vocabulary
from devices.card_reports import Back
from devices.roles import Lamp
from jackpot.foreign_text import quote
from jackpot.money.amounts import Cents, format_cents, parse_cents

_CLOCK = re.compile(r"[0-9]{1,4}:[0-5][0-9]")
_PARTS = re.compile(r"[0-9]{1,6}(\+[0-9]{1,6})*")


def _read_number(what: str, *others: str) -> Callable[[list[str]], str]:
    def read(words: list[str]) -> str:
        if len(words) == 1 and words[0] in others:
            return words[0]
        return str(number_in(words, f"write 'expect {what} N'"))

    return read


def _read_word(what: str, *choices: str) -> Callable[[list[str]], str]:
    return lambda words: one_of(words, {choice: choice for choice in choices}, what)


def _read_text(what: str, pattern: re.Pattern[str], example: str) -> Callable[[list[str]], str]:
    def read(words: list[str]) -> str:
        text = " ".join(words)
        if text != "none" and pattern.fullmatch(text) is None:
            raise LineError(f"write 'expect {what} {example}'")
        return text

    return read


def _read_amount(words: list[str]) -> str:
    return format_cents(parse_cents(" ".join(words)))


POKER_EXPECTATIONS: Mapping[str, Callable[[list[str]], str]] = {
    "hand": _read_number("hand"),
    "deal": _read_number("deal"),
    "players": _read_number("players"),
    "dealt": _read_number("dealt", "none"),
    "stub": _read_number("stub", "none"),
    "deck": _read_word("deck", *(back.value for back in Back), "unknown"),
    "change": _read_word("change", "due", "none"),
    "level": _read_number("level"),
    "blinds": lambda words: str(parse_blinds(" ".join(words))),
    "clock": _read_text("clock", _CLOCK, "7:30"),
    "time": _read_number("time", "none", "expired"),
    "street": _read_word("street", "none", *(street.value for street in Street)),
    "pot": _read_amount,
    "rake": _read_text("rake", _PARTS, "5+10+15"),
    "taken": _read_amount,
    "dispute": _read_word("dispute", "open", "closed"),
    "share": _read_word("share", "100", "30", "none"),
}
"""What reads the words after each; it returns them as `PokerSeen.word` writes them."""


def see_word(seen: Observation, what: str) -> str:
    """What the table shows, in the same words."""
    return seen.poker.word(what) if isinstance(seen.poker, PokerSeen) else "none"


class Expectation(Struct, frozen=True):
    """`holds` checks the table; `got` is what the table shows, worded like the expectation."""

    what: str
    wanted: str
    holds: Callable[[Observation], bool]
    got: Callable[[Observation], str]


def parse_expectation(line: str, vocabulary: Vocabulary) -> Expectation:
    """Parse `expect WHAT ...`. Raises LineError."""
    words = words_of(line)[1:]
    what = words[0] if words else ""
    if what == "display":
        return _display(line)
    if what == "lamps":
        return _lamps(words[1:], vocabulary)
    if vocabulary.poker is not None and what in POKER_EXPECTATIONS:
        return _equals(what, POKER_EXPECTATIONS[what](words[1:]), lambda seen: see_word(seen, what))
    if what in LINKED_EXPECTATIONS:
        if not vocabulary.linked:
            raise LineError(f"{what}: this table is not linked; begin with 'set link NAME'")
        return LINKED_EXPECTATIONS[what](words[1:])
    if what in CARD_EXPECTATIONS:
        return CARD_EXPECTATIONS[what](words[1:])
    if what in POKER_EXPECTATIONS:
        raise LineError(f"{what}: this is no poker table; begin with 'set game texas-holdem'")
    if what not in EXPECTATIONS:
        raise LineError(
            f"nothing called {quote(what)} can be expected; there are {', '.join(KNOWN)}"
        )
    return EXPECTATIONS[what](words[1:])


def _equals(
    what: str, wanted: str, see: Callable[[Observation], str], show: str | None = None
) -> Expectation:
    return Expectation(what, show or wanted, lambda seen: see(seen) == wanted, see)


def _phase(words: list[str]) -> Expectation:
    phases = {phase.value.lower(): phase.value for phase in Phase}
    wanted = one_of(words, phases, "a phase")
    return _equals("phase", wanted, lambda seen: seen.phase.value)


def _seats_shown(
    what: str, see: Callable[[Observation], frozenset[int]]
) -> Callable[[list[str]], Expectation]:
    def parse(words: list[str]) -> Expectation:
        wanted = _format_seats(frozenset(seats_of(words)))
        return _equals(what, wanted, lambda seen: _format_seats(see(seen)))

    return parse


def _format_seats(seats: frozenset[int]) -> str:
    return " ".join(str(seat) for seat in sorted(seats)) or "none"


def _alert_seats(seen: Observation) -> frozenset[int]:
    lamps = [*seen.slots.items(), *seen.seats.items()]
    return frozenset(seat for seat, lamp in lamps if lamp is Lamp.ALERT)


def _lamps(words: list[str], vocabulary: Vocabulary) -> Expectation:
    known = vocabulary.combinations
    if words != ["none"] and (not words or any(word not in known for word in words)):
        raise LineError(
            f"lamps are some of {', '.join(known)}, or none; not {quote(' '.join(words))}"
        )
    names = set() if words == ["none"] else {vocabulary.name_lamp(word) for word in words}
    wanted = " ".join(sorted(names)) or "none"
    return _equals("lamps", wanted, lambda seen: " ".join(sorted(seen.lamps)) or "none")


def _display(line: str) -> Expectation:
    text = re.sub(r"^\s*\S+\s+\S+", "", line).strip()
    if not text:
        raise LineError("write 'expect display TEXT'")
    return Expectation(
        "display",
        text,
        lambda seen: any(text in shown for shown in seen.display),
        lambda seen: " | ".join(seen.display),
    )


def _parse_signed_cents(words: list[str]) -> Cents:
    if len(words) != 1:
        raise LineError("write one amount, such as 12345.67")
    sign = -1 if words[0].startswith("-") else 1
    return Cents(sign * parse_cents(words[0].removeprefix("-")))


def _amount(what: str) -> Callable[[list[str]], Expectation]:
    def parse(words: list[str]) -> Expectation:
        wanted = format_cents(_parse_signed_cents(words))
        return _equals(what, wanted, lambda seen: seen.accounts[what])

    return parse


def _each(words: list[str]) -> Expectation:
    wanted = "none" if words == ["none"] else format_cents(_parse_signed_cents(words))
    return _equals("each", wanted, _award_each)


def _award_each(seen: Observation) -> str:
    return format_cents(seen.award.each) if seen.award else "none"


def _envy(words: list[str]) -> Expectation:
    wanted = "none" if words == ["none"] else format_cents(_parse_signed_cents(words))
    return _equals("envy", wanted, _award_envy)


def _award_envy(seen: Observation) -> str:
    envy = seen.award.envy if seen.award else None
    return format_cents(envy.each) if envy else "none"


def _winners(words: list[str]) -> Expectation:
    wanted = str(number_in(words, "write 'expect winners N'"))
    return _equals("winners", wanted, lambda seen: str(seen.award.winners if seen.award else 0))


def _refusal(words: list[str]) -> Expectation:
    codes = {code.value.lower(): code.value for code in Refusal} | {"none": "none"}
    wanted = one_of(words, codes, "a refusal")
    return _equals("refused", wanted, lambda seen: seen.refused.value if seen.refused else "none")


def _fault(words: list[str]) -> Expectation:
    codes = {fault.value.lower(): fault.value for fault in Fault} | {"none": "none"}
    wanted = one_of(words, codes, "a fault")

    def holds(seen: Observation) -> bool:
        present = [fault.value for fault in seen.faults]
        return not present if wanted == "none" else wanted in present

    return Expectation(
        "fault",
        wanted,
        holds,
        lambda seen: " ".join(fault.value for fault in seen.faults) or "none",
    )


EXPECTATIONS: Mapping[str, Callable[[list[str]], Expectation]] = {
    "phase": _phase,
    "slots": _seats_shown("slots", lambda seen: frozenset(seen.slots)),
    "seats": _seats_shown("seats", lambda seen: frozenset(seen.seats)),
    "blinking": _seats_shown("blinking", _alert_seats),
    "jackpot": _amount("jackpot"),
    "reserve": _amount("reserve"),
    "house": _amount("house"),
    "paid": _amount("paid"),
    "pending": _amount("pending"),
    "each": _each,
    "envy": _envy,
    "winners": _winners,
    "refused": _refusal,
    "fault": _fault,
}


def _one_word(
    what: str, choices: Mapping[str, str], see: Callable[[Observation], str]
) -> Callable[[list[str]], Expectation]:
    return lambda words: _equals(what, one_of(words, choices, what), see)


def _number(what: str, see: Callable[[Observation], int]) -> Callable[[list[str]], Expectation]:
    def parse(words: list[str]) -> Expectation:
        wanted = str(number_in(words, f"write 'expect {what} N'"))
        return _equals(what, wanted, lambda seen: str(see(seen)))

    return parse


def _points(words: list[str]) -> Expectation:
    single = [word for word in words if word.isascii() and word.isdecimal() and len(word) == 1]
    match single:
        case [punto, banco] if single == words:
            return _equals("points", f"{punto} {banco}", lambda seen: seen.points or "none")
    raise LineError("write 'expect points PUNTO-POINTS BANCO-POINTS', such as 7 4")


def _words(*choices: str) -> dict[str, str]:
    return {choice.lower(): choice for choice in choices}


CARD_EXPECTATIONS: Mapping[str, Callable[[list[str]], Expectation]] = {
    "shuffler": _one_word(
        "shuffler", _words("EMPTY", "SHUFFLING", "READY", "DEALING", "FAULT"), lambda s: s.shuffler
    ),
    "green": _one_word("green", _words("on", "off"), lambda s: "on" if s.green else "off"),
    "dealt": _number("dealt", lambda seen: seen.dealt),
    "remaining": _number("remaining", lambda seen: seen.remaining),
    "last-coup": _one_word("last-coup", _words("yes", "no"), lambda s: "yes" if s.last else "no"),
    "next": _one_word("next", _words("PUNTO", "BANCO", "none"), lambda s: s.next or "none"),
    "result": _one_word(
        "result",
        _words("PUNTO", "BANCO", "EGALITE", "VOID", "none"),
        lambda seen: seen.result or "none",
    ),
    "points": _points,
}


def _amount_shown(words: list[str]) -> Expectation:
    wanted = "none" if words == ["none"] else format_cents(_parse_signed_cents(words))
    return _equals("shown", wanted, lambda seen: _name_amount(seen.shown))


def _centre(words: list[str]) -> Expectation:
    wanted = format_cents(_parse_signed_cents(words))
    return _equals("centre", wanted, lambda seen: _name_amount(seen.centre))


def _name_amount(amount: Cents | None) -> str:
    return "none" if amount is None else format_cents(amount)


LINKED_EXPECTATIONS: Mapping[str, Callable[[list[str]], Expectation]] = {
    "link": _one_word("link", _words("up", "lost"), lambda seen: seen.link),
    "shown": _amount_shown,
    "centre": _centre,
    "awaited": _number("awaited", lambda seen: seen.awaited),
}
KNOWN = (
    *(*EXPECTATIONS, "lamps", "display", *CARD_EXPECTATIONS, *LINKED_EXPECTATIONS),
    *(what for what in POKER_EXPECTATIONS if what not in CARD_EXPECTATIONS),
)

"""What a scenario expects of a poker table (docs/poker-rules.md, section 21)."""

import re
from collections.abc import Callable, Mapping

from console.rules.observation import Observation
from console.rules.poker.poker_seen import PokerSeen
from console.rules.poker.state import Street
from console.rules.typed.lines import LineError, number_in, one_of
from console.rules.typed.poker_values import parse_blinds
from devices.card_reports import Back
from jackpot.amounts import format_cents, parse_cents

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

"""The floor manager's declarations at a poker table, in words (docs/poker-rules.md, section 20)."""

import re
from collections.abc import Callable, Mapping

from msgspec import UnsetType

from console.rules.poker.acts import (
    BoardCorrected,
    BoardsAgreed,
    BreakDeclared,
    ChangeDemanded,
    ClockSet,
    ClockSwitched,
    DropCounted,
    Go,
    HalfRake,
    HandForHand,
    JackpotHit,
    MatchNew,
    PlayersSet,
    PokerDeclaration,
    PriorLevel,
    RakeCapSet,
    RakeCorrected,
    TimeAdjusted,
)
from console.rules.poker.clock import step_of
from console.rules.poker.settings import FEWEST_PLAYERS, MOST_DECLARED, PokerSettings
from console.rules.typed.durations import parse_duration
from console.rules.typed.lines import LineError, number_in, one_of, parse_alone
from jackpot.amounts import parse_cents
from jackpot.rake import parse_cap

LEAST_SECONDS, MOST_SECONDS = 10, 60
MOST_LEVEL = 999
MOST_PARTS = 11
_PARTS = re.compile(r"[0-9]{1,6}(\+[0-9]{1,6})*")
ON_OFF = {"on": True, "off": False}

Parse = Callable[[list[str], str], PokerDeclaration]


def _parse_boards(words: list[str], who: str) -> PokerDeclaration:
    return BoardsAgreed(one_of(words, {"2": 2, "3": 3}, "boards"), who)


def _parse_time(words: list[str], who: str) -> PokerDeclaration:
    if words == ["normal"]:
        return TimeAdjusted(None, who)
    right = f"write 'declare time N' with {LEAST_SECONDS} to {MOST_SECONDS} s, or 'time normal'"
    seconds = number_in(words, right, most=MOST_SECONDS)
    if seconds < LEAST_SECONDS:
        raise LineError(right)
    return TimeAdjusted(seconds, who)


def _parse_clock(words: list[str], who: str) -> PokerDeclaration:
    match words:
        case ["start" | "stop" as word]:
            return ClockSwitched(word == "start", who)
        case ["set", level, duration]:
            number = number_in([level], "write the level as a number", most=MOST_LEVEL)
            return ClockSet(number, parse_duration(duration), who)
    raise LineError("write 'declare clock start', 'clock stop' or 'clock set LEVEL 7m'")


def _parse_players(words: list[str], who: str) -> PokerDeclaration:
    right = f"write 'declare players N', with {FEWEST_PLAYERS} to {MOST_DECLARED}"
    players = number_in(words, right, most=MOST_DECLARED)
    if players < FEWEST_PLAYERS:
        raise LineError(right)
    return PlayersSet(players, who)


def _parse_rake(words: list[str], who: str) -> PokerDeclaration:
    text = " ".join(words)
    if text == "none":
        return RakeCorrected((), who)
    parts = text.split("+")
    if _PARTS.fullmatch(text) is None or len(parts) > MOST_PARTS:
        raise LineError("write 'declare rake 5+10+15', a part for each pot, or 'rake none'")
    return RakeCorrected(tuple(int(part) for part in parts), who)


def _parse_rake_cap(words: list[str], who: str) -> PokerDeclaration:
    try:
        return RakeCapSet(str(parse_cap(" ".join(words))), who)
    except ValueError as error:
        raise LineError(f"rake-cap: {error}") from error


def _parse_break(words: list[str], who: str) -> PokerDeclaration:
    right = "write 'declare break 10m'"
    if len(words) != 1:
        raise LineError(right)
    ms = parse_duration(words[0])
    if ms == 0:
        raise LineError(right)
    return BreakDeclared(ms, who)


def _parse_drop(words: list[str], who: str) -> PokerDeclaration:
    if len(words) != 1:
        raise LineError("write 'declare drop AMOUNT', such as 1250.00")
    return DropCounted(parse_cents(words[0]), who)


def _parse_hit(words: list[str], who: str) -> PokerDeclaration:
    right = f"write 'declare jackpot-hit SEAT', 1 to {MOST_DECLARED}"
    seat = number_in(words, right, most=MOST_DECLARED)
    if seat == 0:
        raise LineError(right)
    return JackpotHit(seat, who)


def _switch(declaration: Callable[[bool, str], PokerDeclaration]) -> Parse:
    return lambda words, who: declaration(one_of(words, ON_OFF, "it"), who)


SWITCHED = tuple(ON_OFF)
FOLLOWING: Mapping[str, tuple[str, ...]] = {
    "boards": ("2", "3"),
    "time": ("normal",),
    "clock": ("start", "stop", "set"),
    "hand-for-hand": SWITCHED,
    "half-rake": SWITCHED,
    "players": tuple(map(str, range(FEWEST_PLAYERS, MOST_DECLARED + 1))),
    "rake": ("none",),
}
"""The words that may follow a declaration's name, where they can be listed."""


def check_declared_at(words: list[str], poker: PokerSettings | UnsetType) -> None:
    """Raise LineError where the table has no such declaration; `poker`: unset at another game's."""
    name = words[0] if words else ""
    if name not in ABOUT_POKER:
        return
    if not isinstance(poker, PokerSettings):
        raise LineError(f"{name} is declared at a poker table only")
    if name == "half-rake" and not poker.halves_rake:
        raise LineError(f"half the rake is taken at prestige only, not in {poker.house.value}")
    if name == "rake-cap" and not poker.caps_rake:
        raise LineError(f"no cap of the rake is set at {poker.form.value} in {poker.house.value}")
    match words:
        case ["clock", "set", level, _] if level.isdecimal():
            _check_level(int(level), poker)


def _check_level(level: int, poker: PokerSettings) -> None:
    """Raise LineError where the table has no such level."""
    if step_of(poker.structure, level) is not None:
        return
    levels = sum(step.is_new_level for step in poker.structure)
    there = f"there are levels 1 to {levels}" if levels else "a cash table has none"
    raise LineError(f"clock set: there is no level {level}; {there}")


ABOUT_POKER: Mapping[str, Parse] = {
    "boards": _parse_boards,
    "board-corrected": parse_alone("board-corrected", BoardCorrected),
    "time": _parse_time,
    "clock": _parse_clock,
    "break": _parse_break,
    "match-new": parse_alone("match-new", MatchNew),
    "prior-level": parse_alone("prior-level", PriorLevel),
    "hand-for-hand": _switch(HandForHand),
    "go": parse_alone("go", Go),
    "change": parse_alone("change", ChangeDemanded),
    "half-rake": _switch(HalfRake),
    "jackpot-hit": _parse_hit,
    "players": _parse_players,
    "rake": _parse_rake,
    "rake-cap": _parse_rake_cap,
    "drop": _parse_drop,
}

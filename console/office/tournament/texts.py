"""What `banco tournament` says to people."""

from collections.abc import Mapping

from console.link.centre.tournament import (
    DeskAnswer,
    Level,
    Tournament,
    TournamentJackpot,
    TournamentRefusal,
)
from jackpot.money.amounts import format_cents, format_percent

MEANINGS: Mapping[TournamentRefusal, str] = {
    TournamentRefusal.DAY_OVER: "a later day has begun, and no day comes back",
    TournamentRefusal.DAY_NOT_BEGUN: "that day has not begun: banco tournament day DAY",
    TournamentRefusal.TOURNAMENT_RUNNING: "a tournament can still win: "
    "banco tournament level DAY TOURNAMENT over",
    TournamentRefusal.NO_TOURNAMENT: "there is none of this name this day; it begins with level 1",
    TournamentRefusal.LEVEL_OVER: "that level is over",
    TournamentRefusal.WON_TODAY: "the jackpot is won; it begins again with the next day",
}
LEVELS: Mapping[Level, str] = {
    Level.FIRST: "level 1, fees are sold",
    Level.LATE: "level 2 to the end of late registration",
    Level.OVER: "late registration is over",
}


def describe_refusal(refusal: TournamentRefusal) -> str:
    """Why the centre refused."""
    return f"Refused: {refusal.value}, {MEANINGS[refusal]}. Nothing was booked."


def describe_booked(what: str, given: DeskAnswer, *, pays: bool) -> str:
    """What is booked; or that it was already. `pays`: with the fee that it costs."""
    if given.again:
        return f"{what}: told already at {given.cash_desk}, nothing was booked again"
    paid = f", {format_cents(given.today.fee)} EUR" if pays else ""
    return f"{what}{paid}"


def describe_level(tournament: str, level: Level) -> str:
    """How far a tournament is."""
    return f"{tournament}: {LEVELS[level]}"


def describe_today(jackpot: TournamentJackpot) -> str:
    """The jackpot as it now is, in one line."""
    return f"jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} EUR"


def render_jackpot(jackpot: TournamentJackpot) -> list[str]:
    """All that is known of it, as lines of text."""
    day = "no day has begun" if jackpot.day is None else f"day {jackpot.day}"
    lines = [
        f"{describe_today(jackpot)}, base {format_cents(jackpot.base)} EUR",
        f"  {day}, {jackpot.fees} fees of {format_cents(jackpot.fee)} EUR",
    ]
    lines += [f"  {_render_tournament(one)}" for one in jackpot.tournaments]
    if jackpot.win is not None:
        win = jackpot.win
        lines.append(
            f"  won by ticket {win.ticket} in {win.tournament}: {format_cents(win.amount)} EUR, "
            f"{format_percent(win.share)} % of {format_cents(win.reading)} EUR"
        )
    return lines


def _render_tournament(tournament: Tournament) -> str:
    share = f"a win has {format_percent(tournament.share)} %" if tournament.share else "no win now"
    return f"{tournament.tournament}: {LEVELS[tournament.level]}, {share}, {tournament.fees} fees"

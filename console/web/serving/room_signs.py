"""What the signs of a room get: a table's sign's messages, and never an old amount.

The clock that the tables of a tournament share (docs/reference/poker-rules.md, 16) stands as it is
now.
"""

from typing import Any

from msgspec import UNSET

from console.configuration.room_file import RoomClock, RoomConfiguration
from console.configuration.sign_section import SignSection
from console.link.centre.room_reading import RoomAward, RoomClockRow, RoomJackpot
from console.link.centre.tournament import TournamentJackpot
from console.link.overview import DASHES_AFTER_S, write_time
from console.link.room_state import RoomState
from console.rules.poker_clock import (
    Steps,
    TournamentClock,
    advance_clock,
    begin_clock,
    lengths_of,
    mark_clock,
    name_steps,
)
from console.texts.record_texts import clock_of, day_of
from console.texts.table_texts import TableNames
from console.web.serving.record import PAID, EnvyPaid, Win
from console.web.serving.table_messages import (
    ClockFacts,
    combination_texts,
    describe_clock,
    describe_house,
    describe_ladder,
    describe_names,
    describe_stakes,
)
from jackpot.money.amounts import Cents, format_cents, format_percent
from jackpot.money.awards import Envy
from jackpot.money.prizes import EURO

IN_EURO = {"currency": EURO, "limit": None}
"""Of a tournament's clock, which has no prizes."""

TABLES_OWN = SignSection()
"""Nothing of the house."""


def describe_shared_clock(state: RoomState, clock: RoomClock, now: float) -> dict[str, Any]:
    """At this time, in seconds of the monotonic clock.

    No time where the row may be old, or is one of another structure. Before a table has brought
    the row: the first level, which stands.
    """
    steps = clock.structure.parse()
    row = _find_row(state, clock.tournament)
    fits = row is None or row.step < len(steps)
    known = fits and state.is_known(now, DASHES_AFTER_S)
    at = begin_clock(steps)
    if row is not None and fits:
        at = _count_on(row, steps, state.read_ago(now))
    facts = ClockFacts(
        at.step,
        at.left_ms if known else None,
        known and at.ticks(steps),
        row is not None and row.hand_for_hand,
        row.players if row is not None else 0,
        at.resumes_ms is not None,
        tables=row.tables if row is not None else 0,
        entries=row.entries if row is not None else 0,
        chips=row.chips if row is not None else 0,
    )
    return describe_clock(name_steps(steps), lengths_of(steps), facts) | {
        "tournament": clock.tournament
    }


def _find_row(state: RoomState, tournament: str) -> RoomClockRow | None:
    rows = state.room.clocks if state.room is not None else ()
    return next((row for row in rows if row.tournament == tournament), None)


def _count_on(row: RoomClockRow, steps: Steps, read_ago_ms: int) -> TournamentClock:
    """The clock now, at time 0."""
    at = -(row.age_ms + read_ago_ms)
    clock = TournamentClock(row.step, row.left_ms, row.running, row.held, at, row.resumes_ms)
    return mark_clock(advance_clock(clock, steps, 0), steps, 0)


def describe_tournaments(state: RoomState, room: RoomConfiguration, now: float) -> dict[str, Any]:
    """All tournament jackpots, and the clocks; no amount and no time where it is not known.

    Not who has won.
    """
    known = state.is_known(now, DASHES_AFTER_S)
    found = state.room.tournaments if state.room is not None else ()
    return {
        "kind": "tournaments",
        "language": room.language.value,
        "simulated": room.simulated,
        "clocks": [describe_shared_clock(state, clock, now) for clock in room.clocks],
        "jackpots": [_describe_jackpot(one, known=known) for one in found],
    }


def _describe_jackpot(jackpot: TournamentJackpot, *, known: bool) -> dict[str, Any]:
    win = jackpot.win
    return {
        "jackpot": jackpot.jackpot,
        "amount": format_cents(jackpot.amount) if known else None,
        "fee": format_cents(jackpot.fee),
        "day": jackpot.day,
        "fees": jackpot.fees,
        "win": win and {"tournament": win.tournament, "amount": format_cents(win.amount)},
        "tournaments": [
            {
                "tournament": one.tournament,
                "level": one.level,
                "share": format_percent(one.share),
                "fees": one.fees,
            }
            for one in jackpot.tournaments
        ],
    }


def find_jackpot(state: RoomState, name: str) -> RoomJackpot | None:
    """The jackpot of this name, as it was last read."""
    found = state.room.jackpots if state.room is not None else ()
    return next((jackpot for jackpot in found if jackpot.jackpot == name), None)


def describe_sign(
    jackpot: RoomJackpot, language: str, look: SignSection = TABLES_OWN, *, simulated: bool
) -> dict[str, Any]:
    """Whose sign it is; `look`: what the house has on it.

    `dashes_after_s`: the page, when it hears nothing, shows no amount then.
    """
    combinations = tuple(jackpot.prizes)
    names = TableNames(jackpot.game, jackpot.prize_file)
    return {
        "kind": "table",
        "table": jackpot.jackpot,
        "game": jackpot.game,
        "language": language,
        "simulated": simulated,
        "shoe": None,
        "combinations": combinations,
        **describe_names(names),
        "ladder": describe_ladder(names.prizes),
        **describe_house(look),
        "facts": describe_stakes(look),
        "texts": combination_texts(combinations, jackpot.prize_file),
        "dashes_after_s": DASHES_AFTER_S,
    }


def describe_clock_sign(room: RoomConfiguration, clock: RoomClock) -> dict[str, Any]:
    """Whose sign it is: of all tables of a tournament."""
    return {
        "kind": "table",
        "table": clock.tournament,
        "game": "",
        "language": room.language.value,
        "simulated": room.simulated,
        "shoe": None,
        "combinations": (),
        **IN_EURO,
        "ladder": [],
        **describe_house(room.sign),
        "facts": describe_stakes(room.sign),
        "texts": combination_texts(()),
        "dashes_after_s": DASHES_AFTER_S,
    }


def describe_no_jackpot() -> dict[str, Any]:
    """In the amount's place, on the sign of a tournament: nobody is invited to bet."""
    return {
        "kind": "jackpot",
        "amount": None,
        "progressive": False,
        "phase": None,
        "takes_bets": False,
        "award": None,
        "last_hands": None,
    }


def describe_amount(state: RoomState, jackpot: RoomJackpot, now: float) -> dict[str, Any]:
    """The amount, and the oldest award that is pending; neither is shown when it is not known."""
    known = state.is_known(now, DASHES_AFTER_S)
    award = jackpot.awards[0] if jackpot.awards and known else None
    return {
        "kind": "jackpot",
        "amount": format_cents(jackpot.amount) if known else None,
        "progressive": True,
        "phase": None,
        "takes_bets": False,
        "award": _describe_pending(award) if award is not None and award.winners else None,
        "last_hands": None,
    }


def describe_wins(jackpot: RoomJackpot) -> dict[str, Any]:
    """The last awards that became final, newest first."""
    wins = [
        _describe_win(award).take_names(TableNames(jackpot.game, award.prize_file))
        for award in jackpot.finals
        if award.winners
    ]
    return {"kind": "wins", "wins": wins, "readable": True}


def _describe_pending(award: RoomAward) -> dict[str, Any]:
    return {
        "combination": award.combination,
        "winners": award.winners,
        "each": format_cents(award.each),
        "tables": [part.table for part in award.parts],
        **({"envy": _describe_envy(award.envy)} if award.envy is not None else {}),
    }


def _describe_envy(envy: Envy) -> EnvyPaid:
    return EnvyPaid(envy.seats, format_cents(envy.each))


def _describe_win(award: RoomAward) -> Win:
    wall = write_time(award.at or 0)
    return Win(
        seq=award.number,
        wall=wall,
        day=day_of(wall),
        clock=clock_of(wall),
        round=0,
        combination=award.combination,
        winners=award.winners,
        each=format_cents(award.each),
        total=format_cents(Cents(award.each * award.winners)),
        state=PAID,
        whole=award.whole,
        envy=_describe_envy(award.envy) if award.envy is not None else UNSET,
        tables=tuple(part.table for part in award.parts),
    )

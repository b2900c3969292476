"""What a supervisor asks of a night, from its tally: money, pace, and its course in time."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from console.web.serving.figures import (
    LONGEST_HAND_MS,
    RoundFigures,
    Tally,
    format_account,
    jackpot_columns,
    seconds_of,
    thin_out,
)
from console.web.serving.happenings import FaultSpan, Mark, NamedAct
from jackpot.money.accounts import Account, Reason

HOUR_S = 3600

LEAST_PLAY_S = 600
"""Of less play nothing is told by the hour: the next hand would change it too much."""

MOST_COURSE_POINTS = 500
MOST_SHOWN_MARKS = 200
MOST_SHOWN_ACTS = 60


def describe_figures(tally: Tally) -> dict[str, Any]:
    """Counts and amounts of a night. What is told by the hour is None before 10 min of play."""
    money = tally.money
    played_s = play_time(tally.rounds)
    dealt = sum(1 for one in tally.rounds if one.closed)
    to_jackpot = money.contribution(Account.JACKPOT)
    return {
        "rounds": len(tally.rounds) + tally.dropped,
        "staked": sum(1 for one in tally.rounds if one.tokens),
        "taken": money.tokens_taken,
        "returned": money.tokens_returned,
        "drop": format_account(money.drop),
        "contributions": {
            account.value: format_account(money.contribution(account))
            for account in (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
        },
        "awards": money.awards,
        "paid": format_account(money.paid),
        "paid_share": share_of(money.paid, money.drop),
        "hold": format_account(money.drop - money.paid),
        "hold_share": share_of(money.drop - money.paid, money.drop),
        "rake": format_account(money.rake),
        "cancelled": money.of(Reason.AWARD_CANCELLED).count,
        "corrections": money.of(Reason.CORRECTION).count,
        "play_s": round(played_s),
        "hands_an_hour": by_the_hour(dealt, played_s),
        "growth_an_hour": None
        if (grown := by_the_hour(to_jackpot, played_s)) is None
        else format_account(int(grown)),
        "faults": len(tally.happenings.faults),
        "refusals": len(tally.happenings.refusals),
    }


def play_time(rounds: Sequence[RoundFigures]) -> float:
    """Seconds from each round's opening to the next one's, without pauses of over half an hour.

    The last round counts to its COIN IN.
    """
    opened = [at for one in rounds if (at := seconds_of(one.opened)) is not None]
    last = seconds_of(rounds[-1].closed) if rounds else None
    times = [*opened, *([last] if last is not None else [])]
    gaps = (after - before for before, after in pairwise(times))
    return sum(gap for gap in gaps if 0 <= gap <= LONGEST_HAND_MS / 1000)


def by_the_hour(count: int, played_s: float) -> float | None:
    """So many in an hour of play; None before there is enough of it."""
    return None if played_s < LEAST_PLAY_S else round(count * HOUR_S / played_s, 1)


def share_of(part: int, whole: int) -> float | None:
    """In per cent; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def describe_course(tally: Tally) -> dict[str, Any]:
    """The night in time: the jackpot, and what happened. Times are seconds since 1970."""
    happened = tally.happenings
    return {
        "jackpot": jackpot_columns(tally.jackpot, MOST_COURSE_POINTS),
        "faults": describe_spans(happened.faults),
        "refusals": _marks(happened.refusals),
        "awards": _marks(happened.awards),
        "starts": [at for wall in happened.starts if (at := seconds_of(wall)) is not None],
        "people": _acts(happened.people),
        "seats": [
            {"hour": hour, "tokens": tokens} for hour, tokens in sorted(happened.seats.items())
        ],
    }


def describe_spans(faults: Iterable[FaultSpan]) -> list[dict[str, Any]]:
    """Faults, and times in SERVICE; `at` None: since before, `until` None: still there."""
    return [
        {
            "code": one.code,
            "at": seconds_of(one.at),
            "until": seconds_of(one.until),
            "rounds": one.rounds,
        }
        for one in list(faults)[-MOST_SHOWN_MARKS:]
    ]


def _marks(marks: Iterable[Mark]) -> list[dict[str, Any]]:
    newest = list(marks)[-MOST_SHOWN_MARKS:]
    return [msgspec.to_builtins(one) | {"at": seconds_of(one.at)} for one in newest]


def _acts(people: Iterable[NamedAct]) -> list[dict[str, Any]]:
    """The newest first."""
    return [msgspec.to_builtins(one) for one in list(people)[: -MOST_SHOWN_ACTS - 1 : -1]]


def course_of_drop(rounds: Sequence[RoundFigures]) -> dict[str, list[Any]]:
    """The drop since the first round was opened: `hours`, and `cents` so far."""
    opened = [(at, one) for one in rounds if (at := seconds_of(one.opened)) is not None]
    points: list[tuple[float, int]] = []
    so_far = 0
    for at, one in opened:
        so_far += one.drop
        points.append((round((at - opened[0][0]) / HOUR_S, 4), so_far // 10_000))
    shown = list(thin_out(points, MOST_COURSE_POINTS))
    return {"hours": [at for at, _ in shown], "cents": [cents for _, cents in shown]}

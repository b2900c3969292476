"""Rounds and the jackpot for a plot: columns of numbers, at most as many rows as it can show."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from console.web.serving.figures.tally import Point, RoundFigures
from jackpot.money.amounts import to_cents

MOST_SHOWN = 2_000
"""The most points of one plot."""


def plot_columns(rounds: Sequence[RoundFigures], jackpot: Iterable[Point]) -> dict[str, Any]:
    """The columns of three plots. A point for several rounds has the first number and the mean.

    `jackpot`: `at` in seconds since 1970, `cents`. `stakes`: tokens by round; `hands`: seconds by
    round. `at` of a round is when it was opened. `rounds_a_point`: 1, unless there are too many.
    """
    step = max(1, -(-len(rounds) // MOST_SHOWN))
    parts = [rounds[at : at + step] for at in range(0, len(rounds), step)]
    return {
        "rounds_a_point": step,
        "jackpot": _jackpot(jackpot),
        "stakes": _by_round(parts, lambda one: one.tokens if one.closed else None),
        "hands": _by_round(parts, lambda one: None if one.hand_ms is None else one.hand_ms / 1000),
    }


def seconds_of(wall: str) -> float | None:
    """A label as seconds since 1970; None if it is not a time."""
    try:
        return round(datetime.fromisoformat(wall).timestamp(), 3)
    except (ValueError, OverflowError):
        return None


def thin_out(points: Sequence[tuple[float, int]], most: int) -> Iterator[tuple[float, int]]:
    """At most `most` points, in time; the lowest and the highest of each part are kept."""
    if len(points) <= most:
        yield from points
        return
    size = -(-len(points) // (most // 2))
    for at in range(0, len(points), size):
        part = points[at : at + size]
        low = min(range(len(part)), key=lambda one: part[one][1])
        high = max(range(len(part)), key=lambda one: part[one][1])
        yield from (part[one] for one in sorted({low, high}))


def _jackpot(points: Iterable[Point]) -> dict[str, Any]:
    known = [
        (at, to_cents(one.units)) for one in points if (at := seconds_of(one.wall)) is not None
    ]
    known.sort(key=lambda point: point[0])  # a clock set back must not make a plot run backwards
    shown = list(thin_out(known, MOST_SHOWN))
    return {"at": [at for at, _ in shown], "cents": [cents for _, cents in shown]}


def _by_round(
    parts: Iterable[Sequence[RoundFigures]], value: Callable[[RoundFigures], float | None]
) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {"round": [], "at": [], "value": []}
    for part in parts:
        values = [one for one in map(value, part) if one is not None]
        if values:
            columns["round"].append(part[0].number)
            columns["at"].append(seconds_of(part[0].opened))
            columns["value"].append(round(sum(values) / len(values), 2))
    return columns

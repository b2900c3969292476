"""A measured figure, with its peers of the same run and its goal, as one line of JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Goal:
    """`value` must be at most (or, with `at_least`, at least) this; `of` names what it is of."""

    limit: float
    of: str = "value"
    at_least: bool = False

    def is_met(self, measured: float) -> bool:
        """Whether what was measured reaches it."""
        return measured >= self.limit if self.at_least else measured <= self.limit

    def __str__(self) -> str:
        return f"{self.of} {'>=' if self.at_least else '<='} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """`peers`: the same of others; `ratios`: ours to theirs, or theirs to ours for throughput."""

    name: str
    value: float
    unit: str
    goal: Goal | None = None
    peers: Mapping[str, float] = field(default_factory=dict)
    ratios: Mapping[str, float] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """One line."""
        line: dict[str, Any] = {"figure": self.name, "value": round_figure(self.value)}
        line["unit"] = self.unit
        if self.peers:
            line["peers"] = {name: round_figure(value) for name, value in self.peers.items()}
        if self.ratios:
            line["ratios"] = {name: round_figure(value) for name, value in self.ratios.items()}
        line |= self.more
        if self.goal is not None:
            line["goal"] = str(self.goal)
            line["met"] = self.goal.is_met(self.value_for(self.goal))
        return json.dumps(line)

    def value_for(self, goal: Goal) -> float:
        """What the goal is held against: the value, or a ratio."""
        return self.value if goal.of == "value" else self.ratios[goal.of]


def table_of_goals(figures: Sequence[Figure]) -> str:
    """A line for each figure that has a goal: measured, goal, met or missed; a title above."""
    rows = [("figure", "measured", "goal", "")]
    for figure in figures:
        if figure.goal is not None:
            measured = figure.value_for(figure.goal)
            met = "met" if figure.goal.is_met(measured) else "missed"
            rows.append((figure.name, f"{round_figure(measured):g}", str(figure.goal), met))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def round_figure(value: float) -> float:
    """Three significant digits, which is more than a shared machine repeats."""
    return float(f"{value:.3g}")


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Ours to theirs: the median of pairs measured one after the other (A B A B)."""
    return median(a / b for a, b in zip(ours, theirs, strict=True))

"""A bordereau's hands, pots, rake and drop at a poker table (docs/reference/poker-rules.md,
section 20).
"""

from collections import Counter

from console.bordereau.figures import DropEntry, PokerEntry
from console.bordereau.step import Plain, RecordStep
from console.rules.acts import KINDS
from console.rules.poker_acts import DropCounted
from jackpot.money.amounts import Cents

COUNTED = ("hand-begun", "misdeal", "time-called", "time-expired", "new-dealer", "deck-changed")
"""Decisions that are counted as they are."""


class PokerTally:
    """Counts what a poker table decided, record by record."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        self._pots = 0
        self._drops: list[DropEntry] = []

    def add(self, step: RecordStep) -> None:
        """Add one record."""
        void = step.find_decision("round-void") is not None
        self._times["void"] += void
        for decision in step.decisions:
            name = str(decision.get("decision"))
            if name in COUNTED:
                self._times[name] += 1
            elif name == "hand-over" and not void:
                self._times["no entry"] += bool(decision["flop"] and not decision["counted"])
            elif name == "rake-taken":
                self._times["counted"] += 1
                self._pots += int(decision["pots"])
            self._times["early"] += name == "new-dealer" and bool(decision["early"])
        counted = step.find_decision("drop-counted")
        if step.record.kind == KINDS[DropCounted] and counted is not None:
            self._drops.append(_drop(step, counted))

    @property
    def entry(self) -> PokerEntry:
        """The figures so far."""
        times = self._times
        return PokerEntry(
            hands=times["hand-begun"],
            misdeals=times["misdeal"],
            voids=times["void"],
            counted=times["counted"],
            pots=Cents(self._pots),
            flops_without_entry=times["no entry"],
            time_calls=times["time-called"],
            expired=times["time-expired"],
            dealers=times["new-dealer"],
            early=times["early"],
            changes=times["deck-changed"],
            drops=tuple(self._drops),
        )


def _drop(step: RecordStep, counted: Plain) -> DropEntry:
    expected, difference = (Cents(int(counted[f"{name}_cents"])) for name in DIFFERS)
    who = str(step.act.get("who", ""))
    return DropEntry(step.when, who, Cents(int(step.act["cents"])), expected, difference)


DIFFERS = ("expected", "difference")

"""One record with the table's state before and after it, as plain values."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from console.bordereau.figures import When
from jackpot.ledger.journal import Record

Plain = Mapping[str, Any]
"""A state's fields as in `console/rules/records.py`. A missing one never changed."""


class RecordStep(Struct, frozen=True):
    """A record, and the state before and after it."""

    record: Record
    before: Plain
    after: Plain

    @property
    def when(self) -> When:
        """Where it is on record."""
        return When(self.record.seq, self.record.wall, self.record.round)

    @property
    def act(self) -> Plain:
        """The act; empty for a record without one."""
        act = self.record.body.get("act")
        return act if isinstance(act, Mapping) else {}

    @property
    def done(self) -> bool:
        """Whether the act was done: neither refused nor without effect."""
        return self.record.body.get("outcome") == "done"

    @property
    def refusal(self) -> str:
        """The code of its refusal; "" if it was not refused."""
        return str(self.record.body.get("refusal") or "")

    @property
    def decisions(self) -> Iterator[Plain]:
        """What the table decided; nothing if the table was locked."""
        decisions = self.record.body.get("decisions")
        if isinstance(decisions, list) and not self.record.body.get("while_locked"):
            yield from (one for one in decisions if isinstance(one, Mapping))

    def find_decision(self, name: str) -> Plain | None:
        """The first decision of this name; None if there is none."""
        return next((one for one in self.decisions if one.get("decision") == name), None)


def apply_changes(state: Plain, record: Record) -> Plain:
    """The state after a record: its changes laid over the one before."""
    changes = record.body.get("changes")
    return {**state, **changes} if isinstance(changes, Mapping) and changes else state

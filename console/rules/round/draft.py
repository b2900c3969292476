"""The next state under construction, with decisions and transactions."""

from enum import Enum
from typing import Any

from msgspec import Struct

from console.rules.codes import Fault, Refusal
from console.rules.state import Notice, Rules, TableState
from console.rules.structs import replace
from jackpot.accounts import Transaction

NOTICE_MS = 2000
"""A refusal replaces the display's first line for 2 s (docs/rules.md, section 5)."""


class ActOutcome(Enum):
    """The outcome of an act. NO_EFFECT is recorded and is not a refusal."""

    DONE = "done"
    REFUSED = "refused"
    NO_EFFECT = "no effect"


class Decision(Struct, frozen=True):
    """Something the table decided, for the record: `what`, and the facts to understand it."""

    what: str
    facts: dict[str, int | str | None]


class Transition(Struct, frozen=True):
    """An act's consequences: the state after it, and everything for its record."""

    state: TableState
    outcome: ActOutcome
    refusal: Refusal | None
    decisions: tuple[Decision, ...]
    transactions: tuple[Transaction, ...]


class Draft:
    """Collects one act's consequences. Lives only within `advance`."""

    __slots__ = (
        "_fresh",
        "_state",
        "decisions",
        "now",
        "outcome",
        "refusal",
        "rules",
        "transactions",
    )

    def __init__(self, state: TableState, rules: Rules, now: int) -> None:
        self.rules = rules
        self.now = now
        self.outcome = ActOutcome.DONE
        self.refusal: Refusal | None = None
        self.decisions: list[Decision] = []
        self.transactions: list[Transaction] = []
        self._state = state
        self._fresh: dict[str, Any] = {}  # fields changed since `_state` was made

    @property
    def state(self) -> TableState:
        """The state so far."""
        if self._fresh:
            self._state = replace(self._state, **self._fresh)
            self._fresh = {}
        return self._state

    def set(self, **fields: Any) -> None:
        """Change fields of the table's state."""
        self._fresh.update(fields)

    def mark(self, **fields: Any) -> None:
        """Change the seats' marks."""
        self._fresh["seats"] = replace(self._field("seats"), **fields)

    def shoe(self, **fields: Any) -> None:
        """Change the shoe's marks."""
        self._fresh["shoe"] = replace(self._field("shoe"), **fields)

    def due(self, **fields: Any) -> None:
        """Change deadlines."""
        self._fresh["deadlines"] = replace(self._field("deadlines"), **fields)

    def _field(self, name: str) -> Any:
        """A field's present value, without making a whole state."""
        return self._fresh[name] if name in self._fresh else getattr(self._state, name)

    def decide(self, what: str, **facts: int | str | None) -> None:
        """Note a decision for the record."""
        self.decisions.append(Decision(what, facts))

    def refuse(self, code: Refusal) -> None:
        """Refuse the act: the state stays, and the display shows why for 2 s."""
        self.outcome = ActOutcome.REFUSED
        self.refusal = code
        self.set(notice=Notice(code, self.now + NOTICE_MS))

    def no_effect(self) -> None:
        """Note that the act changes nothing, which is not a refusal."""
        self.outcome = ActOutcome.NO_EFFECT

    def move(self, transaction: Transaction | None) -> None:
        """Move money; None if there is nothing to move."""
        if transaction is not None:
            self.transactions.append(transaction)
            self.set(balances=self._field("balances").after(transaction))

    def identity(self, rest: str) -> str:
        """A transaction's identity, unique in the house: table, round and purpose."""
        return f"{self.rules.table}/round-{self._field('round')}/{rest}"

    def raise_fault(self, fault: Fault) -> None:
        """Raise the fault, if it is not present."""
        faults = self._field("faults")
        if fault not in faults:
            self.set(faults=(*faults, fault))
            self.decide("fault-raised", fault=fault.value)

    def clear_fault(self, fault: Fault) -> None:
        """Clear the fault, if it is present."""
        faults = self._field("faults")
        if fault in faults:
            self.set(faults=tuple(kept for kept in faults if kept is not fault))
            self.decide("fault-cleared", fault=fault.value)

    def step(self) -> Transition:
        """The transition."""
        return Transition(
            self.state,
            self.outcome,
            self.refusal,
            tuple(self.decisions),
            tuple(self.transactions),
        )

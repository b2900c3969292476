"""The next state under construction, with decisions and transactions."""

from collections.abc import Callable
from enum import Enum
from typing import Any, Concatenate, ParamSpec

from msgspec import Struct

from console.rules.card_state import ShoeMarks
from console.rules.codes import Fault, Refusal
from console.rules.state import Deadlines, Notice, Rules, SeatMarks, TableState
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


_Fields = ParamSpec("_Fields")


def _takes_fields_of(
    _struct: Callable[_Fields, object],
) -> Callable[[Callable[..., None]], Callable[Concatenate["Draft", _Fields], None]]:
    """Let mypy check a method's keywords as it checks those that make this struct."""
    return lambda method: method


class Draft(Struct):
    """Collects one act's consequences. Lives only within `advance`.

    A change makes a new state at once, in C; a state that was read before stays as it was.
    """

    state: TableState
    rules: Rules
    now: int
    outcome: ActOutcome = ActOutcome.DONE
    refusal: Refusal | None = None
    decisions: list[Decision] = []
    transactions: list[Transaction] = []

    @_takes_fields_of(TableState)
    def set(self, **fields: Any) -> None:
        """Change fields of the table's state."""
        self.state = replace(self.state, **fields)

    @_takes_fields_of(SeatMarks)
    def mark(self, **fields: Any) -> None:
        """Change the seats' marks."""
        self.state = replace(self.state, seats=replace(self.state.seats, **fields))

    @_takes_fields_of(ShoeMarks)
    def shoe(self, **fields: Any) -> None:
        """Change the shoe's marks."""
        self.state = replace(self.state, shoe=replace(self.state.shoe, **fields))

    @_takes_fields_of(Deadlines)
    def due(self, **fields: Any) -> None:
        """Change deadlines."""
        self.state = replace(self.state, deadlines=replace(self.state.deadlines, **fields))

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
            self.set(balances=self.state.balances.after(transaction))

    def identity(self, rest: str) -> str:
        """A transaction's identity, unique in the house: table, round and purpose."""
        return f"{self.rules.table}/round-{self.state.round}/{rest}"

    def raise_fault(self, fault: Fault) -> None:
        """Raise the fault, if it is not present."""
        faults = self.state.faults
        if fault not in faults:
            self.set(faults=(*faults, fault))
            self.decide("fault-raised", fault=fault.value)

    def clear_fault(self, fault: Fault) -> None:
        """Clear the fault, if it is present."""
        faults = self.state.faults
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

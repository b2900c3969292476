"""Plays the journal's acts again: today's rules must lead to the states on record.

The house's promise: everything the service does can be reproduced from its journal.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from console.rules import records
from console.rules.settings import Settings
from console.rules.state import Rules, TableState, rules_of
from devices.roles import RAIL_TRAITS
from jackpot.ledger.journal import Record


class ReplayedRecord(Struct, frozen=True):
    """A record, the state after it, and its problem ("": none).

    `rules`: those it was played by; None before the first settings.
    """

    record: Record
    state: TableState
    problem: str = ""
    rules: Rules | None = None


def replay(journal: Iterable[Record]) -> Iterator[ReplayedRecord]:
    """Play records again from the journal's first one; a snapshot at the beginning is trusted.

    Raises UnreadableRecord for a record that this version cannot read.
    """
    state = TableState()
    first = True
    for record in journal:
        rules = _rules(state.settings, record)
        if record.kind == records.SNAPSHOT:
            whole = records.restore_state(record.body, ())
            problem = (
                "" if first or whole == state else "the snapshot is not the state the acts lead to"
            )
            state = whole
        elif rules is None:
            state, problem = records.state_after(state, record.body), ""
        else:
            state, problem = _replay_one(state, record, rules)
        first = False
        yield ReplayedRecord(record, state, problem, rules)


def _replay_one(state: TableState, record: Record, rules: Rules) -> tuple[TableState, str]:
    after, same = records.replay_record(state, record.kind, record.body, rules, record.at_ms)
    money = state.balances
    for transaction in record.transactions:
        money = money.after(transaction)
    if money != after.balances:
        return after, "the balances it states are not those its postings lead to"
    return after, "" if same else "the act does not lead to the state on record"


def _rules(in_force: Settings | None, record: Record) -> Rules | None:
    """The rules of a record; None before the first settings, which bring their own."""
    settings = records.settings_in(record.kind, record.body) or in_force
    if settings is None:
        return None
    return rules_of(settings, RAIL_TRAITS[settings.rail.value] if settings.rail else None)

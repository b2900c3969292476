"""The ledger of the guest, read outside: what it says of each life of the table."""

import base64
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from console.configuration.file import load_configuration
from console.line.answer_texts import describe_award, describe_seats, format_accounts
from console.rules import records
from console.rules.state import TableState
from devices.roles import RailTraits
from jackpot.ledger.ledger import read_records, verify
from jackpot.money.accounts import Reason
from tests.rig.layout import ROOT
from tests.rig.machine.guest import Guest

CONFIGURATION = ROOT / "docs/tables/caribbean-stud.toml"
WHOLE = 1_000_000

Facts = dict[str, Any]
"""What a status says of the round and the money."""


class Journal:
    """All states that a ledger goes through, and where each start begins.

    Raises AssertionError where a record does not follow from the one before, or money moves twice.
    """

    def __init__(self, folder: Path) -> None:
        rules = load_configuration(CONFIGURATION).plan().rules(RailTraits(gates=True, tray=True))
        self.states = [TableState()]
        self.starts: list[int] = []
        self.stakes: list[str] = []
        self.problems = verify(folder).problems
        identities: set[str] = set()
        for record in read_records(folder, after=0, limit=WHOLE):
            before = self.states[-1]
            if record.kind == "started":
                self.starts.append(len(self.states))
            state, same = records.replay_record(
                before, record.kind, record.body, rules, record.at_ms
            )
            assert same, f"record {record.seq} is not what follows from the one before"
            for transaction in record.transactions:
                assert transaction.identity not in identities, f"{transaction.identity} twice"
                identities.add(transaction.identity)
                if transaction.reason is Reason.STAKE:
                    self.stakes.append(transaction.identity)
            self.states.append(state)

    @property
    def at_death(self) -> TableState:
        """The state before the last start."""
        return self.states[self.starts[-1] - 1]

    def last_life(self) -> Sequence[TableState]:
        """The states of the life before the last start, with the one it began from."""
        begin = self.starts[-2] - 1 if len(self.starts) > 1 else 0
        return self.states[begin : self.starts[-1]]

    def find_missing(self, acknowledged: Sequence[Facts]) -> Facts | None:
        """The first of these that is nowhere in the last life, in this order."""
        states: Iterator[TableState] = iter(self.last_life())
        at = facts_of(next(states))
        for facts in acknowledged:
            while at != facts:
                later = next(states, None)
                if later is None:
                    return facts
                at = facts_of(later)
        return None


def facts_of(state: TableState) -> Facts:
    """What the table must say of the round and the money in this state."""
    return {
        "phase": state.shown_phase.value,
        "round": state.round,
        "seats": describe_seats(state.seats),
        "choice": state.choice if state.choice else "",
        "award": describe_award(state),
        "accounts": dict(format_accounts(state.balances)),
    }


def facts_in(status: Facts) -> Facts:
    """The same of what the table has said."""
    return {
        name: status[name] for name in ("phase", "round", "seats", "choice", "award", "accounts")
    }


async def fetch_journal(guest: Guest, folder: Path) -> Journal:
    """Copy the table's ledger out of the guest, and read it."""
    await fetch_ledger(guest, folder)
    return Journal(folder)


async def fetch_ledger(guest: Guest, folder: Path) -> None:
    """Copy the table's ledger, which may be written to, out of the guest, as SQLite copies it."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    copied = (await guest.ask({"ledger": True}))["copy"]
    (folder / "ledger.db").write_bytes(zlib.decompress(base64.b64decode(copied)))

"""A table's journal as it grows: each record follows from the one before, by the present code."""

from collections.abc import Iterator
from pathlib import Path

from console.rules import records
from console.rules.state import Rules, TableState
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import read_records, rebuild, verify

WHOLE_JOURNAL = 10_000_000


class Journal:
    """Reads what each life has added. Every check raises AssertionError.

    `states`: those of the life read last, after the one that it found.
    """

    def __init__(self, ledger: Path, rules: Rules) -> None:
        self.ledger = ledger
        self.seq = 0
        self.states = [TableState()]
        self._rules = rules
        self._identities: set[str] = set()

    @property
    def state(self) -> TableState:
        """The newest."""
        return self.states[-1]

    def read(self) -> Iterator[tuple[Record, TableState, TableState]]:
        """Each new record, the state before and after it; its act was replayed on the way."""
        self.states = self.states[-1:]
        for record in self._records():
            assert record.seq == self.seq + 1
            self.seq = record.seq
            before = self.states[-1]
            state, same = records.replay_record(
                before, record.kind, record.body, self._rules, record.at_ms
            )
            assert same, f"{record} is not what follows from {before}"
            moved = [transaction.identity for transaction in record.transactions]
            assert self._identities.isdisjoint(moved), "the same money moved twice"
            self._identities.update(moved)
            self.states.append(state)
            yield record, before, state

    def _records(self) -> Iterator[Record]:
        if (self.ledger / "ledger.db").exists():
            yield from read_records(self.ledger, after=self.seq, limit=WHOLE_JOURNAL)

    def add_up(self) -> None:
        """The accounts are the sums of all postings."""
        if self.seq:
            rebuilt = rebuild(self.ledger)
            assert rebuilt.agrees
            assert rebuilt.balances == self.state.balances

    def verify(self) -> None:
        """The whole ledger is sound."""
        report = verify(self.ledger)
        assert report.problems == ()
        assert (report.records, report.balances) == (self.seq, self.state.balances)

"""A batch of entries on its way into the ledger: rows, hashes and balances, not yet written."""

from collections.abc import Iterable, Mapping

from jackpot.accounts import Balances
from jackpot.journal import (
    JSON,
    SNAPSHOT,
    Entry,
    Movement,
    Row,
    body_text,
    chained,
)


class Batch:
    """Entries laid after a head, one after another."""

    def __init__(self, boot: int, seq: int, digest: bytes, balances: Balances) -> None:
        """Begin after the record `seq` with the hash `digest`."""
        self.boot = boot
        self.seq = seq
        self.hash = digest
        self.snapshot_seq: int | None = None
        self.journal: list[tuple[int | str | bytes, ...]] = []
        self.transfers: list[tuple[int, int, str, str]] = []
        self.postings: list[tuple[int, int, str, int]] = []
        self.moved: dict[str, Movement] = {}
        self._before = balances
        self._balances = balances.to_dict()

    @property
    def balances(self) -> Balances:
        """The balances after the batch."""
        return Balances(**self._balances) if self.postings else self._before

    def add(self, entry: Entry, movements: Iterable[Movement]) -> None:
        """Lay down one entry, with those of its transactions that are new."""
        self.seq += 1
        kept = tuple(movements)
        for position, movement in enumerate(kept):
            self._move(position, movement)
        body: Mapping[str, JSON] = entry.body
        if entry.kind == SNAPSHOT:
            self.snapshot_seq = self.seq
            body = {**body, "balances": self._balances}
        row = Row(
            self.seq,
            self.boot,
            entry.kind,
            entry.round,
            entry.at_ms,
            entry.wall,
            entry.settings_version,
            body_text(body),
        )
        self.hash = chained(self.hash, row, kept)
        self.journal.append((*row, self.hash))

    def _move(self, position: int, movement: Movement) -> None:
        self.moved[movement.identity] = movement
        self.transfers.append((self.seq, position, movement.identity, movement.reason))
        for account, units in movement.postings:
            self.postings.append((self.seq, position, account, units))
            self._balances[account] += units

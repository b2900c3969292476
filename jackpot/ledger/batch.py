"""A batch of entries for the ledger: rows, hashes and balances, not written yet."""

from collections.abc import Callable

from jackpot.failures import Refused
from jackpot.ledger.journal import (
    SNAPSHOT,
    Entry,
    JournalRow,
    body_text,
    digest_of,
    hash_record,
    money_text,
    movement_of,
    movement_text,
)
from jackpot.money.accounts import Balances, Transaction

Values = tuple[int | str | bytes | None, ...]


class RecordBatch:
    """Entries after a head, one after another; `journal` and `identities` are the tables' rows.

    `seq`, `hash`, `balances`: those of the last entry so far.
    """

    def __init__(
        self,
        boot: int,
        seq: int,
        digest: bytes,
        balances: Balances,
        known: Callable[[str], bytes | None],
    ) -> None:
        """Begin after the record `seq` with the hash `digest`.

        `known`: the digest of a known transaction's movement, by its identity; None for an unknown
        one.
        """
        self.boot = boot
        self.seq = seq
        self.hash = digest
        self.snapshot_seq: int | None = None
        self.journal: list[Values] = []
        self.identities: list[Values] = []
        self.balances = balances
        self._known = known
        self._moved: dict[str, bytes] = {}

    def add(self, entry: Entry) -> None:
        """Add an entry with those of its transactions that are new. Raises Refused."""
        self.seq += 1
        money = money_text(list(filter(None, map(self._move, entry.transactions))))
        body = entry.body
        if entry.kind == SNAPSHOT:
            self.snapshot_seq = self.seq
            body = {**body, "balances": self.balances.to_dict()}
        row = JournalRow(
            self.seq,
            self.boot,
            entry.kind,
            entry.round,
            entry.at_ms,
            entry.wall,
            entry.settings_version,
            body_text(body),
        )
        self.hash = hash_record(self.hash, row, money)
        self.journal.append((*row, money, self.hash))

    def _move(self, transaction: Transaction) -> bytes:
        """The movement's text; "" for a duplicate of an earlier one: adding is idempotent."""
        identity, text = transaction.identity, movement_text(movement_of(transaction))
        digest = digest_of(text)
        known = self._moved.get(identity) or self._known(identity)
        if known == digest:
            return b""
        if known is not None:
            raise Refused(f"{identity} has moved other money before, not {text.decode()}")
        self._moved[identity] = digest
        self.identities.append((identity, self.seq, digest))
        self.balances = self.balances.after(transaction)
        return text

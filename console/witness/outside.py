"""The witness outside: a ledger's signed heads in a database of the house.

See docs/how-to/witness.md.
"""

import logging
from collections.abc import Callable
from pathlib import Path

from console.configuration.sections import WitnessSection
from console.database.addresses import DatabaseLogin, credentials_of, hosts_of
from console.witness.entries import SET_BACK, HeadCalls, WitnessEntry
from jackpot.failures import Damaged, KeyUnusable, LedgerCorrupt, LedgerUnavailable
from jackpot.trust.counterpart import Compared, CounterpartLost, CounterpartReplaced, Noted
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.seal import Seal, hold_against, newest_noted
from jackpot.trust.signed_head import SignedHead, check_head

log = logging.getLogger(__name__)


def make_outside_witness(
    section: WitnessSection, signer: HeadSigner, ledger: Path, table: str
) -> "OutsideWitness":
    """The witness that a configuration names. Nothing is connected yet."""
    login = DatabaseLogin(section.database, table, credentials_of(section))
    hosts = hosts_of(section)

    def open_heads() -> HeadCalls:
        from console.witness.heads import WitnessHeads

        return WitnessHeads(login, hosts)

    return OutsideWitness(open_heads, signer, ledger, table)


class OutsideWitness:
    """A table's entries at the witness: compared with its ledger, and appended after commits."""

    name = "witness"

    def __init__(
        self, open_heads: Callable[[], HeadCalls], signer: HeadSigner, ledger: Path, table: str
    ) -> None:
        """`open_heads` is called when it is first used; `ledger`: the ledger's folder."""
        self._open_heads = open_heads
        self._heads: HeadCalls | None = None
        self._signer = signer
        self._ledger = ledger
        self._table = table
        self._newest = 0  # the number of the newest entry that this run knows

    def compare(self) -> Compared:
        """Compare the ledger with the table's newest entry. Raises LedgerCorrupt, CounterpartLost.

        If the ledger is older, or another one, the house gets to know it.
        """
        entry = self._read_newest()
        try:
            self._check_key(entry)
            newest = self._hold(entry)
        except LedgerCorrupt:
            self._report_parting()
            raise
        self._newest = entry.number
        return Compared(entry.seq, anew=entry.seq == 0 and newest.head.seq > 0)

    def newest(self) -> int:
        """The number of the newest record that it knows; 0: none. Raises CounterpartLost."""
        return self._read_newest().seq

    def follow(self, noted: Noted) -> int:
        """Sign this record and append it. Raises LedgerCorrupt, CounterpartLost."""
        head = self._sign(noted)
        answer = self._calls().append(head, self._newest)
        why = answer.refused
        if why is None and answer.number is not None:
            self._newest = answer.number
            return noted.head.seq
        text = SET_BACK.get(why) if why is not None else None
        if text is not None:
            text = text.format(seq=head.seq, counter=head.counter, key=head.key)
            raise LedgerCorrupt(f"{text}: this ledger was set back, or is another one")
        code = why.value if why is not None else "without saying why"
        raise CounterpartLost(f"the witness outside does not take record {head.seq}: {code}")

    def begin_anew(self) -> None:
        """Do nothing: only the house can, by an admission."""

    def close(self) -> None:
        """Close the connection."""
        if self._heads is not None:
            self._heads.close()

    def _calls(self) -> HeadCalls:
        if self._heads is None:
            try:
                self._heads = self._open_heads()
            except ModuleNotFoundError as error:
                raise CounterpartLost(
                    f"the witness outside needs the library psycopg, which is missing: {error}"
                ) from error
        return self._heads

    def _read_newest(self) -> WitnessEntry:
        entry = self._calls().read_newest()
        if entry is None:
            raise CounterpartLost(
                f"the witness outside does not know {self._table}: banco witness admit"
            )
        if entry.number < self._newest:
            raise CounterpartReplaced(
                f"the witness outside has lost what it had: it ends at entry {entry.number}, and "
                f"{self._newest} was there"
            )
        return entry

    def _check_key(self, entry: WitnessEntry) -> None:
        """Raise LedgerCorrupt unless the entry is of this table's key, and of no later counter.

        Raises CounterpartLost.
        """
        try:
            public, counter = self._signer.public, self._signer.counter
        except KeyUnusable as error:
            raise CounterpartLost(str(error)) from error
        if entry.key != public.fingerprint:
            raise LedgerCorrupt(
                f"the witness outside knows this table by the key {entry.key}; here is "
                f"{public.fingerprint}"
            )
        head = entry.head()
        if head is not None:
            try:
                check_head(head, public)
            except Damaged as error:
                raise CounterpartReplaced(
                    f"the witness outside has a false entry: {error}"
                ) from error
        if counter < entry.counter:
            raise LedgerCorrupt(
                f"the key's counter is {counter}; the witness outside has seen {entry.counter}"
            )

    def _hold(self, entry: WitnessEntry) -> Noted:
        """The ledger's newest record, if the ledger contains the entry's.

        Raises LedgerCorrupt, CounterpartLost.
        """
        try:
            if entry.seq:
                seal = Seal(self._table, entry.seq, entry.hash, entry.wall)
                hold_against(seal, self._ledger, self._table)
            return newest_noted(self._ledger)
        except LedgerUnavailable as error:
            raise CounterpartLost(f"the witness outside cannot be compared: {error}") from error

    def _sign(self, noted: Noted) -> SignedHead:
        try:
            return self._signer.sign(noted)
        except KeyUnusable as error:
            raise CounterpartLost(str(error)) from error

    def _report_parting(self) -> None:
        """Tell the house. The table is locked all the same where that fails."""
        try:
            self._calls().report_parting(self._sign(newest_noted(self._ledger)))
        except (LedgerCorrupt, LedgerUnavailable, CounterpartLost) as error:
            log.warning("the house does not know that this ledger is another one: %s", error)

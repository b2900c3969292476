"""Signs a seal; at a start an older seal is found by the key's counter (decision 0013).

The counter is raised after each start, at each night's end, when a head is asked for, and at most
once in ten minutes of play: a TPM's counter wears out. It is raised only once a head with its value
is on record, so that no value is missing there.
"""

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from jackpot.failures import Damaged, KeyUnusable, LedgerCorrupt, LedgerUnavailable
from jackpot.trust.counterpart import CounterpartLost, Noted
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.heads_on_record import newest_counter
from jackpot.trust.seal import Seal
from jackpot.trust.signed_head import SignedHead, check_head
from jackpot.trust.signed_nights import SignedNights

RAISED_EVERY_S: Final = 600
"""The shortest time between two raises in play: what an older seal can be set back by, unseen."""

MOST_WAITING: Final = 64
"""The most signed heads that wait to be put on record."""


class Signed(Struct, frozen=True):
    """A head that belongs on record, and where its key is.

    `accepted`: the record of the unsigned seal that was accepted, because the key is new.
    """

    head: SignedHead
    store: str
    accepted: int = 0


class SealSigning:
    """Signs a seal. Only `follow` may be called from a thread that is not the seal's."""

    def __init__(
        self,
        signer: HeadSigner,
        nights: SignedNights,
        *,
        clock: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000_000,
    ) -> None:
        """`nights`: where each night's head is kept; `clock` gives seconds."""
        self._signer = signer
        self._nights = nights
        self._clock = clock
        self._raised_at: int | None = None  # None: not since this start
        self._accepted = 0
        self._night_due = False
        self._asked = False
        self._lock = Lock()
        self._waiting: deque[Signed] = deque(maxlen=MOST_WAITING)
        self._call: Callable[[Signed], None] | None = None

    def check(self, seal: Seal) -> None:
        """Check the seal's signature, and its counter against the key's.

        A seal without a signature is accepted once: before the key has signed anything. Raises
        LedgerCorrupt, CounterpartLost.
        """
        try:
            public, counter = self._signer.public, self._signer.counter
        except KeyUnusable as error:
            raise CounterpartLost(f"the seal cannot be checked: {error}") from error
        if not seal.is_signed:
            if counter:
                raise LedgerCorrupt(
                    "the seal is not signed, and the table's key has signed heads before"
                )
            self._accepted = seal.seq
            return
        try:
            check_head(SignedHead(**asdict(seal)), public)
        except Damaged as error:
            raise LedgerCorrupt(f"the seal is not the table's own: {error}") from error
        if seal.counter < counter:
            raise LedgerCorrupt(
                f"the seal is an older one: its counter is {seal.counter}, the key's is {counter}"
            )
        if seal.counter > counter + 1:
            raise LedgerCorrupt(
                f"the key's counter was set back: it is {counter}, and the seal's is {seal.counter}"
            )

    def check_without_seal(self, ledger: Path) -> None:
        """Check that the ledger's newest signed head has the key's counter: no seal tells now.

        Raises LedgerCorrupt, LedgerUnavailable, CounterpartLost.
        """
        try:
            counter, on_record = self._signer.counter, newest_counter(ledger, self._signer.public)
        except KeyUnusable as error:
            raise CounterpartLost(f"the ledger cannot be held against its key: {error}") from error
        if on_record != counter:
            raise LedgerCorrupt(
                f"its newest signed head has the counter {on_record}, the table's key {counter}, "
                "and there is no seal that would tell why"
            )

    def seal(self, noted: Noted, put: Callable[[SignedHead], None], ledger: Path) -> None:
        """Sign a record and put it into the seal; raise the counter when that is due.

        Raises LedgerCorrupt, CounterpartLost, OSError, and whatever `put` raises.
        """
        self._night_due = self._night_due or noted.closes_night
        self._asked = self._asked or noted.asked
        try:
            if not self._raise_is_due:
                put(self._signer.sign(noted))
                return
            raises = newest_counter(ledger, self._signer.public) == self._signer.counter
            head = self._signer.sign_ahead(noted) if raises else self._signer.sign(noted)
            put(head)
            if raises:
                self._signer.raise_counter()
                self._note_raised(head)
            store = self._signer.store_name
        except KeyUnusable as error:
            raise CounterpartLost(f"the seal cannot be signed: {error}") from error
        except LedgerUnavailable as error:
            raise CounterpartLost(f"the seal cannot be held against the ledger: {error}") from error
        self._hand_over(Signed(head, store, self._accepted))
        self._accepted = 0

    def follow(self, call: Callable[[Signed], None]) -> None:
        """Call this, in the seal's thread, with each head to be recorded; with earlier ones now."""
        with self._lock:
            self._call = call
            waiting, self._waiting = self._waiting, deque(maxlen=MOST_WAITING)
        for signed in waiting:
            call(signed)

    @property
    def _raise_is_due(self) -> bool:
        if self._raised_at is None or self._night_due or self._asked:
            return True
        return self._clock() - self._raised_at >= RAISED_EVERY_S

    def _note_raised(self, head: SignedHead) -> None:
        if self._night_due:
            self._nights.add(head)
        self._raised_at, self._night_due, self._asked = self._clock(), False, False

    def _hand_over(self, signed: Signed) -> None:
        with self._lock:
            call = self._call
            if call is None:
                self._waiting.append(signed)
        if call is not None:
            call(signed)

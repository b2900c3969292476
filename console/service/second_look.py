"""The second look: a separate thread verifies the whole journal after each start and each night.

A start verifies only from the last snapshot on, so that it is quick however old the ledger is
(docs/reference/rules.md, section 7: ready within 2 s). Older records are verified here, a page at a
time with long rests, at a tenth of a processor. Damage locks the table as at a start
(docs/reference/ledger.md).
"""

import logging
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Condition, Thread

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.paged_verification import PagedVerification

log = logging.getLogger(__name__)

BEGINS_AFTER_S = 2.0
"""The pause before it, which leaves the processor to the start."""

PAGE = 256
"""Records read in one transaction, during which the write-ahead log cannot shrink."""

RESTS = 9
"""It rests this many times as long as it works."""

HEARD_WITHIN_S = 1.5
"""How long clearing LEDGER_CORRUPT waits for the result before it has to be repeated. Meanwhile the
disk thread gives no sign of life: together with the counterparts it must stay well under the
watchdog's time."""

CLOSED_WITHIN_S = 1.0
"""How long the end of the process waits for the page being read."""

NEVER = -1

TRIED_AGAIN_S = 30.0
"""How long after a failed read the ledger is read again."""


NIGHT_ENDS = 7
"""The local hour at which a night is over, and the ledger is looked at again."""

NIGHT_SOUGHT_S = 600.0
"""How often it is asked whether a night has ended: the clock may be set meanwhile."""


def night_of(now: datetime) -> date:
    """The day on which the night began that `now`, a local time, belongs to."""
    return (now - timedelta(hours=NIGHT_ENDS)).date()


class SecondLook:
    """The second look at the ledger in a folder, with its thread."""

    def __init__(
        self,
        folder: Path,
        *,
        begins_after_s: float = BEGINS_AFTER_S,
        now: Callable[[], datetime] = datetime.now,
        night_sought_s: float = NIGHT_SOUGHT_S,
    ) -> None:
        """`now`: the local time, for the end of a night."""
        self._now = now
        self._night_sought_s = night_sought_s
        self._night: date | None = None  # of the last look
        self.damage = ""  # why the ledger is not trusted, once that is known
        self._call: Callable[[], None] = lambda: None
        self._folder = folder
        self._begins_after_s = begins_after_s
        self._changed = Condition()
        self._asked = 0  # numbers of looks: requested, ended last
        self._ended = 0
        self._awaited = NEVER  # the look that `hear` began and whose end it has not seen
        self._hurries = False
        self._lost = ""
        self._logged_lost = ""
        self._at = 0
        self._over = False
        self._thread = Thread(target=self._run, name="ledger second look", daemon=True)
        self._thread.start()

    def on_damage(self, call: Callable[[], None]) -> None:
        """Call this in the thread when damage is found, or at once if there is damage already.

        `call` must not block.
        """
        with self._changed:
            self._call = call
            if self.damage:
                call()

    def begin(self) -> None:
        """Begin to verify the ledger slowly from its first record. Returns at once."""
        with self._changed:
            self._ask(hurries=False)

    def hear(self, within_s: float = HEARD_WITHIN_S) -> None:
        """Verify the ledger at full speed, and wait for the result.

        Raises LedgerCorrupt for damage, LedgerUnavailable if it takes longer. Then it continues,
        and the next `hear` waits for the same look.
        """
        with self._changed:
            if self._awaited != self._asked:
                self._ask(hurries=True)
                self._awaited = self._asked
            if not self._changed.wait_for(lambda: self._ended == self._asked, within_s):
                raise LedgerUnavailable(
                    f"all of the ledger is read before it is believed again: it is at record "
                    f"{self._at}; clear again later"
                )
            self._awaited = NEVER
            if self.damage:
                raise LedgerCorrupt(self.damage)
            if self._lost:
                raise LedgerUnavailable(self._lost)

    def end(self) -> None:
        """Stop the thread, and close the file."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._thread.join(CLOSED_WITHIN_S)
        if self._thread.is_alive():
            log.warning("the second look at the ledger does not end; it is left as it is")

    def _ask(self, *, hurries: bool) -> None:
        self._asked += 1
        self._night = night_of(self._now())
        self._hurries = hurries
        self.damage, self._lost, self._at = "", "", 0
        self._changed.notify_all()

    # In the thread

    def _run(self) -> None:
        while (asked := self._next()) is not None:
            try:
                self._read_all(asked)
            except LedgerCorrupt as error:
                log.critical("the second look at the ledger: %s", error)
                self._end_of(asked, found=str(error))
            except LedgerUnavailable as error:
                if str(error) != self._logged_lost:
                    log.error("the second look at the ledger is interrupted: %s", error)
                self._logged_lost = str(error)
                self._end_of(asked, lost=str(error))

    def _next(self) -> int | None:
        """Wait until a look is requested, or is due again; None at the end."""
        with self._changed:
            while not self._changed.wait_for(
                lambda: self._over or self._ended != self._asked,
                TRIED_AGAIN_S if self._lost else self._night_sought_s,
            ):
                if self._lost or self._night_is_over:
                    self._ask(hurries=False)
            return None if self._over else self._asked

    @property
    def _night_is_over(self) -> bool:
        """Not before the first look, nor while damage is known: that look is a person's to ask."""
        return bool(self._night and not self.damage and night_of(self._now()) != self._night)

    def _read_all(self, asked: int) -> None:
        """Verify the whole ledger, unless another look or the end is requested."""
        looking = PagedVerification(self._folder)
        rest, began = self._begins_after_s, time.monotonic()
        while self._rest(asked, rest):
            worked = time.thread_time()
            if looking.page(PAGE):
                took = time.monotonic() - began
                log.info("all %d records of the ledger are sound, seen in %.0f s", looking.at, took)
                self._end_of(asked)
                return
            with self._changed:
                self._at = looking.at
            rest = (time.thread_time() - worked) * RESTS

    def _rest(self, asked: int, seconds: float) -> bool:
        """Rest, unless `hear` waits; False if this look is no longer wanted."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._over or self._asked != asked or self._hurries, seconds
            )
            return not self._over and self._asked == asked

    def _end_of(self, asked: int, *, found: str = "", lost: str = "") -> None:
        with self._changed:
            if asked != self._asked:
                return  # the ledger was opened again meanwhile; it may be another one
            self._ended, self.damage, self._lost = asked, found, lost
            self._changed.notify_all()
            if found:
                self._call()

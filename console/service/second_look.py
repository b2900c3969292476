"""The second look: the whole journal is read again behind each start, in a thread of its own.

A start verifies from the last snapshot on, so that it is quick however old the ledger is (section
7: ready within 2 s). What lies before that is looked at here, a page at a time, with long rests: it
costs a tenth of a processor. What it finds locks the table as at a start (docs/ledger.md).
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.looking_through import LookingThrough

log = logging.getLogger(__name__)

BEGINS_AFTER_S = 2.0
"""A start has the processor for itself."""

PAGE = 256
"""Records read at once, in one read transaction: the log is held no longer than this takes."""

RESTS = 9
"""So many times as long as it worked, it rests."""

HEARD_WITHIN_S = 1.5
"""So long a technician who clears LEDGER_CORRUPT waits for it; then for another try. Meanwhile the
disk's thread gives no sign of life: with the witnesses it must stay well under the watchdog."""

CLOSED_WITHIN_S = 1.0
"""So long the end of the process waits for its last page."""

NEVER = -1

TRIED_AGAIN_S = 30.0
"""After this the ledger is read again, where it could not be."""


class SecondLook:
    """The look at a folder's ledger and its thread, which alone reads there."""

    def __init__(self, folder: Path, *, begins_after_s: float = BEGINS_AFTER_S) -> None:
        self.found = ""  # why the ledger is not to be believed, once that is known
        self._tell: Callable[[], None] = lambda: None
        self._folder = folder
        self._begins_after_s = begins_after_s
        self._changed = Condition()
        self._asked = 0  # looks: asked for, ended last
        self._ended = 0
        self._awaited = NEVER  # the look that `hear` has begun and nobody has heard the end of
        self._hurries = False
        self._lost = ""
        self._told_lost = ""
        self._at = 0
        self._over = False
        self._thread = Thread(target=self._run, name="ledger second look", daemon=True)
        self._thread.start()

    def when_found(self, tell: Callable[[], None]) -> None:
        """Have this called when something is found, in its thread; at once, if that has happened.

        It must not wait.
        """
        with self._changed:
            self._tell = tell
            if self.found:
                tell()

    def begin(self) -> None:
        """Look at it from its first record on, slowly. Returns at once."""
        with self._changed:
            self._ask(hurries=False)

    def hear(self, within_s: float = HEARD_WITHIN_S) -> None:
        """Look at all of it as fast as it can be read, and wait for the end.

        Raises LedgerCorrupt for what it finds, LedgerUnavailable where it needs longer: it goes on,
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
            if self.found:
                raise LedgerCorrupt(self.found)
            if self._lost:
                raise LedgerUnavailable(self._lost)

    def end(self) -> None:
        """Look no further, and let go of the file."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._thread.join(CLOSED_WITHIN_S)
        if self._thread.is_alive():
            log.warning("the second look at the ledger does not end; it is left as it is")

    def _ask(self, *, hurries: bool) -> None:
        self._asked += 1
        self._hurries = hurries
        self.found, self._lost, self._at = "", "", 0
        self._changed.notify_all()

    # In the thread

    def _run(self) -> None:
        while (asked := self._next()) is not None:
            try:
                self._look(asked)
            except LedgerCorrupt as error:
                log.critical("the second look at the ledger: %s", error)
                self._end_of(asked, found=str(error))
            except LedgerUnavailable as error:
                if str(error) != self._told_lost:
                    log.error("the second look at the ledger is interrupted: %s", error)
                self._told_lost = str(error)
                self._end_of(asked, lost=str(error))

    def _next(self) -> int | None:
        """Wait until a look is wanted, or one that could not read is tried again; None: over."""
        with self._changed:
            wanted = self._changed.wait_for(
                lambda: self._over or self._ended != self._asked,
                TRIED_AGAIN_S if self._lost else None,
            )
            if not wanted:
                self._ask(hurries=False)
            return None if self._over else self._asked

    def _look(self, asked: int) -> None:
        """Read all of it, or until another look is wanted, or none."""
        looking = LookingThrough(self._folder)
        rest, began = self._begins_after_s, time.monotonic()
        while self._rested(asked, rest):
            worked = time.thread_time()
            if looking.page(PAGE):
                took = time.monotonic() - began
                log.info("all %d records of the ledger are sound, seen in %.0f s", looking.at, took)
                self._end_of(asked)
                return
            with self._changed:
                self._at = looking.at
            rest = (time.thread_time() - worked) * RESTS

    def _rested(self, asked: int, seconds: float) -> bool:
        """Rest, unless somebody waits; False: this look is not wanted any more."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._over or self._asked != asked or self._hurries, seconds
            )
            return not self._over and self._asked == asked

    def _end_of(self, asked: int, *, found: str = "", lost: str = "") -> None:
        with self._changed:
            if asked != self._asked:
                return  # of another ledger, perhaps: it was opened again since
            self._ended, self.found, self._lost = asked, found, lost
            self._changed.notify_all()
            if found:
                self._tell()

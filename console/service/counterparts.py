"""The ledger's counterparts: its second copy, its seal, the witness outside the table.

Each has a thread that writes after commits.

A counterpart never delays a commit, the table or the end of the process: every wait has a deadline.
One that cannot be read or written is lost: the table plays on, and the loss is logged, counted
(docs/reference/health.md) and tried again (docs/dev/decisions/0003).

What goes on record about one raises COUNTERPART_CHANGED, which a technician clears
(docs/reference/rules.md, section 7); only then may the counterpart begin anew.
"""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Condition, Lock, RLock, Thread
from typing import TYPE_CHECKING

from console.configuration.sections import Configuration
from console.service.table_key import head_signer_of, seal_signing_of
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.trust.counterpart import Counterpart, CounterpartLost, CounterpartReplaced, Noted

if TYPE_CHECKING:
    from jackpot.trust.seal_signing import SealSigning

LOST_FOR_S = 60.0
"""A medium that is away for longer is on record; one that is mounted late, or exchanged, is not."""

AT_THE_TABLE = frozenset({"copy", "seal"})
"""The counterparts on media at the table. One that is lost elsewhere may be a network's doing."""

OnDoubt = Callable[[str, str], None]
"""Is called with the counterpart's name and the reason, in any thread; must not block."""

log = logging.getLogger(__name__)

COMPARED_WITHIN_S = 0.5
"""How long a start waits for the counterparts' answers; a later answer still locks the table."""

ASKED_WITHIN_S = 8.0
"""How long a beginning waits for whether a counterpart knows an earlier ledger: long enough for two
servers of the one outside, the first of which is silent."""

CLOSED_WITHIN_S = 1.0
"""How long the end of the process waits for the last records to be written."""

SOUGHT_EVERY_S = 30.0
"""How often a lost counterpart is tried again."""

PAUSE_S = {"copy": 0.25, "seal": 1.0, "witness": 10.0}
PAUSE_BEHIND_S = 0.03
"""Pauses between two writes; the second one while the counterpart is behind."""

NAMES = {
    "copy": "the ledger's second copy",
    "seal": "the ledger's seal",
    "witness": "the witness outside",
}

Counterparts = Callable[[Path], tuple[Counterpart, ...]]
"""The counterparts of a ledger, by its folder."""


class CounterpartDoubts:
    """Each reason about one counterpart, once, until it is in order again."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._call: OnDoubt | None = None
        self._why = ""
        self._lost_since: float | None = None

    def on_doubt(self, call: OnDoubt) -> None:
        """Call this for each reason, and at once for one that is known already."""
        with self._lock:
            self._call = call
            if self._why:
                call(self._name, self._why)

    def note(self, why: str) -> None:
        """Note a reason that goes on record at once."""
        with self._lock:
            if why != self._why:
                self._why = why
                if self._call is not None:
                    self._call(self._name, why)

    def note_lost(self, why: str, now: float) -> None:
        """Note that it cannot be read or written now, in seconds of the monotonic clock."""
        if self._lost_since is None:
            self._lost_since = now
        if not self._why and now - self._lost_since >= LOST_FOR_S and self._name in AT_THE_TABLE:
            self.note(why)

    def forget(self) -> None:
        """It is in order, or compared again from the beginning."""
        with self._lock:
            self._why, self._lost_since = "", None


def counterparts_of(configuration: Configuration | None, table: str) -> Counterparts:
    """The counterparts that a configuration names; none without a configuration."""
    signer = head_signer_of(configuration)
    section = configuration.ledger if configuration is not None else None
    outside = configuration.witness if configuration is not None else None

    def counterparts(folder: Path) -> tuple[Counterpart, ...]:
        found: list[Counterpart] = []
        # Each is imported where there is one: most of their modules sign and compare.
        if section is not None and section.mirror is not None:
            from jackpot.trust.second_copy import SecondCopy

            found.append(SecondCopy(folder, Path(section.mirror)))
        if section is not None and section.seal is not None:
            from jackpot.trust.seal_file import SealFile

            seal = Path(section.seal)
            signing = seal_signing_of(signer, seal) if signer is not None else None
            found.append(SealFile(seal, folder, table, signing=signing))
        if outside is not None and signer is not None:
            from console.witness.outside import make_outside_witness

            found.append(make_outside_witness(outside, signer, folder, table))
        return tuple(found)

    return counterparts


def signing_of(counterpart: Counterpart) -> "SealSigning | None":
    """What signs this counterpart; None for one that is not signed."""
    from jackpot.trust.seal_file import SealFile

    return counterpart.signing if isinstance(counterpart, SealFile) else None


class CounterpartThread:
    """One counterpart with its thread. Only the thread uses the medium, which may never answer."""

    def __init__(self, counterpart: Counterpart, *, sought_every_s: float = SOUGHT_EVERY_S) -> None:
        self.name = counterpart.name
        self.parted = ""  # why the ledger is not trusted, once that is known
        self._on_parted: Callable[[], None] = lambda: None
        self._counterpart = counterpart
        self._title = NAMES[counterpart.name]
        self._sought_every_s = sought_every_s
        lock = RLock()
        self._changed = Condition(lock)
        self._idle = Condition(lock)  # separate: a commit must not wake a pausing thread
        self._newest: Noted | None = None
        self._at = 0  # the newest record it has
        self._late_since: float | None = None  # since when it lacks records
        self._asked = 0  # numbers of comparisons: requested, begun, answered last
        self._begun = 0
        self._answered = 0
        self._follows = False  # it was compared and agrees
        self._anew = False  # this run made it: it knows nothing older
        self._lost = ""
        self.doubts = CounterpartDoubts(counterpart.name)
        self._replaced = False  # there is no counterpart, or another one: it may begin anew
        self._may_begin = False  # that is on record
        self._questions: list[Future[int]] = []
        self._seek_at = 0.0
        self._end_at: float | None = None
        self._thread = Thread(target=self._run, name=f"ledger {self.name}", daemon=True)
        self._thread.start()

    def ask(self, noted: Noted) -> None:
        """Request a comparison with the ledger, whose newest record is `noted`; then follow it."""
        with self._changed:
            self.parted, self._follows = "", False
            self.doubts.forget()
            self._asked += 1
            self._note(noted)
            self._changed.notify_all()

    def hear(self, within_s: float = COMPARED_WITHIN_S) -> None:
        """Wait for the comparison. Raises LedgerCorrupt if the ledger was set back or changed.

        A later answer is in `parted`.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._answered == self._asked, within_s)
            if self._answered != self._asked:
                log.warning("%s has not answered within %s s", self._title, within_s)
            if self.parted:
                raise LedgerCorrupt(self.parted)

    def on_parted(self, call: Callable[[], None]) -> None:
        """Call this in the thread when the ledger is no longer trusted, or at once if it is not.

        `call` must not block.
        """
        with self._changed:
            self._on_parted = call
            if self.parted:
                call()

    def allow_anew(self) -> None:
        """Why it is not the one that followed the ledger is on record: it may begin anew."""
        with self._changed:
            if self._replaced:
                self._may_begin, self._seek_at = True, 0.0
                self._changed.notify_all()
                self._idle.notify_all()

    def ask_newest(self) -> "Future[int]":
        """Ask for its newest record's number (0: none); the future may raise CounterpartLost."""
        answer: Future[int] = Future()
        with self._changed:
            self._questions.append(answer)
            self._changed.notify_all()
            self._idle.notify_all()
        return answer

    def note(self, noted: Noted) -> None:
        """Note a committed record. Returns at once."""
        with self._changed:
            self._note(noted)

    @property
    def lost(self) -> str:
        """Why it cannot be read or written; "" if it can, as far as is known."""
        with self._changed:
            return self._lost

    @property
    def behind(self) -> int:
        """How many committed records it lacks."""
        with self._changed:
            return max(0, self._newest.head.seq - self._at) if self._newest else 0

    @property
    def late_s(self) -> float:
        """For how long it has lacked records."""
        with self._changed:
            return 0.0 if self._late_since is None else time.monotonic() - self._late_since

    @property
    def not_compared(self) -> bool:
        """Whether it could not be compared at this start.

        It was newly made or replaced, or has not answered yet.
        """
        with self._changed:
            return self._anew or self._replaced or self._answered != self._asked

    def end(self, within_s: float = CLOSED_WITHIN_S) -> None:
        """Stop, after writing the committed records for `within_s` seconds at most."""
        with self._changed:
            self._end_at = time.monotonic() + within_s
            self._changed.notify_all()
            self._idle.notify_all()

    def join(self) -> None:
        """Wait after `end` until the thread has ended or its time is over."""
        with self._changed:
            end_at = self._end_at or 0.0
        self._thread.join(max(0.0, end_at - time.monotonic()))
        if self._thread.is_alive():
            log.warning("%s does not answer; it is left as it is", self._title)

    def _note(self, noted: Noted) -> None:
        waits = self._newest is not None and self._at < self._newest.head.seq
        self._newest = noted.stands_for(self._newest) if waits and self._newest else noted
        if self._late_since is None and self._at < noted.head.seq:
            self._late_since = time.monotonic()
        self._idle.notify_all()

    # In the thread

    def _run(self) -> None:
        while (do := self._next()) is not None:
            try:
                do()
            except LedgerCorrupt as error:
                self._part(str(error))
            except CounterpartReplaced as error:
                self._lose(str(error), replaced=True)
                self.doubts.note(str(error))
            except CounterpartLost as error:
                self._lose(str(error))
                self.doubts.note_lost(str(error), time.monotonic())
        self._let_go()

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next task; None at the end."""
        with self._changed:
            while True:
                now = time.monotonic()
                if self._end_at is not None and (now >= self._end_at or not self._behind):
                    return None
                if self._questions:
                    return partial(self._answer, self._questions.pop(0))
                if self._behind:
                    return self._follow
                if self._asked != self._answered or (self._lost and now >= self._seek_at):
                    return self._compare
                self._idle.wait(self._seek_at - now if self._lost else None)

    @property
    def _behind(self) -> bool:
        newest = self._newest
        return self._follows and newest is not None and self._at < newest.head.seq

    def _answer(self, question: "Future[int]") -> None:
        try:
            question.set_result(self._counterpart.newest())
        except CounterpartLost as error:
            question.set_exception(error)

    def _compare(self) -> None:
        with self._changed:
            self._begun = self._asked
            may_begin, self._may_begin = self._may_begin, False
        if may_begin:
            self._counterpart.begin_anew()
        compared = self._counterpart.compare()
        self.doubts.forget()
        if compared.older:
            self.doubts.note(compared.older)
        with self._changed:
            if self._lost:
                log.warning("%s is there again", self._title)
            if compared.anew:
                log.warning("%s was not there: it begins at record %d", self._title, compared.at)
            self._lost, self._follows, self._replaced = "", True, False
            self._anew = self._anew or compared.anew
            self._answered = self._begun
            self._come_to(compared.at)
            if self._behind:
                log.info("%s is %d records behind", self._title, self._newest_seq - self._at)

    def _follow(self) -> None:
        with self._changed:
            newest = self._newest
            if newest is None:
                return
            self._newest = Noted(newest.head, newest.wall)  # what it stands for is handed over now
        at = self._counterpart.follow(newest)
        with self._changed:
            self._come_to(at)
            rest = PAUSE_BEHIND_S if at < newest.head.seq else PAUSE_S[self.name]
            self._changed.wait_for(
                lambda: self._end_at is not None or self._asked != self._answered, rest
            )

    @property
    def _newest_seq(self) -> int:
        return self._newest.head.seq if self._newest else 0

    def _come_to(self, at: int) -> None:
        self._at = at
        if at >= self._newest_seq:
            self._late_since = None
        self._changed.notify_all()

    def _part(self, why: str) -> None:
        log.critical("%s: %s", self._title, why)
        self._let_go()
        with self._changed:
            if self._begun == self._asked:  # else it was repaired meanwhile, and is compared again
                self.parted = why
            self._follows, self._lost, self._answered = False, "", self._begun
            self._changed.notify_all()
            if self.parted:
                self._on_parted()

    def _lose(self, why: str, *, replaced: bool = False) -> None:
        if why != self._lost:
            log.error("%s is lost: %s", self._title, why)
        self._let_go()
        with self._changed:
            self._lost, self._follows, self._replaced = why, False, replaced
            self._answered = self._begun
            self._seek_at = time.monotonic() + self._sought_every_s
            self._changed.notify_all()

    def _let_go(self) -> None:
        try:
            self._counterpart.close()
        except CounterpartLost as error:
            log.error("%s: %s", self._title, error)


def check_not_begun(threads: Sequence[CounterpartThread]) -> None:
    """Check before making a new ledger that no counterpart knows an earlier one of this table.

    Raises LedgerCorrupt if one does, LedgerUnavailable if one cannot say, or not in time.
    """
    asked = [(NAMES[thread.name], thread.ask_newest()) for thread in threads]
    until = time.monotonic() + ASKED_WITHIN_S
    for name, answer in asked:
        try:
            newest = answer.result(max(0.0, until - time.monotonic()))
        except (CounterpartLost, TimeoutError) as error:
            why = str(error) or f"{name} has not answered within {ASKED_WITHIN_S} s"
            raise LedgerUnavailable(
                f"there is no ledger, and whether the table has begun is not known: {why}"
            ) from error
        if newest:
            raise LedgerCorrupt(f"there is no ledger, and {name} has seen record {newest}")


def numbers_of(threads: Sequence[CounterpartThread]) -> dict[str, float]:
    """The counterparts' figures by their keys in docs/reference/health.md; none without any."""
    numbers: dict[str, float] = {}
    for thread in threads:
        numbers[f"{thread.name}_lost"] = float(bool(thread.lost))
        numbers[f"{thread.name}_behind"] = thread.behind
        numbers[f"{thread.name}_late_s"] = thread.late_s
    if threads:
        numbers["not_compared"] = sum(thread.not_compared for thread in threads)
    return numbers

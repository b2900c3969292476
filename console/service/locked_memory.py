"""What a locked table keeps in memory until its ledger can be written.

docs/reference/rules.md 7.
"""

from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from console.rules.acts import Act, Cleared, Reopened, Started
from console.rules.codes import LEDGER_FAULTS, LINK_FAULTS, LOST, Fault
from console.rules.round.card_outputs import rail_orders
from console.rules.state import NONE, Seats, TableState
from console.rules.structs import replace
from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CutCardOut,
    ResultReported,
    ShoeLoaded,
    ShoeTrouble,
)
from devices.roles import SEATS, KeyPosition, RailSeen
from jackpot.ledger.journal import Entry
from jackpot.ledger.lock_file import Lock

RECORDS = 1024
"""The most records kept; older ones are only counted."""

CARDS = 512
"""The most reports of a reading shoe kept: more than a shoe has cards."""

SWALLOWING_MS = 1000
"""For so long after the fault an acceptor may still take a token: it is inhibited at once, and
without messages it stops by itself after a second (docs/reference/cctalk.md)."""

REPORTED_ONCE = (CardDrawn, CardBurnt, CutCardOut, ResultReported, ShoeLoaded, ShoeTrouble)
"""Reports that no device repeats: they are applied when the fault is cleared."""


def make_reopened(committed: TableState, locked: TableState, lock: Lock | None) -> Reopened:
    """The act of opening the ledger again: the journal's latched faults, and the locked table's
    links, key and slots.

    A locked table ends no fault of the link, so those are latched, too. `lock`: the content of the
    lock file. The tokens that it names were seen before this run, and the counters may have lost
    them; tokens of this run are in the counters.
    """
    of_panel = {Fault.KEY_FAULT, Fault.CONTACT_UNSTEADY}
    of_parts = {*LOST.values(), *of_panel, *LEDGER_FAULTS} - LINK_FAULTS
    latched = [fault for fault in committed.faults if fault not in of_parts]
    seen = {*of_parts, *LINK_FAULTS, Fault.DOOR_OPEN}.difference(latched)
    seats = locked.seats
    return Reopened(
        locked.key,
        locked.inspector,
        (*latched, *(fault for fault in locked.faults if fault in seen)),
        seats.changed,
        seats.changed & seats.unfree,
        seats.freed & committed.seats.occupied,
        lock.since if lock is not None else "",
        lock.why if lock is not None else "",
        seats.occupied,
        frozenset(lock.unproved) if lock is not None else NONE,
    )


def needs_reopening(state: TableState, act: Cleared) -> bool:
    """Whether this clears a ledger fault, so that the ledger must be opened again."""
    in_service = state.service and state.key is KeyPosition.S
    return in_service and act.fault in LEDGER_FAULTS and act.fault in state.faults


class UnrecordedStart(Struct, frozen=True):
    """A start that could not be put on record then; `at` in monotonic ms, `wall` its label."""

    act: Started
    at: int
    wall: str


class LockedMemory:
    """Records of acts refused while locked, reports of a shoe, and seats that took tokens.

    `start`: this run's start, if the journal lacks it. The journal's state takes it when the fault
    is cleared.
    """

    def __init__(self) -> None:
        self.start: UnrecordedStart | None = None
        self._since: int | None = None  # ms of the monotonic clock
        self._tokens = NONE
        self._records: deque[Entry] = deque(maxlen=RECORDS)
        self._forgotten = 0
        self._reports: deque[tuple[Act, int]] = deque(maxlen=CARDS)

    def begin(self, now: int) -> None:
        """Note that the fault was raised: from now on the acceptors are inhibited."""
        self._since = now

    def keep(
        self,
        before: TableState,
        entries: Sequence[Entry],
        acts: Sequence[tuple[Act, int]],
        now: int,
    ) -> Seats:
        """Keep what cannot be written now; `before`: the locked table's state before these acts.

        Returns further seats that may have taken a token since the fault, which must be kept over a
        power cut.
        """
        for entry in entries:
            self._keep_record(entry)
        self._reports.extend(act for act in acts if isinstance(act[0], REPORTED_ONCE))
        return self._new_tokens(before, acts, now)

    def _keep_record(self, entry: Entry) -> None:
        act = entry.body["act"]
        if isinstance(act, Started):
            self.start = UnrecordedStart(act, entry.at_ms, entry.wall)
            return
        if len(self._records) == RECORDS:
            self._forgotten += 1
        body = {**entry.body, "while_locked": True}
        del body["changes"]  # they were made to a state that was never committed
        body.pop("reading", None)
        self._records.append(replace(entry, body=body, transactions=()))

    def _new_tokens(self, before: TableState, acts: Sequence[tuple[Act, int]], now: int) -> Seats:
        if self._since is None:
            self._since = now
        new = _tokens_in(before, acts, self._since + SWALLOWING_MS) - self._tokens
        self._tokens |= new
        return new

    def records(self, round: int) -> list[Entry]:
        """The records, oldest first; the first one has the number of forgotten ones.

        `round`: the round they get. A table that could not read its ledger did not know its round,
        and rounds never decrease along the journal.
        """
        kept = [replace(record, round=round) for record in self._records]
        if self._forgotten:
            kept[0] = replace(kept[0], body={**kept[0].body, "forgotten": self._forgotten})
        return kept

    def card_reports(self) -> list[tuple[Act, int]]:
        """The reports to be applied, each with the time it arrived."""
        return list(self._reports)

    def clear(self) -> None:
        """Forget everything, since it is on the disk."""
        self.start, self._since, self._tokens = None, None, NONE
        self._records.clear()
        self._reports.clear()
        self._forgotten = 0


def _tokens_in(locked: TableState, acts: Sequence[tuple[Act, int]], until: int) -> Seats:
    """Seats whose counter differs, or that were open for a token and became covered by `until`."""
    seen, covered = locked.rail.seen, locked.seats.occupied
    if seen is None or locked.seats.swallowed is None:
        return NONE
    were_open = rail_orders(replace(locked, faults=(), service=False)).accepting
    found: Seats = NONE
    for act, at in acts:
        if not isinstance(act, RailSeen):
            continue
        if at <= until:
            found |= (act.occupied - covered) & were_open
        covered = act.occupied
        if act.boot == seen.boot:
            counts = zip(SEATS, act.drops, seen.drops, strict=True)
            found |= frozenset(seat for seat, new, old in counts if new != old)
    return found

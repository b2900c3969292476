"""What goes on record about a counterpart: missing, damaged, older, replaced, or lost for long.

It raises COUNTERPART_CHANGED, which a technician clears (docs/reference/rules.md, section 7). Only
once that is on record may the counterpart begin anew.
"""

from collections.abc import Callable
from threading import Lock

LOST_FOR_S = 60.0
"""A medium that is away for longer is on record; one that is mounted late, or exchanged, is not."""

AT_THE_TABLE = frozenset({"copy", "seal"})
"""The counterparts on media at the table. One that is lost elsewhere may be a network's doing."""

OnDoubt = Callable[[str, str], None]
"""Is called with the counterpart's name and the reason, in any thread; must not block."""


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

"""Records the acts done on the page, as a scenario that does them again.

See docs/reference/scenarios.md.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from console.web.messages import TableSnapshot

MOST_LINES = 10_000
SHORTEST_GAP_S = 0.05
"""A shorter gap is not written: nobody waits so briefly on purpose."""

LONGEST_WAIT_S = 24 * 3600
MILLI = 1000


class ScenarioRecorder:
    """Records acts, and the time that passed between them."""

    def __init__(self, table: str, begins: Sequence[str]) -> None:
        """`begins`: the lines with which a scenario of this table begins."""
        self.fresh: bool | None = None
        """Whether nothing had been done to the table before; None: not known yet."""
        self._table = table
        self._begins = tuple(begins)
        self._acts: deque[tuple[float, str]] = deque(maxlen=MOST_LINES)
        self._noted = 0
        self._ended: float | None = None

    def note(self, line: str, began: float, ended: float) -> None:
        """Record an act, with its begin and end in seconds; a `wait` is kept as time only."""
        words = line.split()
        if words[:1] == ["wait"]:
            return
        gap = 0.0 if self._ended is None else max(0.0, began - self._ended)
        self._acts.append((gap, " ".join(words)))
        self._noted += 1
        self._ended = ended

    def text(self, now: float) -> str:
        """The scenario, up to this instant."""
        return "\n".join([*self._head(), *self._begins, *self._lines(now)]) + "\n"

    def _head(self) -> Iterator[str]:
        yield f"# Done on the page of table {self._table}."
        if self._noted > len(self._acts):
            yield f"# The first {self._noted - len(self._acts)} acts are left out."
        if self.fresh is False:
            yield "# Before the first act here the table was in use: this begins with a new one."

    def _lines(self, now: float) -> Iterator[str]:
        for gap, line in self._acts:
            yield from _waits(gap)
            yield line
        if self._ended is not None:
            yield from _waits(now - self._ended)


NEW_CABINET = {
    "powered": True,
    "disk_full": False,
    "key": "R",
    "inspector": False,
    "unplugged": [],
    "tokens": [],
    "cards": [],
    "jams": [],
    "shoe": None,
}
"""The cabinet at a scenario's start; tray and shuffler are empty as well."""


def is_unused(snapshot: TableSnapshot) -> bool:
    """Whether nothing has been done yet to this table and its cabinet."""
    cabinet = snapshot.cabinet or {}
    decks = cabinet.get("decks") or {}
    return (
        snapshot.round == 0
        and all(cabinet.get(name) == as_new for name, as_new in NEW_CABINET.items())
        and not cabinet.get("tray")
        and not cabinet.get("doors")
        and not any(decks.values())
        and not snapshot.road
    )


def _waits(seconds: float) -> Iterator[str]:
    if seconds < SHORTEST_GAP_S:
        return
    while seconds > LONGEST_WAIT_S:
        yield "wait 24h"
        seconds -= LONGEST_WAIT_S
    yield f"wait {round(seconds * MILLI)}ms"

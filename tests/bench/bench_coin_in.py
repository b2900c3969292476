"""COIN IN with seven tokens to the last commit: on the real disk, with syncs and its own thread.

Nothing falls here: what the rail would report is reported to the service directly, so that only
the controller's time is measured. `one_by_one`: each token as soon as the one before it is in the
ledger, so that nothing can be committed together; `together`: all seven in one report.
`sync_of_3_ms`: on a disk whose sync takes that long, as a card's does: there each commit, ours and
the bare one, waits until it has lasted so long.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter

from console.rules.acts import Act
from console.rules.codes import Phase
from console.rules.round import Transition
from console.rules.state import TableState
from console.service.disk_thread import DiskThread
from console.service.table_ledger import TableLedger
from console.service.table_service import TableService
from devices.roles import SEATS, Button, ButtonPressed, RailSeen
from jackpot.ledger.journal import Entry
from tests.bench.contenders import ROOT
from tests.bench.figures import Figure, Goal, percentile, ratio, round_figure
from tests.bench.rig import Rig

ROUNDS = 40
WARM_UP = 5
STEP_S = 5.0
BOOT = 1
SYNC_MS = 3

FALLS: dict[str, list[tuple[int, ...]]] = {
    "one_by_one": [(seat,) for seat in SEATS],
    "together": [SEATS],
}
"""Which seats' tokens are counted in one report, report after report."""

WAYS: dict[str, tuple[str, int, Goal | None]] = {
    "one_by_one": ("one_by_one", 0, None),
    f"one_by_one.sync_of_{SYNC_MS}_ms": ("one_by_one", SYNC_MS, Goal(1.5, "bare_commits")),
    "together": ("together", 0, Goal(2.0, "bare_commits")),
}
"""How they fall, how many milliseconds a commit takes at least, and what it may cost."""

wait = Event().wait


class CountingLedger(TableLedger):
    """Counts its commits; each takes `sync_ms` at least."""

    commits = 0
    sync_ms = 0

    def commit(self, entries: Sequence[Entry]) -> bool:
        """Count the commit, and make it."""
        self.commits += 1
        until = perf_counter() + self.sync_ms / 1000
        moved = super().commit(entries)
        wait_until(until)
        return moved


def wait_until(when: float) -> None:
    """As a thread waits for a disk: nothing else is held."""
    if (left := when - perf_counter()) > 0:
        wait(left)


class Hands:
    """Does something to a table and waits until what follows is committed."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._settled = asyncio.Event()
        service.watchers.append(self._watch)

    async def do(self, act: Act, then: Callable[[TableState], bool]) -> None:
        """Report the act. Raises TimeoutError unless `then` holds of the state soon."""
        self._service.report(act)
        async with asyncio.timeout(STEP_S):
            while not then(self._service.state):
                self._settled.clear()
                await self._settled.wait()

    def _watch(self, _act: Act, _step: Transition) -> None:
        self._settled.set()


async def coin_in(hands: Hands, number: int, falls: Sequence[tuple[int, ...]]) -> None:
    """COIN IN in round `number` (from 0), until the last token is accepted."""
    await hands.do(ButtonPressed(Button.COIN_IN), lambda state: state.phase is Phase.COLLECTING)
    fallen: frozenset[int] = frozenset()
    for seats in falls:
        fallen |= frozenset(seats)
        drops = tuple(number + (seat in fallen) for seat in SEATS)
        seen = RailSeen(BOOT, frozenset(SEATS) - fallen, drops, number * len(SEATS))
        await hands.do(seen, partial(all_accepted, fallen))


def all_accepted(seats: frozenset[int], state: TableState) -> bool:
    """Whether the tokens of these seats are in the ledger."""
    return state.seats.accepted == seats


async def rounds(
    folder: Path, falls: Sequence[tuple[int, ...]], sync_ms: int
) -> list[tuple[float, float, int]]:
    """Each round's milliseconds, those of as many bare commits right after it, and how many."""
    loop = asyncio.get_running_loop()
    table_ledger = CountingLedger(folder / "table", begins=True)
    table_ledger.sync_ms = sync_ms
    rig = Rig(loop, table_ledger, DiskThread(loop))
    await rig.start()
    hands = Hands(rig.service)
    measured = []
    with closing(bare_database(folder / "bare.db")) as bare:
        for number in range(WARM_UP + ROUNDS):
            counts, tray = (number,) * len(SEATS), number * len(SEATS)
            await hands.do(
                ButtonPressed(Button.GAME_OVER), lambda state: state.phase is Phase.BETTING
            )
            tokens_in = RailSeen(BOOT, frozenset(SEATS), counts, tray)
            await hands.do(tokens_in, lambda state: len(state.seats.tokens) == len(SEATS))
            before, began = table_ledger.commits, perf_counter()
            await coin_in(hands, number, falls)
            spent, commits = perf_counter() - began, table_ledger.commits - before
            measured.append((spent * 1000, bare_commits(bare, commits, sync_ms), commits))
            counts, tray = (number + 1,) * len(SEATS), (number + 1) * len(SEATS)
            landed = RailSeen(BOOT, frozenset(), counts, tray)
            await hands.do(landed, lambda state: state.deadlines.tray is None)
    rig.close()
    return measured[WARM_UP:]


def bare_database(file: Path) -> sqlite3.Connection:
    """A database that syncs as the ledger does, and one small table."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE row (number INTEGER PRIMARY KEY, text TEXT)")
    return connection


def bare_commits(connection: sqlite3.Connection, commits: int, sync_ms: int) -> float:
    """The milliseconds of so many commits of one small row each."""
    began = perf_counter()
    for _ in range(commits):
        until = perf_counter() + sync_ms / 1000
        connection.execute("INSERT INTO row (text) VALUES ('a token')")
        wait_until(until)
    return (perf_counter() - began) * 1000


def measure() -> Iterator[Figure]:
    """Both ways of falling."""
    for way, (falling, sync_ms, goal) in WAYS.items():
        with TemporaryDirectory(dir=ROOT / ".venv") as folder:
            measured = asyncio.run(rounds(Path(folder), FALLS[falling], sync_ms))
        ours, bare = [one[0] for one in measured], [one[1] for one in measured]
        yield Figure(
            f"coin_in.{way}",
            median(ours),
            "ms",
            goal,
            {"bare_commits": median(bare)},
            {"bare_commits": ratio(ours, bare)},
            {
                "p99": round_figure(percentile(ours, 99)),
                "commits": measured[-1][2],
                "rounds": len(measured),
            },
        )

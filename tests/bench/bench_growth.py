"""Start-up, meters, a round and a commit at ledgers of 10,000 records and many more.

The ledgers are full of whole rounds with right hashes, a snapshot every 256 records and the tray
counted every night. All sizes are measured in turn (A B C A B C), so that what else the machine
does falls on each alike.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from console.bordereau.nights import last_closing
from console.rules.acts import KINDS, TrayCounted
from console.rules.records import SNAPSHOT, restore_recovered
from console.rules.structs import replace
from jackpot.ledger.journal import JSON, Entry
from jackpot.ledger.ledger import Ledger, newest_record, read_records, transactions_since
from tests.bench.bench_commit import evening
from tests.bench.contenders import ROOT
from tests.bench.figures import Figure, Goal, percentile

SIZES = (10_000, 100_000, 1_000_000)
LARGEST = 10_000_000
ALL = "BANCO_BENCH_ALL"
"""Set to 1 in the environment, it adds the largest, which takes some gigabytes and a while."""

AT_MOST = 1.5
TIMES = 15
COMMITS = 400
BATCH = 2_000
TAIL = 100
"""Records after the last snapshot, the same at every size: a start reads just these."""

Measured = dict[str, list[float]]


@dataclass
class GrownLedger:
    """A ledger of `records` records, and the milliseconds that were measured on it."""

    folder: Path
    records: int
    entries: list[Entry]
    measured: Measured = field(default_factory=dict)

    def build(self) -> None:
        """Fill it, unsynced."""
        nights = endless(self.entries)
        with closing(Ledger.open(self.folder, durable=False)) as ledger:
            ledger.begin(1)
            left = self.records - TAIL - 1
            while left > 0:
                count = min(BATCH, left)
                ledger.commit([next(nights) for _ in range(count)])
                left -= count
            snapshot = next(one for one in self.entries if one.kind == SNAPSHOT)
            rest = (one for one in nights if one.kind != SNAPSHOT)
            ledger.commit([snapshot, *(next(rest) for _ in range(TAIL))])

    def time(self, name: str, work: Callable[[], object]) -> None:
        """Measure it once."""
        began = perf_counter()
        work()
        self.measured.setdefault(name, []).append((perf_counter() - began) * 1000)

    def start(self) -> None:
        """Open it, as a service does, until the table's state is known."""
        with closing(Ledger.open(self.folder)) as ledger:
            restore_recovered(ledger.recovered)

    def meters(self) -> None:
        """What the technician's `meters` asks: what moved since the tray was counted."""
        counted = last_closing(self.folder)
        newest = newest_record(self.folder)
        if (
            counted is None
            or newest is None
            or not list(transactions_since(self.folder, counted.seq))
        ):
            raise RuntimeError("nothing was counted")

    def round(self, turn: int) -> None:
        """Read one round, each time another one, from the first to the last."""
        newest = newest_record(self.folder)
        last = newest.round if newest is not None else 0
        number = 1 + (last - 1) * turn // TIMES
        self.time("round", lambda: list(read_records(self.folder, round=number)))
        if not list(read_records(self.folder, round=number)):
            raise RuntimeError(f"round {number} is not there")


def endless(entries: list[Entry]) -> Iterator[Entry]:
    """Night after night, each with rounds and identities of its own, the tray counted after it."""
    length = entries[-1].round
    for night in range(LARGEST):
        for one in entries:
            moved = tuple(
                replace(t, identity=f"night-{night}/{t.identity}") for t in one.transactions
            )
            yield replace(one, round=one.round + night * length, transactions=moved)
        counted: dict[str, JSON] = {
            "act": {"tokens": 0, "who": "bench"},
            "changes": {},
            "outcome": "done",
        }
        last = entries[-1]
        yield Entry(KINDS[TrayCounted], (night + 1) * length, last.at_ms, last.wall, 1, counted)


def measure_all(grown: list[GrownLedger]) -> None:
    """Everything, in turn."""
    for turn in range(TIMES):
        for one in grown:
            one.time("start", one.start)
            one.time("meters", one.meters)
            one.round(turn)
    with ExitStack() as stack:
        ledgers = [stack.enter_context(closing(Ledger.open(one.folder))) for one in grown]
        for ledger in ledgers:
            ledger.begin(ledger.recovered.boot + 1)
        entries = [one for one in grown[0].entries if one.kind != SNAPSHOT]
        for number in range(COMMITS):
            entry = entries[number]
            moved = tuple(replace(t, identity=f"late/{t.identity}") for t in entry.transactions)
            late = [replace(entry, transactions=moved)]
            for one, ledger in zip(grown, ledgers, strict=True):
                one.time("commit", partial(ledger.commit, late))


def measure() -> Iterator[Figure]:
    """Each figure at each size, beside the smallest's."""
    sizes = (*SIZES, LARGEST) if os.environ.get(ALL) == "1" else SIZES
    entries = [entry for entry, _ in evening() if entry.round > 0]
    with TemporaryDirectory(dir=ROOT / ".venv") as folder:
        grown = [GrownLedger(Path(folder) / str(size), size, entries) for size in sizes]
        for one in grown:
            one.build()
        measure_all(grown)
        for name, percent in (
            ("start", 50),
            ("meters", 50),
            ("round", 50),
            ("commit", 50),
            ("commit", 99),
        ):
            smallest = percentile(grown[0].measured[name], percent)
            for one in grown:
                value = percentile(one.measured[name], percent)
                yield Figure(
                    f"growth.{name}.p{percent}.{one.records}",
                    value,
                    "ms",
                    Goal(AT_MOST, "smallest"),
                    {"smallest": smallest},
                    {"smallest": value / smallest},
                )

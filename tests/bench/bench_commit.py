"""A commit on the real disk, beside a bare synced insert of the same bytes right after it.

What is committed is the record of whole rounds, one record a commit. `ledger`: the ledger alone.
`table`: through the table's ledger, with a second copy and a seal that follow on the same disk.
"""

import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter

import msgspec

from console.configuration.table_plan import TablePlan
from console.service.table_ledger import TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from jackpot.ledger.journal import Entry, Record
from jackpot.ledger.ledger import Ledger, read_records
from jackpot.trust.counterpart import Counterpart
from jackpot.trust.seal_file import SealFile
from jackpot.trust.second_copy import SecondCopy
from tests.bench.bench_rounds import play
from tests.bench.contenders import ROOT
from tests.bench.figures import Figure, Goal, percentile, ratio, round_figure

ROUNDS = 300
WARM_UP = 100
AT_MOST = {"ledger": 1.3, "table": 1.5}
"""Times the bare insert, at the median."""

PACE_S = 0.003
"""Between two pairs at a table: what follows the ledger has time to work, and does."""

Commit = Callable[[Sequence[Entry]], object]


def evening() -> list[tuple[Entry, int]]:
    """The record of whole rounds, and how many bytes each record has in the ledger."""
    with (
        TemporaryDirectory() as folder,
        machine_in_virtual_time(TablePlan(), Path(folder)) as machine,
    ):
        simulated_table = SimulatedTable(machine)
        simulated_table.wait_for_devices()
        play(simulated_table, ROUNDS)
        return [
            (entry_of(record), size(record))
            for record in read_records(machine.disk.folder, limit=-1)
        ]


def entry_of(record: Record) -> Entry:
    """The entry a record was made from."""
    return Entry(
        record.kind,
        record.round,
        record.at_ms,
        record.wall,
        record.settings_version,
        record.body,
        record.transactions,
    )


def size(record: Record) -> int:
    """The bytes of everything a record says, its hash with them."""
    return len(msgspec.json.encode(entry_of(record))) + len(bytes.fromhex(record.hash))


def bare(file: Path) -> sqlite3.Connection:
    """A database of one table that syncs as the ledger does."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE row (number INTEGER PRIMARY KEY, bytes BLOB)")
    return connection


def pairs(commit: Commit, file: Path, pace_s: float) -> list[tuple[float, float]]:
    """The milliseconds of each commit and of its bare insert; which comes first is drawn by lot."""
    lot, pause, measured = random.Random(5), Event(), []
    with closing(bare(file)) as connection:
        for entry, count in evening():
            row = (bytes(count),)
            works: list[Callable[[], object]] = [
                partial(commit, [entry]),
                partial(connection.execute, "INSERT INTO row (bytes) VALUES (?)", row),
            ]
            first = lot.randrange(2)
            spent = [0.0, 0.0]
            for which in (first, 1 - first):
                began = perf_counter()
                works[which]()
                spent[which] = (perf_counter() - began) * 1000
            measured.append((spent[0], spent[1]))
            pause.wait(pace_s)
    return measured[WARM_UP:]


def ledger_alone(folder: Path) -> list[tuple[float, float]]:
    """The ledger by itself, back to back."""
    with closing(Ledger.open(folder / "ledger")) as ledger:
        ledger.begin(1)
        return pairs(ledger.commit, folder / "bare.db", 0)


def whole_table(folder: Path) -> list[tuple[float, float]]:
    """The table's ledger, with everything that follows them."""
    (folder / "copy").mkdir()

    def counterparts(ledger: Path) -> tuple[Counterpart, ...]:
        return SecondCopy(ledger, folder / "copy"), SealFile(folder / "seal", ledger, "bench")

    table_ledger = TableLedger(folder / "ledger", counterparts=counterparts, begins=True)
    with closing(table_ledger):
        table_ledger.open()
        return pairs(table_ledger.commit, folder / "bare.db", PACE_S)


def measure() -> Iterator[Figure]:
    """Both, at the median and at the 99th percentile; `pairs`: the median of the pairs' ratios.

    Where others use the disk, a sync takes one of two times, and medians jump between them.
    """
    for name, work in (("ledger", ledger_alone), ("table", whole_table)):
        with TemporaryDirectory(dir=ROOT / ".venv") as folder:
            measured = work(Path(folder))
        paired = ratio([one[0] for one in measured], [one[1] for one in measured])
        for percent in (50, 99):
            ours = percentile([one[0] for one in measured], percent)
            theirs = percentile([one[1] for one in measured], percent)
            yield Figure(
                f"commit.{name}.p{percent}",
                ours,
                "ms",
                Goal(AT_MOST[name], "bare_insert") if percent == 50 else None,
                {"bare_insert": theirs},
                {"bare_insert": ours / theirs},
                {"commits": len(measured), "pairs": round_figure(paired)},
            )

"""The bytes that a record, a round and a night write to the medium, and how often it is flushed.

A night is eight hours of 40 rounds with five players. It is played in virtual time; then its
records are committed one by one. The second copy and the seal follow as late as they would.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from console.configuration.table_plan import TablePlan
from console.service.counterparts import PAUSE_S
from console.simulation.scenario.acts import AtSeats, Press, SeatVerb, Wait
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from devices.roles import Button
from jackpot.ledger.journal import Entry
from jackpot.ledger.ledger import Ledger, read_records
from jackpot.ledger.two_slots import SLOT_BYTES
from jackpot.trust.counterpart import Counterpart, Noted
from jackpot.trust.seal_file import SealFile
from jackpot.trust.second_copy import SecondCopy
from tests.bench.bench_commit import bare, entry_of, size
from tests.bench.contenders import ROOT
from tests.bench.figures import Figure
from tests.jackpot.apsw_disk import Call, Disk, Kind

ROUNDS = 320
PLAYERS = (1, 2, 3, 4, 5)
ROUND_MS = 90_000
BETWEEN_TOKENS_MS = 2_000

PAGE = 4096
"""What a file system writes at least."""

COMMITS = 1_000
TIMES = 3
SECTOR = 512
_SECTORS, _FLUSHES = 6, 15
"""Fields of /sys/dev/block/*/stat: sectors written, and flushes."""

DEEDS = (
    Press(Button.GAME_OVER),
    *(
        act
        for seat in PLAYERS
        for act in (AtSeats(SeatVerb.TOKEN, (seat,)), Wait(BETWEEN_TOKENS_MS))
    ),
    Press(Button.COIN_IN),
    Wait(ROUND_MS - BETWEEN_TOKENS_MS * len(PLAYERS)),
)

WAYS: dict[str, tuple[str, ...]] = {
    "ledger": (),
    "ledger_and_copy": ("copy",),
    "ledger_copy_and_seal": ("copy", "seal"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What programs hand to files, and the times they flush them."""

    bytes: int
    flushes: int


class CountingDisk(Disk):
    """Counts the bytes written to it and its flushes."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = Counter[str]()

    def after_call(self, call: Call) -> None:
        """Count."""
        if call.kind is Kind.WRITE:
            self.counts["bytes"] += len(call.data)
        elif call.kind is Kind.SYNC:
            self.counts["flushes"] += 1


class Follower:
    """A witness that follows the commits, by their times."""

    def __init__(self, witness: Counterpart) -> None:
        self.written = 0
        self._witness = witness
        self._pause_ms = round(PAUSE_S[witness.name] * 1000)
        self._rests_until = 0
        self._waiting: Noted | None = None
        witness.compare()

    def note(self, noted: Noted, at_ms: int) -> None:
        """A record was committed at this time."""
        self.catch_up(at_ms)
        self._waiting = noted
        self.catch_up(at_ms)

    def catch_up(self, at_ms: int) -> None:
        """Write what waits, if it is due at this time."""
        if self._waiting is None or at_ms < self._rests_until:
            return
        while self._witness.follow(self._waiting) < self._waiting.head.seq:
            self.written += 1
        self.written += 1
        self._waiting = None
        self._rests_until = at_ms + self._pause_ms


def night(rounds: int = ROUNDS) -> list[tuple[Entry, int]]:
    """The record of a night, and the bytes that each record has."""
    with (
        TemporaryDirectory() as folder,
        machine_in_virtual_time(TablePlan(), Path(folder)) as machine,
    ):
        simulated_table = SimulatedTable(machine)
        simulated_table.wait_for_devices()
        for act in DEEDS * rounds:
            simulated_table.do(act)
        return [
            (entry_of(record), size(record))
            for record in read_records(machine.disk.folder, limit=-1)
        ]


def replay(record: Sequence[Entry], ledger: Ledger, followers: Sequence[Follower]) -> None:
    """Commit each record by itself, and let the counterparts follow."""
    ledger.begin(1)
    for entry in record:
        head = ledger.commit([entry])
        for follower in followers:
            follower.note(Noted(head, entry.wall), entry.at_ms)
    for follower in followers:
        follower.catch_up(record[-1].at_ms + 1000)


def cost_of(record: Sequence[Entry], counterparts: Sequence[str], folder: Path) -> Cost:
    """What a table with these counterparts writes for this record, from its start to its end."""
    disk, ledger_folder = CountingDisk(), folder / "ledger"
    (folder / "copy").mkdir()
    made: dict[str, Callable[[], Counterpart]] = {
        "copy": lambda: SecondCopy(ledger_folder, folder / "copy", connect=disk.connect),
        "seal": lambda: SealFile(folder / "seal", ledger_folder, "bench"),
    }
    with ExitStack() as open_files:
        ledger = open_files.enter_context(closing(Ledger.open(ledger_folder, connect=disk.connect)))
        opened = [open_files.enter_context(closing(made[name]())) for name in counterparts]
        followers = [Follower(witness) for witness in opened]
        replay(record, ledger, followers)
    seals = sum(
        follower.written
        for name, follower in zip(counterparts, followers, strict=True)
        if name == "seal"
    )
    return Cost(disk.counts["bytes"] + seals * SLOT_BYTES, disk.counts["flushes"] + seals)


@dataclass(frozen=True, slots=True)
class Written:
    """What has been written so far: by this process to its files' pages, and to the medium.

    The medium's figures have what others write, and what the file system adds.
    """

    pages: int
    medium: int
    flushes: int

    @classmethod
    def until_now(cls, folder: Path) -> "Written":
        """The kernel's figures; 0 for a folder that is on no block device."""
        lines = Path("/proc/self/io").read_text("ascii").splitlines()
        (pages,) = (int(line.split()[1]) for line in lines if line.startswith("write_bytes"))
        device = folder.stat().st_dev
        stat = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat")
        fields = [int(field) for field in stat.read_text("ascii").split()] if stat.exists() else []
        if len(fields) <= _FLUSHES:
            return cls(pages, 0, 0)
        return cls(pages, fields[_SECTORS] * SECTOR, fields[_FLUSHES])

    def since(self, before: "Written", commits: int) -> dict[str, float]:
        """For each commit."""
        return {
            "file_pages": (self.pages - before.pages) / commits,
            "medium": (self.medium - before.medium) / commits,
            "flushes": (self.flushes - before.flushes) / commits,
        }


def by_ledger(record: Sequence[tuple[Entry, int]], folder: Path) -> dict[str, float]:
    """The ledger's commits on the real disk."""
    with closing(Ledger.open(folder / "ledger")) as ledger:
        before = Written.until_now(folder)
        replay([entry for entry, _ in record], ledger, ())
        return Written.until_now(folder).since(before, len(record))


def by_bare_inserts(record: Sequence[tuple[Entry, int]], folder: Path) -> dict[str, float]:
    """One row of as many bytes in one table, for each record."""
    with closing(bare(folder / "bare.db")) as connection:
        before = Written.until_now(folder)
        for _, count in record:
            connection.execute("INSERT INTO row (bytes) VALUES (?)", (bytes(count),))
        return Written.until_now(folder).since(before, len(record))


def fewest(work: Callable[[Path], dict[str, float]]) -> dict[str, float]:
    """The least of each figure of several times: what others write comes on top."""
    times = []
    for _ in range(TIMES):
        with TemporaryDirectory(dir=ROOT / ".venv") as folder:
            times.append(work(Path(folder)))
    return {name: min(one[name] for one in times) for name in times[0]}


def measure() -> Iterator[Figure]:
    """A night three ways beside the smallest possible; then commits as the medium sees them."""
    record = night()
    smallest = Cost(sum(-(-count // PAGE) * PAGE for _, count in record), len(record))
    for way, counterparts in WAYS.items():
        with TemporaryDirectory() as folder:
            cost = cost_of([entry for entry, _ in record], counterparts, Path(folder))
        yield _night(way, cost, smallest, len(record))
    sample = record[:COMMITS]
    ours = fewest(partial(by_ledger, sample))
    theirs = fewest(partial(by_bare_inserts, sample))
    for name, value in ours.items():
        yield Figure(
            f"writes.commit.{name}",
            value,
            "a commit" if name == "flushes" else "bytes a commit",
            peers={"bare_insert": theirs[name]},
            more={"commits": len(sample)},
        )


def _night(way: str, cost: Cost, smallest: Cost, records: int) -> Figure:
    return Figure(
        f"writes.night.{way}",
        cost.bytes / 1e6,
        "MB handed to files",
        peers={"smallest": smallest.bytes / 1e6},
        ratios={"smallest": cost.bytes / smallest.bytes},
        more={
            "flushes": cost.flushes,
            "smallest_flushes": smallest.flushes,
            "records": records,
            "a_round": _share(cost, ROUNDS),
            "a_record": _share(cost, records),
        },
    )


def _share(cost: Cost, count: int) -> dict[str, float]:
    return {"bytes": round(cost.bytes / count), "flushes": round(cost.flushes / count, 2)}

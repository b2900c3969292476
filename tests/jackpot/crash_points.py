"""Crash points: the power goes before and after everything SQLite does to a file in a round.

`python -m tests.jackpot.crash_points [--all] [--seed N]` tries them and prints a line of JSON;
exit status 1 if one was wrong. The rounds are those of `recorded_round.ROUNDS`. A point is a place
in the log of what was done to the disk, a kind of damage to what was not synced by then, and a
seed. What is opened on what is left is the product, with the SQLite of Python.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from console.rules import records
from console.rules.acts import Started
from console.rules.game_modules import advance
from console.rules.replay import replay
from console.service.disk_thread import DISK_ERRORS
from console.service.start import StartRefused, state_at_start
from console.service.table_ledger import TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.ledger.journal import GENESIS
from jackpot.ledger.ledger import newest_record, read_records, rebuild, verify
from jackpot.money.amounts import to_units
from tests.console.table import SLOT, Table
from tests.jackpot.recorded_disk import Damage, Folder, Platter, put_ledger
from tests.jackpot.recorded_round import ROUNDS, Recording, record

SEEDS = {Damage.KEPT: 1, Damage.LOST: 1, Damage.TORN: 2, Damage.REORDERED: 5}
"""How often each kind of damage is tried at a place, each time with another seed."""

WHOLE_SERVICE_EVERY = 40
"""At so many of the folders that differ, a whole table is started on one, and plays on."""

PLAYED_ON = (
    *("key JPL", "key R", "press COIN_IN", "wait 3s"),
    *("press GAME_OVER", "token 6", "press COIN_IN", "wait 3s"),
    *("press GAME_OVER", "token 5", "press COIN_IN", "wait 3s"),
)


@dataclass(frozen=True, slots=True)
class Point:
    """When `done` things had been done to the disk, the power went and did this damage."""

    done: int
    damage: Damage
    seed: int


class WrongAfterCrash(AssertionError):
    """What was found after a crash is not what was promised."""


PROBLEMS = (AssertionError, StartRefused, records.UnreadableRecord, *DISK_ERRORS)


@dataclass(slots=True)
class Tally:
    """What was tried."""

    points: Counter[str] = field(default_factory=Counter)
    folders: int = 0
    services: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """And what was tried besides."""
        self.points += other.points
        self.folders += other.folders
        self.services += other.services
        self.wrong += other.wrong


def points_of(recording: Recording) -> list[Point]:
    """Every point: before and after everything that was done to the disk."""
    return [
        Point(done, damage, seed)
        for done in range(recording.begin, len(recording.log) + 1)
        for damage, seeds in SEEDS.items()
        for seed in range(seeds)
    ]


def sample(points: list[Point], seed: int) -> list[Point]:
    """Every twentieth of them; each kind of damage, as there are nine points at a place."""
    return points[seed % 20 :: 20]


def folders_of(
    recording: Recording, points: Iterable[Point], seed: int
) -> Iterator[tuple[Point, Folder]]:
    """What each point leaves of the folder; points in their order."""
    platter, done = Platter(), 0
    for point in points:
        for one in recording.log[done : point.done]:
            platter.take(one)
        done = point.done
        yield point, platter.folder_after_cut(point.damage, hash((seed, point.done, point.seed)))


def try_points(recording: Recording, points: Iterable[Point], seed: int, work: Path) -> Tally:
    """Try these points, in their order; folders that are the same in all are tried once."""
    tally = Tally()
    tried: set[bytes] = set()
    for point, folder in folders_of(recording, points, seed):
        tally.points[point.damage.value] += 1
        key = _fingerprint(folder, recording.newest_promised(point.done))
        if key in tried:
            continue
        tried.add(key)
        tally.folders += 1
        try:
            begun = recording.newest_promised(point.done) > 0
            _check(recording, point, put_ledger(folder, work / "ledger", begun=begun))
            if tally.folders % WHOLE_SERVICE_EVERY == 0:
                tally.services += 1
                put_ledger(folder, work / "ledger", begun=begun)
                _play_on(recording, work)
        except PROBLEMS as error:
            tally.wrong.append(f"{point}: {type(error).__name__}: {error}")
    return tally


def _check(recording: Recording, point: Point, where: Path) -> None:
    plan = recording.played.plan
    table_ledger = TableLedger(where, durable=False, begins=True)
    with closing(table_ledger):
        state = state_at_start(table_ledger, plan.settings(), "")
        _right(not state.locked, f"locked: {state.faults}: {table_ledger.last_lock}")
        step = advance(state, Started(), plan.rules(SLOT), 0)
        table_ledger.commit([records.entry_of(Started(), state, step, 0, "", 1)])
    newest = newest_record(where)
    assert newest is not None
    last = newest.seq - 1
    promised = recording.newest_promised(point.done)
    _right(last >= promised, f"records {last + 1} to {promised} are lost")
    _right(last in recording.ends, f"record {last} is not the last one of a commit")
    hashes = [GENESIS.hex(), *(one.hash for one in recording.journal)]
    _right(newest.previous == hashes[last], f"record {last} is another one")
    _right(state == recording.states[last], f"the state is not that after record {last}")
    _sound(where)


def _sound(where: Path) -> None:
    report, rebuilt = verify(where), rebuild(where)
    _right(report.sound, f"{report.problems}")
    _right(rebuilt.agrees, f"{rebuilt}")
    _right(sum(rebuilt.balances.to_dict().values()) == 0, f"{rebuilt.balances}")


def _play_on(recording: Recording, work: Path) -> None:
    """A whole table on it; its board lost its power, too."""
    plan = recording.played.plan
    with machine_in_virtual_time(plan, work) as machine:
        machine.cabinet.cut_power()
        machine.cabinet.restore_power()
        table = Table(plan, machine)
        before = table.state.balances.tray
        table.play(*PLAYED_ON)
        taken = (before - table.state.balances.tray) // to_units(plan.money.token)
        _right(taken == machine.cabinet.tray_count > 0, f"{taken} tokens taken after it")
        paid = table.state.balances.paid
        _right(paid <= recording.states[-1].balances.paid, f"{paid} are paid")
    where = work / "ledger"
    _sound(where)
    for replayed in replay(read_records(where)):
        _right(not replayed.problem, f"record {replayed.record.seq}: {replayed.problem}")


def _right(true: bool, otherwise: str) -> None:
    if not true:
        raise WrongAfterCrash(otherwise)


def _fingerprint(folder: Folder, promised: int) -> bytes:
    seen = sha256(f"{promised}".encode())
    for name, content in sorted(folder.items()):
        seen.update(f"{name} {len(content)} ".encode())
        seen.update(content)
    return seen.digest()


def main(arguments: list[str] | None = None) -> int:
    """Try the points of all rounds, print what came of it; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="the crash points of a round")
    parser.add_argument("--all", action="store_true", help="every point, not every tenth")
    parser.add_argument("--seed", type=int, default=1, help="of the damage (default: 1)")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    tally = Tally()
    for played in ROUNDS.values():
        with TemporaryDirectory() as work:
            recording = record(played, Path(work, "recorded"))
            points = points_of(recording)
            if not asked.all:
                points = sample(points, asked.seed)
            tally.add(try_points(recording, points, asked.seed, Path(work)))
    summary = {
        "seed": asked.seed,
        "rounds": list(ROUNDS),
        "points": sum(tally.points.values()),
        **tally.points,
        "folders": tally.folders,
        "tables": tally.services,
        "wrong": len(tally.wrong),
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(summary))
    print(*tally.wrong, sep="\n", end="", file=sys.stderr)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Damaged ledgers: each is detected and locks the table, or it is proved to be harmless.

`python -m tests.jackpot.corruptions [--share N] [--seed N] [KIND...]` damages a small ledger in
12,492 ways (with --share 6 in every sixth of them), has the product start on what is left, and
prints the table: kind, tried, detected, harmless, missed. Exit status 1: one was missed.

What counts as detected, and as harmless: `damage_judged`.
"""

import argparse
import json
import logging
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp

from console.records import UnreadableRecord
from console.scribe import DISK_ERRORS
from console.start import StartRefused
from tests.jackpot import damaged_files, damaged_rows
from tests.jackpot.damage_judged import Found, Judge, Missed
from tests.jackpot.damaged_rows import Hand, with_hand
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import Sound, sound_ledger

CRASHES = (
    *(ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
    *(sqlite3.Error, UnreadableRecord, StartRefused, *DISK_ERRORS),
)
"""What the product must not raise at a start: a table that does not start does not say why."""

DETECTED = (Found.AT_START, Found.BY_SEAL, Found.BEHIND)

Damage = Callable[[Sound, Random], Folder]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of damaging, and how often it is tried; `locks`: nothing of it may be harmless."""

    damage: Damage
    times: int
    locks: bool = False


def by_hand(do: Callable[[Hand], None]) -> Damage:
    """Damage that is done to the tables."""
    return lambda sound, random: with_hand(sound, random, do)


FILES: Mapping[str, Kind] = {
    "a bit in the database": Kind(damaged_files.bit_in_database, 2_100),
    "a bit in the log": Kind(damaged_files.bit_in_log, 1_200),
    "a block zeroed in the database": Kind(damaged_files.zeroed_in_database, 600),
    "a block zeroed in the log": Kind(damaged_files.zeroed_in_log, 600),
    "a block garbled in the database": Kind(damaged_files.garbled_in_database, 600),
    "a block garbled in the log": Kind(damaged_files.garbled_in_log, 600),
    "a block of elsewhere in the database": Kind(damaged_files.block_of_elsewhere, 600),
    "the database truncated": Kind(damaged_files.truncated_database, 600),
    "the log truncated": Kind(damaged_files.truncated_log, 600),
    "the database with more at its end": Kind(damaged_files.grown_database, 60),
    "files gone or emptied": Kind(damaged_files.file_gone, 12),
    "an old database": Kind(damaged_files.old_database, 240),
    "an old log": Kind(damaged_files.old_log, 240),
    "an old ledger": Kind(damaged_files.all_old, 120, locks=True),
    "the lock of a locked table": Kind(damaged_files.lock_damaged, 300, locks=True),
    "the lock of an open table": Kind(damaged_files.lock_of_open_table_damaged, 300),
    "the seal": Kind(damaged_files.seal_damaged, 240),
}
ROWS: Mapping[str, Kind] = {
    "a record edited": Kind(by_hand(damaged_rows.edited), 300, locks=True),
    "a record edited, its hash fits": Kind(
        by_hand(damaged_rows.edited_with_its_hash), 300, locks=True
    ),
    "a record edited, the whole chain fits": Kind(
        by_hand(damaged_rows.chain_rewritten), 300, locks=True
    ),
    "money edited": Kind(by_hand(damaged_rows.money_edited), 240, locks=True),
    "money edited, its hash fits": Kind(
        by_hand(damaged_rows.money_edited_with_its_hash), 240, locks=True
    ),
    "money edited, the whole chain fits": Kind(
        by_hand(damaged_rows.money_and_chain_rewritten), 240, locks=True
    ),
    "two records swapped": Kind(by_hand(damaged_rows.swapped), 240, locks=True),
    "a record deleted": Kind(by_hand(damaged_rows.deleted), 120, locks=True),
    "a record deleted, the whole chain fits": Kind(
        by_hand(damaged_rows.deleted_and_closed_up), 120, locks=True
    ),
    "the end cut off": Kind(by_hand(damaged_rows.end_cut_off), 120, locks=True),
    "the end cut off, the head fits": Kind(
        by_hand(damaged_rows.end_cut_off_and_head_adjusted), 120, locks=True
    ),
    "a record inserted": Kind(by_hand(damaged_rows.inserted), 240, locks=True),
    "balances edited": Kind(by_hand(damaged_rows.balance_edited), 240, locks=True),
    "the head edited": Kind(by_hand(damaged_rows.head_edited), 120, locks=True),
    "a snapshot edited": Kind(by_hand(damaged_rows.snapshot_edited), 120, locks=True),
    "a snapshot made or unmade": Kind(by_hand(damaged_rows.snapshot_made), 120, locks=True),
    "an identity edited": Kind(by_hand(damaged_rows.identity_edited), 240, locks=True),
    "tables, index or version edited": Kind(by_hand(damaged_rows.tables_edited), 60),
}
KINDS: Mapping[str, Kind] = {**FILES, **ROWS}


@dataclass(slots=True)
class Tally:
    """What came of one kind."""

    kind: str
    found: Counter[Found] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    @property
    def row(self) -> list[str]:
        """Its row of the table."""
        detected = [self.found[how] for how in DETECTED]
        figures = (sum(self.found.values()), sum(detected), *detected)
        rest = (self.found[Found.HARMLESS], self.found[Found.MISSED])
        return [self.kind, *map(str, (*figures, *rest))]


def tried(sound: Sound, name: str, seed: int, share: int, work: Path) -> Tally:
    """Damage it in this way, every `share`-th of the times, and see."""
    kind, judge, tally = KINDS[name], Judge(sound, work), Tally(name)
    for number in range(seed % share, kind.times, share):
        folder = kind.damage(sound, Random(f"{seed}/{name}/{number}"))
        try:
            found = judge.judge(folder)
            if kind.locks and found is Found.HARMLESS:
                raise Missed("nothing was found, and it is not what it was")
        except (Missed, *CRASHES) as error:
            found = Found.MISSED
            kept = _kept(folder)
            tally.missed.append(f"{name}, {number}: {type(error).__name__}: {error} ({kept})")
        tally.found[found] += 1
    return tally


def _kept(folder: Folder) -> Path:
    where = Path(mkdtemp(prefix="banco-missed-"))
    for name, content in folder.items():
        (where / name).write_bytes(content)
    return where


def _tried_here(name: str, seed: int, share: int) -> Tally:
    logging.disable()  # each lock is logged
    with TemporaryDirectory() as work:
        return tried(_sound_here(), name, seed, share, Path(work, "tried"))


@cache
def _sound_here() -> Sound:
    """The same for all kinds that one process tries."""
    logging.disable()
    with TemporaryDirectory() as work:
        return sound_ledger(Path(work))


HEADING = ["kind", "tried", "detected", *(how.value for how in DETECTED), "harmless", "missed"]


def as_table(tallies: list[Tally]) -> str:
    """One row for each kind, and one of all."""
    together = Tally("all of them")
    for tally in tallies:
        together.found.update(tally.found)
    rows = [HEADING, *(tally.row for tally in (*tallies, together))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join((row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:]))) for row in rows
    )


def main(arguments: list[str] | None = None) -> int:
    """Try them, print the table; 1: one was missed."""
    parser = argparse.ArgumentParser(description="damaged ledgers")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="part of its name; default: all")
    parser.add_argument("--share", type=int, default=1, help="only every so many-th (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the damage (default: 1)")
    asked = parser.parse_args(arguments)
    names = [name for name in KINDS if any(one in name for one in asked.kinds or [""])]
    began = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        tries = [processes.submit(_tried_here, name, asked.seed, asked.share) for name in names]
        tallies = [one.result() for one in tries]
    print(as_table(tallies))
    found = sum((tally.found for tally in tallies), Counter[Found]())
    told = {"seed": asked.seed, "ledgers": found.total(), "missed": found[Found.MISSED]}
    print(json.dumps({**told, "seconds": round(time.monotonic() - began)}))
    for tally in tallies:
        print(*tally.missed[:20], sep="\n", end="", file=sys.stderr)
    return 1 if found[Found.MISSED] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Damaged ledgers: each is detected and locks the table, or it is proved to be harmless.

`python -m tests.jackpot.corruptions [--seed N] [--seeds N] [--share N] [KIND...]` damages a small
ledger in 14,318 ways (with --share 6 in every sixth of them), has the product start on what is
left, and prints the table: kind, tried, detected, harmless, missed. With --seeds it does so again
and again, each time with another seed. Exit status 1: one was missed; `--again FOLDER` repeats it.

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
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp

from console.rules.records import UnreadableRecord
from console.service.disk_thread import DISK_ERRORS
from console.service.start import StartRefused
from tests.jackpot.damage_judge import DamageMissed, Judge, Verdict
from tests.jackpot.damage_kinds import KINDS
from tests.jackpot.damaged_files import Draw
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import SoundLedger, sound_ledger

CRASHES = (
    *(ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
    *(sqlite3.Error, UnreadableRecord, StartRefused, *DISK_ERRORS),
)
"""What the product must not raise at a start: a table that does not start does not say why."""

DETECTED = (Verdict.AT_START, Verdict.BY_SEAL, Verdict.BEHIND, Verdict.BY_VERIFY)
NOT_DETECTED = (Verdict.HARMLESS, Verdict.UNSEEN, Verdict.MISSED)
DAMAGE = "damage.json"
"""Which damage it was, beside the files of a ledger that was missed."""

LARGEST_SEED = 10**9


@dataclass(frozen=True, slots=True)
class Trial:
    """One damaged ledger: of this seed, kind and number."""

    seed: int
    kind: str
    number: int

    def damage(self, sound: SoundLedger) -> Folder:
        """Its files."""
        draw = Draw(f"{self.seed}/{self.kind}/{self.number}", self.number)
        try:
            return KINDS[self.kind].damage(sound, draw)
        except Exception as error:
            error.add_note(f"{self} could not be made")
            raise

    def judge(self, judge: Judge, folder: Folder) -> Verdict:
        """What comes of it. Raises Missed, and CRASHES."""
        kind = KINDS[self.kind]
        found = judge.judge_forged(folder) if kind.forged else judge.judge(folder)
        if kind.locks and found is Verdict.HARMLESS:
            raise DamageMissed("nothing was found, and it is not what it was")
        return found


@dataclass(slots=True)
class Tally:
    """What came of one kind."""

    kind: str
    found: Counter[Verdict] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    @property
    def row(self) -> list[str]:
        """Its row of the table."""
        detected = [self.found[how] for how in DETECTED]
        rest = [self.found[how] for how in NOT_DETECTED]
        figures = (sum(self.found.values()), sum(detected), *detected, *rest)
        return [self.kind, *map(str, figures)]


def try_kind(sound: SoundLedger, name: str, seed: int, share: int, work: Path) -> Tally:
    """Damage it in this way, every `share`-th of the times, and see."""
    judge, tally = Judge(sound, work), Tally(name)
    for number in range(seed % share, KINDS[name].times, share):
        this = Trial(seed, name, number)
        folder = this.damage(sound)
        try:
            found = this.judge(judge, folder)
        except (DamageMissed, *CRASHES) as error:
            found = Verdict.MISSED
            tally.missed.append(
                f"{this}: {type(error).__name__}: {error}\n"
                f"  this one again: make corruptions AGAIN={_keep(this, folder)}\n"
                f"  all of its kind: make corruptions SEED={seed} KINDS='\"{name}\"'"
            )
        tally.found[found] += 1
    return tally


def again(kept: Path) -> Verdict:
    """Judge one that was missed once more. Raises as `Trial.judged` does."""
    this = Trial(**json.loads((kept / DAMAGE).read_text()))
    folder = {file.name: file.read_bytes() for file in kept.iterdir() if file.name != DAMAGE}
    with TemporaryDirectory() as work:
        return this.judge(Judge(_sound_here(), Path(work, "tried")), folder)


def _keep(this: Trial, folder: Folder) -> Path:
    where = Path(mkdtemp(prefix="banco-missed-"))
    for name, content in folder.items():
        (where / name).write_bytes(content)
    (where / DAMAGE).write_text(json.dumps(asdict(this)))
    return where


@contextmanager
def silent_log() -> Iterator[None]:
    """Each lock is logged: not here, and again for whoever comes after."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def _try_here(name: str, seed: int, share: int) -> Tally:
    with silent_log(), TemporaryDirectory() as work:
        return try_kind(_sound_here(), name, seed, share, Path(work, "tried"))


@cache
def _sound_here() -> SoundLedger:
    """The same for all kinds that one process tries."""
    with silent_log(), TemporaryDirectory() as work:
        return sound_ledger(Path(work))


def seeds_from(first: int, count: int) -> list[int]:
    """The first one alone, or so many drawn from it."""
    return [first] if count == 1 else Random(first).sample(range(LARGEST_SEED), count)


def try_seeds(
    seeds: Sequence[int], names: Sequence[str], share: int, processes: int
) -> Iterator[tuple[int, list[Tally]]]:
    """Each seed and what came of each kind, one seed after another."""
    with ProcessPoolExecutor(processes) as pool:
        try:
            tries = [
                (seed, [pool.submit(_try_here, name, seed, share) for name in names])
                for seed in seeds
            ]
            for seed, of_seed in tries:
                yield seed, [one.result() for one in of_seed]
        finally:
            pool.shutdown(cancel_futures=True)


HEADING = ["kind", "tried", "detected", *(how.value for how in (*DETECTED, *NOT_DETECTED))]


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="damaged ledgers")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="part of its name; default: all")
    parser.add_argument("--share", type=int, default=1, help="only every so many-th (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the damage (default: 1)")
    parser.add_argument(
        "--seeds", type=int, default=1, help="so many, drawn from --seed (default: that one alone)"
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count(), help="at once (default: one a processor)"
    )
    parser.add_argument("--again", type=Path, metavar="FOLDER", help="one that was missed")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Try them, print the table; 1: one was missed."""
    asked = _parser().parse_args(arguments)
    if asked.again is not None:
        print(again(asked.again).value)
        return 0
    names = [name for name in KINDS if any(one in name for one in asked.kinds or [""])]
    sums = {name: Tally(name) for name in names}
    ledgers = missed = 0
    began = time.monotonic()
    for seed, tallies in try_seeds(
        seeds_from(asked.seed, asked.seeds), names, asked.share, asked.processes
    ):
        for tally in tallies:
            sums[tally.kind].found.update(tally.found)
            ledgers += tally.found.total()
            missed += tally.found[Verdict.MISSED]
            for one in tally.missed:
                print(one, file=sys.stderr, flush=True)
        if asked.seeds > 1:
            _print_figures(began, of=seed, ledgers=ledgers, missed=missed)
    print(as_table(list(sums.values())))
    _print_figures(began, seed=asked.seed, seeds=asked.seeds, ledgers=ledgers, missed=missed)
    return 1 if missed else 0


def _print_figures(began: float, **figures: int) -> None:
    print(json.dumps({**figures, "seconds": round(time.monotonic() - began)}), flush=True)


if __name__ == "__main__":
    sys.exit(main())

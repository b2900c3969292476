"""`banco ledger verify`: the chain from its first record on, and every act played again."""

from argparse import Namespace
from contextlib import closing
from pathlib import Path

from console.ledger_reading.found import FAILED, IN_ORDER, print_balances
from console.replay import replay
from jackpot.ledger import read_records, verify


def verify_whole(folder: Path, _: Namespace) -> int:
    """Print what was found; whether all is in order."""
    report = verify(folder)
    print(f"{report.records} records, the last is {report.head.seq} {report.head.hash}")
    print_balances(report.balances)
    problems = [*report.problems, *(_replay_problems(folder) if report.sound else ())]
    for problem in problems:
        print(f"NOT IN ORDER: {problem}")
    if problems:
        return FAILED
    print("the chain, the postings and the balances are in order")
    print("played again, every act leads to the state on record")
    return IN_ORDER


def _replay_problems(folder: Path) -> list[str]:
    with closing(read_records(folder, limit=-1)) as records:
        steps = replay(records)
        return [f"record {step.record.seq}: {step.problem}" for step in steps if step.problem]

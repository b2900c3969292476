"""`banco ledger`: reading a ledger without changing it, also while the table runs."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from console.records import UnreadableRecord
from console.replay import replay
from jackpot.accounts import Balances
from jackpot.amounts import Units, format_cents, to_cents
from jackpot.ledger import (
    LedgerCorrupt,
    LedgerUnavailable,
    Record,
    read_records,
    rebuild,
    verify,
)

IN_ORDER, NOT_IN_ORDER, UNUSABLE = 0, 1, 2


def read(options: Namespace) -> int:
    """Answer `banco ledger READING`; the exit status."""
    folder = options.folder
    if not (folder / "ledger.db").exists() and (folder / "ledger").is_dir():
        folder = folder / "ledger"  # a simulation's folder holds its cabinet, too
    try:
        return READINGS[options.reading](folder, options)
    except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord) as error:
        print(f"{folder}: {error}", file=sys.stderr)
        return UNUSABLE


def _verify(folder: Path, _: Namespace) -> int:
    report = verify(folder)
    print(f"{report.records} records, the last is {report.head.seq} {report.head.hash}")
    _print_balances(report.balances)
    problems = [*report.problems, *(_replay_problems(folder) if report.sound else ())]
    for problem in problems:
        print(f"NOT IN ORDER: {problem}")
    if problems:
        return NOT_IN_ORDER
    print("the chain, the postings and the balances are in order")
    print("played again, every act leads to the state on record")
    return IN_ORDER


def _replay_problems(folder: Path) -> list[str]:
    found = replay(read_records(folder, limit=-1))
    return [f"record {step.record.seq}: {step.problem}" for step in found if step.problem]


def _rebuild(folder: Path, _: Namespace) -> int:
    rebuilt = rebuild(folder)
    _print_balances(rebuilt.balances)
    if rebuilt.agrees:
        print("the accounts rebuilt from the record are those the ledger has")
        return IN_ORDER
    print(f"NOT IN ORDER: the ledger has {rebuilt.cached}")
    return NOT_IN_ORDER


def _show(folder: Path, options: Namespace) -> int:
    found = read_records(
        folder,
        round=options.round,
        kind=options.kind,
        after=options.after,
        limit=options.limit,
    )
    for record in found:
        print(json.dumps(_plain(record)) if options.json else _line(record))
    return IN_ORDER


def _print_balances(balances: Balances) -> None:
    for name, units in balances.to_dict().items():
        print(f"{name:8} {format_cents(to_cents(Units(units))):>16}  ({units} units)")


def _plain(record: Record) -> dict[str, Any]:
    return {
        "seq": record.seq,
        "boot": record.boot,
        "at_ms": record.at_ms,
        "wall": record.wall,
        "round": record.round,
        "settings": record.settings_version,
        "kind": record.kind,
        **record.body,
        "transactions": [
            {
                "identity": transaction.identity,
                "reason": transaction.reason.value,
                "postings": {
                    posting.account.value: posting.amount for posting in transaction.postings
                },
            }
            for transaction in record.transactions
        ],
        "hash": record.hash,
    }


def _line(record: Record) -> str:
    body = record.body
    act = body.get("act")
    facts = " ".join(_facts(act)) if isinstance(act, Mapping) else ""
    outcome = str(body.get("refusal") or body.get("outcome") or "")
    decided = body.get("decisions")
    decisions = "; ".join(" ".join(_facts(one)) for one in _mappings(decided))
    return (
        f"{record.seq:>8} {record.wall} round {record.round:<5} "
        f"{record.kind:14} {facts:24} {outcome:16} {decisions}".rstrip()
    )


def _facts(values: Mapping[str, Any]) -> Iterable[str]:
    for name, value in values.items():
        yield str(value) if name == "decision" else f"{name}={_short(value)}"


def _short(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")).replace('"', "")


def _mappings(values: Any) -> Iterable[Mapping[str, Any]]:
    return values if isinstance(values, list) else ()


READINGS: Mapping[str, Callable[[Path, Namespace], int]] = {
    "verify": _verify,
    "rebuild": _rebuild,
    "show": _show,
}

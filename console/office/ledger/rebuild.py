"""`banco ledger rebuild`: accounts added up from the postings, compared with stated balances."""

from collections.abc import Mapping
from pathlib import Path

from console.bordereau.names_in_force import NamesInForce
from console.office.ledger.exit_status import FAILED, IN_ORDER, print_problems
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Record
from jackpot.ledger.reading import newest_record
from jackpot.ledger.verification import Rebuilt, balances_of_snapshot, rebuild
from jackpot.money.accounts import Balances
from jackpot.money.amounts import format_units
from jackpot.money.prizes import EURO

ABSENT = "-"


def rebuild_accounts(folder: Path) -> int:
    """Print rebuilt and stated balances; the exit status says whether they agree."""
    rebuilt = rebuild(folder, balances_of_record)
    record = newest_record(folder)
    currency = NamesInForce(folder).at(record).currency if record is not None else EURO
    for line in _beside(rebuilt, currency):
        print(line)
    if problems := _problems(rebuilt):
        print_problems(problems)
        return FAILED
    print("the accounts rebuilt from the record are those the ledger has")
    return IN_ORDER


def balances_of_record(record: Record) -> Balances | None:
    """The balances that a record states; None if it states none.

    Raises LedgerCorrupt if they are not valid balances.
    """
    changed = record.body.get("changes")
    if not isinstance(changed, Mapping) or "balances" not in changed:
        return balances_of_snapshot(record)
    balances = changed["balances"]
    try:
        return Balances.from_dict(balances if isinstance(balances, Mapping) else {})
    except ValueError as error:
        raise LedgerCorrupt(f"record {record.seq}: {error}") from error


def _beside(rebuilt: Rebuilt, currency: str) -> list[str]:
    snapshot = rebuilt.snapshot
    title = f"snapshot {snapshot.seq}" if snapshot else "snapshot"
    lines = [f"{'account':8} {f'rebuilt, {currency}':>22} {'table of balances':>22} {title:>22}"]
    cached = rebuilt.cached.to_dict() if rebuilt.cached else {}
    then = snapshot.stated.to_dict() if snapshot else {}
    for name, units in rebuilt.balances.to_dict().items():
        amounts = (
            format_units(one) if one is not None else ABSENT
            for one in (units, cached.get(name), then.get(name))
        )
        lines.append(f"{name:8} " + " ".join(f"{text:>22}" for text in amounts))
    return lines


def _problems(rebuilt: Rebuilt) -> list[str]:
    found: list[str] = []
    if rebuilt.cached is None:
        found.append("the table of balances cannot be read")
    elif rebuilt.cached != rebuilt.balances:
        found += _differences("the table of balances", rebuilt.cached, rebuilt.balances)
    snapshot, parted = rebuilt.snapshot, rebuilt.parted
    if snapshot is not None and snapshot.stated != snapshot.rebuilt:
        found += _differences(f"snapshot {snapshot.seq}", snapshot.stated, snapshot.rebuilt)
    if parted is not None:
        where = f"they part first at record {parted.seq}, which"
        found += _differences(where, parted.stated, parted.rebuilt)
    return found


def _differences(source: str, stated: Balances, rebuilt: Balances) -> list[str]:
    named, summed = stated.to_dict(), rebuilt.to_dict()
    return [
        f"{source} says {name} {format_units(named[name])}, "
        f"the postings up to it {format_units(units)}"
        for name, units in summed.items()
        if named[name] != units
    ]

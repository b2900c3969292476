"""`banco ledger verify` and `rebuild`: whether a ledger is in order.

`verify` checks the whole chain, and plays every act again. `rebuild` adds the accounts up from the
postings, and compares them with the balances that the ledger states.
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from console.bordereau.names_in_force import NamesInForce
from console.office.ledger.exit_status import FAILED, IN_ORDER, print_balances, print_problems
from console.rules.replay import replay
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import LedgerUnavailable, read_records, verify
from jackpot.ledger.reading import newest_record
from jackpot.ledger.verification import Rebuilt, balances_of_snapshot, rebuild
from jackpot.money.accounts import Balances
from jackpot.money.amounts import format_units
from jackpot.money.prizes import EURO


class SignedByTable(Struct, frozen=True):
    """What the table's own key has signed, and that key; None: it is not checked."""

    key: Path | None
    seal: Path | None
    nights: Path | None
    """The file of nights beside the seal."""


def verify_whole(
    folder: Path, archive: list[Path], house_key: Path | None, signed: SignedByTable
) -> int:
    """Print the result; the exit status says whether the ledger is in order.

    `archive`: the files of its archive, the oldest first, checked by the house's public key.

    Raises LedgerUnavailable, LedgerCorrupt.
    """
    if archive and house_key is None:
        raise LedgerUnavailable("--archive needs --key FILE, the house's public key")
    if (signed.seal or signed.nights) and not signed.key:
        raise LedgerUnavailable("--seal and --nights need --table-key FILE, the table's public key")
    report = verify(folder)
    print(f"{report.records} records, the last is {report.head.seq} {report.head.hash}")
    print_balances(report.balances)
    anchor = report.anchor
    if anchor.seq:
        print(f"records 1 to {anchor.seq} are in the archive {anchor.file.hex()}, {anchor.wall}")
    problems = [*report.problems, *(find_replay_problems(folder) if report.sound else ())]
    if archive or signed.key is not None:
        from console.office.ledger.signed import check_archive, check_signed  # needs cryptography

        if archive and house_key is not None:
            problems += check_archive(anchor, archive, house_key)
        if signed.key is not None:
            problems += check_signed(folder, signed.key, signed.seal, signed.nights)
    if problems:
        print_problems(problems)
        return FAILED
    print("the chain, the postings and the balances are in order")
    print("played again, every act leads to the state on record")
    if signed.key is not None:
        print("what the table's key has signed is in it")
    if archive:
        print("the archive is signed with this key, and ends where the ledger begins")
    return IN_ORDER


def find_replay_problems(folder: Path) -> list[str]:
    """Where a record played again leads elsewhere. Raises LedgerUnavailable, LedgerCorrupt."""
    with closing(read_records(folder, limit=-1)) as records:
        steps = replay(records)
        return [f"record {step.record.seq}: {step.problem}" for step in steps if step.problem]


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

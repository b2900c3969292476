"""`banco ledger verify`: check the whole chain, and play every act again."""

from contextlib import closing
from pathlib import Path

from msgspec import Struct

from console.office.ledger.exit_status import FAILED, IN_ORDER, print_balances, print_problems
from console.rules.replay import replay
from jackpot.ledger.ledger import LedgerUnavailable, read_records, verify


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

"""`banco check`: what a configuration says, and what is wrong or risky in it."""

import sys
from pathlib import Path

from msgspec import UnsetType

from console.configuration.adopted import adopt_content, read_adopted
from console.configuration.file import content_of
from console.configuration.keys import fingerprint
from console.configuration.named_files import FileUnusable
from console.configuration.room_file import check_room, is_room
from console.configuration.sections import VERSION_1, Configuration, KeyStoreKind, TableKind
from console.configuration.version import VERSION
from console.release.running import look_at_program
from console.service.clock import wall_clock
from firmware_bridge.board_session.framing import describe_slow_codec

DONE, NOT_APPROVED, UNUSABLE = 0, 1, 2


def find_risks(configuration: Configuration) -> list[str]:
    """Every risk, its key first; none of a table without real money."""
    if configuration.kind is not TableKind.PRODUCTION:
        return []
    ledger, risks = configuration.ledger, []
    if ledger.mirror is None:
        risks.append(
            "ledger.mirror: there is no second copy: a broken medium takes the record with it, and "
            "an earlier ledger put in its place is not found out by its records"
        )
    if ledger.seal is None:
        risks.append(
            "ledger.seal: there is no seal: ledger and second copy that are put back together pass "
            "for the true ones"
        )
    if configuration.key is None:
        risks.append(
            "key: the table signs nothing: ledger, second copy and seal that are computed anew, or "
            "put back together, pass for the true ones"
        )
    elif configuration.key.store is KeyStoreKind.FILE:
        risks.append(
            "key.store: the key is in a file, without a TPM: whoever reads it can sign as the table"
        )
    if configuration.witness is None:
        risks.append(
            "witness: no witness outside: whoever has all of the table's media and its key can put "
            "them back together unseen"
        )
    boards = configuration.boards_without_keys()
    return risks + [f"{device.value}.{VERSION_1}" for device in boards]


def approve_table(file: Path) -> int:
    """Check a production table as it is handed over: no risks, and its program is a release.

    The exit status.
    """
    try:
        configuration = read_adopted(file).in_force
    except FileUnusable as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    errors = find_risks(configuration)
    if configuration.kind is not TableKind.PRODUCTION:
        errors = ["table.kind: only a production table is handed over"]
    found = look_at_program(VERSION, wall_clock)
    if isinstance(found, UnsetType):
        errors.append("program: it is no release: it has no signed list of its files")
    elif found.problem:
        errors.append(f"program: {found.problem}")
    else:
        print(f"release {found.version}\n  sha256 {found.digest}\n  key    {found.key}")
    print(f"sha256 of the configuration: {fingerprint(configuration)}")
    for problem in errors:
        print(f"error: {problem}", file=sys.stderr)
    return NOT_APPROVED if errors else DONE


def check_configuration(file: Path) -> int:
    """Check a table's or a room's configuration; the exit status."""
    try:
        content = content_of(file)
        if is_room(content):
            check_room(str(file), content)
            print(f"{file}: a room, in order")
            return DONE
        configuration = adopt_content(file, content).in_force
    except FileUnusable as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print(f"{file}: a {configuration.kind.value} table, {configuration.game}, in order")
    print(f"sha256 of the configuration: {fingerprint(configuration)}")
    for risk in find_risks(configuration):
        print(f"warning: {risk}", file=sys.stderr)
    slow = describe_slow_codec()
    if slow:
        print(f"note: {slow}", file=sys.stderr)
    return DONE

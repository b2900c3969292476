"""The arguments of `banco ledger key`, `export`, `check-export`, `archive`."""

from argparse import ArgumentParser
from pathlib import Path

from console.office.ledger.arguments import LedgerCommand


def add_exporting(command: LedgerCommand) -> None:
    """Add these commands."""
    _add_key(command)
    _add_export(command)
    _add_check(command)
    _add_archive(command)


def _add_key(command: LedgerCommand) -> None:
    text = "make a pair of keys to sign exports with"
    key = command(name="key", text=text, example="banco ledger key house.key")
    key.add_argument("file", metavar="FILE", type=Path, help="the private key; FILE.pub beside it")
    how = key.add_mutually_exclusive_group()
    how.add_argument(
        "--passphrase", action="store_true", help="encrypt the private key; the passphrase is asked"
    )
    how.add_argument(
        "--show", action="store_true", help="make none: print the fingerprint of this public key"
    )
    key.set_defaults(reading="key")


def _add_export(command: LedgerCommand) -> None:
    export = command(
        name="export",
        text="write the records to a signed file",
        example="banco ledger export --key house.key --out 2026.jsonl COPY",
    )
    export.add_argument(
        "folder", metavar="FOLDER", type=Path, help="a copy's folder, where the private key is"
    )
    export.add_argument(
        "--key", metavar="FILE", type=Path, required=True, help="the private key it is signed with"
    )
    export.add_argument("--out", metavar="FILE", type=Path, required=True, help="the new file")
    export.add_argument(
        "--from", dest="first", metavar="FROM", help="a record's number, or a time such as --to's"
    )
    export.add_argument(
        "--to", dest="last", metavar="TO", help="inclusive: 812, 2026-11-20, 2026-11-20T23:30 (UTC)"
    )
    export.set_defaults(reading="export")


def _add_check(command: LedgerCommand) -> None:
    check = command(
        name="check-export",
        text="check a signed file: signature, chain, postings, balances",
        example="banco ledger check-export 2026.jsonl --key house.key.pub",
    )
    check.add_argument("file", metavar="FILE", type=Path, help="what was exported")
    check.add_argument(
        "--key", metavar="FILE", type=Path, required=True, help="the house's public key"
    )
    check.add_argument(
        "--table-key",
        metavar="FILE",
        type=Path,
        help="the table's own public key: check what it has signed, too",
    )
    check.set_defaults(reading="check-export")


def _add_archive(command: LedgerCommand) -> None:
    archive = command(
        name="archive",
        text="delete old records that a signed file has, the service stopped",
        example="banco ledger archive /var/lib/banco --export 2025.jsonl --key house.key.pub "
        "--by anna --and rossi",
    )
    archive.add_argument("folder", metavar="FOLDER", type=Path, help="the ledger's folder")
    what = archive.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--before",
        metavar="YEAR|RECORD",
        help="delete nothing: say which records can be exported for it. From this year, day "
        "(2026-11-20, UTC) or record on all stay; the last two whole nights and rounds in any case",
    )
    what.add_argument(
        "--export",
        metavar="FILE",
        type=Path,
        help="the signed file, made with the house's private key, which is not at the table",
    )
    archive.add_argument(
        "--key", metavar="FILE", type=Path, help="the house's public key, which checks the file"
    )
    _add_two_people(archive)
    archive.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the table's configuration, whose second copy, seal and witness outside are taken; "
        "without it /etc/banco/table.toml, if that names this ledger",
    )
    archive.add_argument(
        "--mirror", metavar="FOLDER", type=Path, help="its second copy, archived as well"
    )
    archive.add_argument(
        "--seal",
        metavar="FILE",
        type=Path,
        help="its seal: the ledger must have the sealed record, and keep it",
    )
    archive.set_defaults(reading="archive")


def _add_two_people(command: ArgumentParser) -> None:
    command.add_argument("--by", metavar="NAME", help="who does it; asked if not given")
    command.add_argument(
        "--and", metavar="NAME", dest="second", help="a second person, who stands for it, too"
    )
    command.add_argument(
        "--people",
        metavar="FILE",
        type=Path,
        help="who is enrolled at a simulation; at a real table /etc/banco/people.toml alone",
    )

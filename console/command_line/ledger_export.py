"""`banco ledger key`, `export`, `check-export`, `archive`: signed files of a ledger's records."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from console.command_line.command import UNUSABLE, BancoCommand


def _sign_or_check(do: Callable[[], int]) -> int:
    """Do it; print why it is not done."""
    import sqlite3

    from console.office.table_of_ledger import visible
    from console.service.supervision.process_end import describe_failure
    from jackpot.failures import Failure

    try:
        return do()
    except (Failure, OSError, sqlite3.Error) as error:
        print(f"not to be done: {visible(describe_failure(error))}", file=sys.stderr)
    except KeyboardInterrupt:
        print("not done", file=sys.stderr)
        raise
    return UNUSABLE


def _add_key(key: ArgumentParser) -> None:
    key.add_argument("file", metavar="FILE", type=Path, help="the private key; FILE.pub beside it")
    how = key.add_mutually_exclusive_group()
    how.add_argument(
        "--passphrase", action="store_true", help="encrypt the private key; the passphrase is asked"
    )
    how.add_argument(
        "--show", action="store_true", help="make none: print the fingerprint of this public key"
    )


def _key(options: Namespace) -> int:
    from console.office.ledger.signed import make_key_pair, show_fingerprint

    if options.show:
        return _sign_or_check(lambda: show_fingerprint(options.file))
    return _sign_or_check(lambda: make_key_pair(options.file, encrypted=options.passphrase))


def _add_export(export: ArgumentParser) -> None:
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


def _export(options: Namespace) -> int:
    from console.office.ledger.signed import export_records

    return _sign_or_check(
        lambda: export_records(
            options.folder, options.out, options.key, options.first, options.last
        )
    )


def _add_check(check: ArgumentParser) -> None:
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


def _check(options: Namespace) -> int:
    from console.office.ledger.signed import check_signed_file

    return _sign_or_check(lambda: check_signed_file(options.file, options.key, options.table_key))


def _add_archive(archive: ArgumentParser) -> None:
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


def _archive(options: Namespace) -> int:
    from console.office.ledger.archive import ArchiveOrder, archive_records, tell_records

    if options.export is None:
        return _sign_or_check(lambda: tell_records(options.folder, options.before, options.config))
    order = ArchiveOrder(
        folder=options.folder,
        export=options.export,
        key=options.key,
        by=options.by,
        second=options.second,
        people=options.people,
        config=options.config,
        mirror=options.mirror,
        seal=options.seal,
    )
    return _sign_or_check(lambda: archive_records(order))


EXPORTING = (
    BancoCommand(
        "key",
        "make a pair of keys to sign exports with",
        "banco ledger key house.key",
        _key,
        _add_key,
    ),
    BancoCommand(
        "export",
        "write the records to a signed file",
        "banco ledger export --key house.key --out 2026.jsonl COPY",
        _export,
        _add_export,
    ),
    BancoCommand(
        "check-export",
        "check a signed file: signature, chain, postings, balances",
        "banco ledger check-export 2026.jsonl --key house.key.pub",
        _check,
        _add_check,
    ),
    BancoCommand(
        "archive",
        "delete old records that a signed file has, the service stopped",
        "banco ledger archive /var/lib/banco --export 2025.jsonl --key house.key.pub "
        "--by anna --and rossi",
        _archive,
        _add_archive,
    ),
)
"""Those commands of `banco ledger` that make, check and need a signed file."""

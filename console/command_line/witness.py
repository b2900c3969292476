"""`banco witness`: the witness outside, a database of the house with the tables' signed heads."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.arguments import add_audited, name_of
from console.command_line.command import BancoCommand, Family, report_failure
from console.configuration.section import TABLE_NAME


def _add_database(command: ArgumentParser) -> None:
    command.add_argument(
        "--database",
        metavar="CONNECTION",
        default="",
        help="the database, as psql takes it (PGHOST, PGDATABASE and the like)",
    )


def _init(options: Namespace) -> int:
    from console.office.witness_audit import install_witness

    return report_failure(lambda: install_witness(options.database))


def _add_admit(admit: ArgumentParser) -> None:
    admit.add_argument(
        "table", metavar="TABLE", type=name_of(TABLE_NAME), help="its name in its configuration"
    )
    admit.add_argument(
        "--key", metavar="FILE", type=Path, required=True, help="the table's public key"
    )
    admit.add_argument("--reason", metavar="TEXT", required=True, help="it stands on record")
    admit.add_argument(
        "--from",
        metavar="SEQ:HASH",
        dest="head",
        help="the record from which its heads go on, if it is not the newest one known here",
    )
    _add_database(admit)


def _admit(options: Namespace) -> int:
    from console.office.witness_audit import admit

    return report_failure(
        lambda: admit(
            options.database, options.table, options.key, options.reason, options.head or ""
        )
    )


def _add_reader(reader: ArgumentParser) -> None:
    reader.add_argument(
        "name", metavar="NAME", type=name_of(TABLE_NAME), help="how the role is called there"
    )
    _add_database(reader)


def _make_reader(options: Namespace) -> int:
    from console.office.witness_audit import add_reader

    return report_failure(lambda: add_reader(options.database, options.name))


def _add_audit(audit: ArgumentParser) -> None:
    add_audited(audit)
    audit.add_argument(
        "--key",
        dest="keys",
        metavar="FILE",
        type=Path,
        action="append",
        required=True,
        help="a table's public key; may be given several times",
    )
    audit.add_argument(
        "--house-key", metavar="FILE", type=Path, help="the house's public key, for exports"
    )
    _add_database(audit)


def _audit(options: Namespace) -> int:
    from console.office.witness_audit import HeadAuditRequest, print_audit

    request = HeadAuditRequest(
        database=options.database,
        keys=tuple(options.keys),
        ledgers=tuple(options.ledgers),
        exports=tuple(options.exports),
        house_key=options.house_key,
        as_json=options.json,
    )
    return report_failure(lambda: print_audit(request))


COMMANDS = (
    Family(
        "witness",
        "keep the tables' signed heads in a database of the house",
        "banco witness audit /var/lib/banco --key table-3.pub",
        (
            BancoCommand(
                "init",
                "install the witness's schema in a database, or bring it up to this version",
                'banco witness init --database "host=db1 dbname=banco user=postgres"',
                _init,
                _add_database,
            ),
            BancoCommand(
                "admit",
                "admit a table, its new key, or a ledger that was set back on purpose",
                "banco witness admit table-3 --key table-3.pub --reason 'new table'",
                _admit,
                _add_admit,
            ),
            BancoCommand(
                "reader",
                "make the role of somebody who reads the heads, such as an auditor",
                "banco witness reader auditor",
                _make_reader,
                _add_reader,
            ),
            BancoCommand(
                "audit",
                "check the heads, and compare them with ledgers and signed exports",
                "banco witness audit /var/lib/banco --key table-3.pub",
                _audit,
                _add_audit,
            ),
        ),
        needs=("cryptography", "psycopg"),
    ),
)

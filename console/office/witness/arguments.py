"""The arguments of `banco witness`."""

from argparse import ArgumentParser
from pathlib import Path

from console.configuration.names import TABLE_NAME
from console.office.link.centre_argument import LedgerCommand, add_audited
from console.office.name_argument import name_of


def add_witness(command: LedgerCommand) -> None:
    """Add the commands of the witness outside."""
    _add_init(command)
    _add_admit(command)
    _add_reader(command)
    _add_audit(command)


def _add_init(command: LedgerCommand) -> None:
    text = "install the witness's schema in a database, or bring it up to this version"
    example = 'banco witness init --database "host=db1 dbname=banco user=postgres"'
    _add_database(command(name="init", text=text, example=example), "init")


def _add_admit(command: LedgerCommand) -> None:
    text = "admit a table, its new key, or a ledger that was set back on purpose"
    example = "banco witness admit table-3 --key table-3.pub --reason 'new table'"
    admit = command(name="admit", text=text, example=example)
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
    _add_database(admit, "admit")


def _add_reader(command: LedgerCommand) -> None:
    text = "make the role of somebody who reads the heads, such as an auditor"
    reader = command(name="reader", text=text, example="banco witness reader auditor")
    reader.add_argument(
        "name", metavar="NAME", type=name_of(TABLE_NAME), help="how the role is called there"
    )
    _add_database(reader, "reader")


def _add_audit(command: LedgerCommand) -> None:
    text = "check the heads, and compare them with ledgers and signed exports"
    example = "banco witness audit /var/lib/banco --key table-3.pub"
    audit = command(name="audit", text=text, example=example)
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
    _add_database(audit, "audit")


def _add_database(command: ArgumentParser, name: str) -> None:
    command.add_argument(
        "--database",
        metavar="CONNECTION",
        default="",
        help="the database, as psql takes it (PGHOST, PGDATABASE and the like)",
    )
    command.set_defaults(witness=name)

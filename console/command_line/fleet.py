"""`banco fleet`: what each table runs, and how its machine does."""

from argparse import ArgumentParser, Namespace

from console.command_line.arguments import add_table, read_table
from console.command_line.command import BancoCommand


def _add_fleet(fleet: ArgumentParser) -> None:
    add_table(fleet)
    fleet.add_argument("--json", action="store_true", help="print one JSON array")
    fleet.add_argument(
        "hosts",
        metavar="HOST",
        nargs="*",
        default=[],
        help="ask these tables, by ssh; without one, it is said of the table on this machine",
    )


def _fleet(options: Namespace) -> int:
    from datetime import UTC, datetime

    from console.office.fleet import ask_by_ssh, ask_tables, describe_table, print_fleet

    if options.hosts:
        return print_fleet(ask_tables(options.hosts, ask_by_ssh), as_json=options.json)
    own = describe_table(read_table(options), datetime.now(UTC))
    return print_fleet(ask_tables([own.table], lambda _: own), as_json=options.json)


COMMANDS = (
    BancoCommand(
        "fleet",
        "what each table runs, and how its machine does",
        "banco fleet table-1 table-2",
        _fleet,
        _add_fleet,
        needs=("cryptography", "psycopg"),
    ),
)

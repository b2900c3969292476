"""Arguments that commands of several families have alike."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.configuration.section import NameForm
from jackpot.money.amounts import Cents, parse_cents

if TYPE_CHECKING:
    from console.office.dialogue import LineEntry, TableChoice
    from console.texts.language import Language


def add_table(command: ArgumentParser) -> None:
    """Add the options that choose a table's line; `read_table` reads them."""
    table = command.add_mutually_exclusive_group()
    add_config_or_sim(table)
    table.add_argument("--socket", metavar="PATH", type=Path, help="the table's local line")


def add_config_or_sim(table: Any) -> None:
    """Add a configuration, or the simulated table, to a group of options that exclude others."""
    table.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the table's configuration (/etc/banco/table.toml)",
    )
    table.add_argument("--sim", action="store_true", help="the simulated table: banco run --sim")


def add_language(command: ArgumentParser) -> None:
    """Add the option for the language; `read_language` reads it."""
    command.add_argument("--language", choices=("it", "en"), help="instead of the table's own")


def add_audited(audit: ArgumentParser) -> None:
    """Add what an audit of a database is compared with: ledgers and signed exports."""
    audit.add_argument("ledgers", metavar="LEDGER", nargs="*", type=Path, help="a ledger's folder")
    audit.add_argument(
        "--export",
        dest="exports",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="a signed export; may be given several times",
    )
    audit.add_argument("--json", action="store_true", help="print one JSON object")


def add_centre(command: ArgumentParser) -> None:
    """Add how a command reaches the centre's database."""
    command.add_argument(
        "--centre",
        metavar="CONNECTION",
        default="",
        help="the database, as psql takes it (PGHOST, PGDATABASE and the like)",
    )


def read_table(options: Namespace) -> "TableChoice":
    """The table that the options choose."""
    from console.office.dialogue import TableChoice

    return TableChoice(options.socket, options.config, options.sim)


def read_language(options: Namespace) -> "Language | None":
    """The language that is asked for; None: the table's own."""
    from console.texts.language import Language

    return Language(options.language) if options.language else None


def read_entry(options: Namespace) -> "LineEntry":
    """Who enters at which table's line."""
    from console.office.dialogue import LineEntry

    return LineEntry(read_table(options), options.who or "", read_language(options))


def name_of(form: NameForm) -> Callable[[str], str]:
    """Read a name of this form as an argument; what it returns raises ArgumentTypeError."""

    def read(text: str) -> str:
        try:
            return form.read(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from error

    return read


def read_amount(text: str) -> Cents:
    """An amount in EUR, as an argument. Raises ArgumentTypeError."""
    try:
        return parse_cents(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error

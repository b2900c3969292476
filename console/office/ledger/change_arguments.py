"""The arguments of `banco ledger begin`, `repair` and `correct`; imports nothing heavy."""

from pathlib import Path

from console.office.arguments import add_language, add_table
from console.office.ledger.arguments import LedgerCommand


def add_begin(command: LedgerCommand) -> None:
    """Add `begin`, for two people at a new table."""
    text = "two enrolled people begin the ledger of a real table, each with a PIN"
    begin = command(name="begin", text=text, example="banco ledger begin --as anna --and rossi")
    begin.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=Path("/etc/banco/table.toml"),
        help="the table's configuration (/etc/banco/table.toml)",
    )
    begin.add_argument("--as", metavar="NAME", dest="who", help="the first; asked if not given")
    begin.add_argument("--and", metavar="NAME", dest="second", help="the second; the same")


def add_repair(command: LedgerCommand) -> None:
    """Add `repair`."""
    text = "show which copy of a ledger is sound, and restore the other from it"
    example = "banco ledger repair /var/lib/banco --mirror /media/second/banco"
    repair = command(name="repair", text=text, example=example)
    repair.add_argument("folder", metavar="FOLDER", type=Path, help="the ledger's folder")
    repair.add_argument("--mirror", metavar="FOLDER", type=Path, help="its second copy's")
    repair.add_argument("--seal", metavar="FILE", type=Path, help="its seal")
    repair.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the table's configuration, whose key checks the seal, and signs a new one; without "
        "it /etc/banco/table.toml, if that names this ledger",
    )
    repair.add_argument(
        "--from",
        dest="source",
        choices=("ledger", "copy"),
        help="which of two sound copies is the right one, where they part",
    )
    repair.add_argument(
        "--accept", metavar="REASON", help="begin the seal anew, because of what was checked"
    )
    repair.add_argument(
        "--really", action="store_true", help="repair; without it, only show what would be done"
    )
    repair.add_argument("--by", metavar="NAME", help="who has checked it; the PIN is asked for")
    repair.add_argument(
        "--and",
        metavar="NAME",
        dest="second",
        help="a second person, where evidence is thrown away: with --accept, or lost records",
    )
    repair.add_argument(
        "--people",
        metavar="FILE",
        type=Path,
        help="who is enrolled at a simulation; at a real table /etc/banco/people.toml alone",
    )


def add_correct(command: LedgerCommand) -> None:
    """Add `correct`, for two cashiers."""
    text = "two cashiers correct the accounts, each with a PIN, while the table runs"
    example = 'banco ledger correct house reserve 12.50 --reason "counted twice on Friday"'
    correct = command(name="correct", text=text, example=example)
    accounts = ("tray", "jackpot", "reserve", "house")
    correct.add_argument("source", metavar="FROM", choices=accounts, help=", ".join(accounts))
    correct.add_argument("target", metavar="TO", choices=accounts, help="another of them")
    correct.add_argument("amount", metavar="AMOUNT", help="in EUR, such as 12.50")
    correct.add_argument("--reason", required=True, help="why: 10 to 200 characters")
    correct.add_argument(
        "--as", metavar="NAME", dest="who", help="the first cashier; asked if not given"
    )
    correct.add_argument(
        "--and", metavar="NAME", dest="second", help="the second cashier; asked if not given"
    )
    add_table(correct)
    add_language(correct)

"""`python -m tests.console.link.year`: a year of days of a linked jackpot (docs/dev/soak.md).

Prints a line of JSON. Exit status 1: an audit found something, or a detached day did not come back.
"""

import argparse
import gc
import io
import json
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, redirect_stdout
from pathlib import Path
from statistics import median

from console.command_line.command import DONE
from console.command_line.main import main as banco
from console.database.install import install_schema
from console.link.centre.roles import load_link_schema
from console.link.centre.seals import find_last_seal
from jackpot.money.prizes import Combination
from tests.console.link.centre.database_pool import SUPERUSER, LentDatabase
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable
from tests.console.link.servers import QUICK, Server, run_server
from tests.open_folder import make_open_folder

DAYS, TABLES, MONTH = 365, 10, 30
NAME = "year"
SEATS = 7
ROUNDS = 6
LATER_SEALS = 2
"""So many must stand before a day may be detached."""

MEGABYTE = 1_000_000
SIZE = "SELECT pg_database_size(current_database())"
CALLS = "SELECT count(*) FROM link.entry"


Figures = Mapping[str, float | list[float]]


class YearFailed(AssertionError):
    """A command that must succeed did not; the text is what it printed."""


class Year:
    """A centre, its tables, and how long each kind of evening's work took, day by day."""

    def __init__(self, postgres: PostgresCentre, tables: int, folder: Path) -> None:
        self.postgres = postgres
        self.tables = [seat_table(postgres, f"table-{n}") for n in range(1, tables + 1)]
        self.folder = folder
        self.seconds: dict[str, list[float]] = {}
        self.sizes: list[float] = []
        self.detached: list[int] = []

    def play(self, days: int, month: int) -> None:
        """So many days; each ends with a seal, and each month but the last two days leaves."""
        for day in range(1, days + 1):
            for table in self.tables:
                play_day(table)
            self.run("seal")
            if day % month == 0 and day > LATER_SEALS:
                self.put_away(find_last_seal(self.postgres.superuser) - LATER_SEALS)
                self.postgres.superuser.execute("VACUUM")
                self.sizes.append(self.postgres.one(SIZE) / MEGABYTE)

    def put_away(self, seal: int) -> None:
        """What lies before this seal leaves the database."""
        self.run("detach", seal, self.folder)
        self.detached.append(seal)

    def bring_back(self) -> None:
        """All that left comes back, the latest first; then all is audited from the first call."""
        for seal in reversed(self.detached):
            self.run("attach", seal, self.folder)
        self.run("audit", "--since", 0)

    def run(self, *words: str | int | Path) -> None:
        """A command of an operator, timed under its name. Raises YearFailed."""
        gc.collect()
        printed, began = io.StringIO(), time.monotonic()
        typed = ["link", *map(str, words), "--centre", self.postgres.dsn(SUPERUSER)]
        with redirect_stdout(printed):
            status = banco(typed)
        self.seconds.setdefault(str(words[0]), []).append(time.monotonic() - began)
        if status != DONE:
            raise YearFailed(f"{' '.join(typed)}: {status}\n{printed.getvalue()}")

    def tell(self) -> Figures:
        """The figures. A month's are compared with the first one's."""
        seals = self.seconds["seal"]
        month = min(MONTH, len(seals) // 2)
        files = sum(file.stat().st_size for file in self.folder.iterdir())
        return {
            "days": len(seals),
            "tables": len(self.tables),
            "calls": self.postgres.one(CALLS),
            "day's audit and seal, first month s": median(seals[:month]),
            "last month s": median(seals[-month:]),
            "detach s": self.seconds.get("detach", []),
            "attach s": self.seconds.get("attach", []),
            "audit of all s": self.seconds["audit"][-1],
            "MB after each detach": self.sizes,
            "MB in files": files / MEGABYTE,
            "MB in the end": self.postgres.one(SIZE) / MEGABYTE,
        }


def play_day(table: LinkedTable) -> None:
    """A day's rounds with seven tokens each, a flush in the last one."""
    for number in range(1, ROUNDS + 1):
        table.open(SEATS)
        if number == ROUNDS:
            table.claim(Combination.FLUSH)
            table.agree()
        table.close()
        table.beat()
    forget_past(table)


def forget_past(table: LinkedTable) -> None:
    """A real card keeps this on its disk; here a year of it would be in memory."""
    del table.card.held[:]
    table.card.ledger.clear()


def play_year(server: Server, folder: Path, days: int, tables: int, month: int = MONTH) -> Figures:
    """All of it, in a database of its own; the days go to the folder. Raises YearFailed."""
    server.make_database(NAME)
    with server.connect(database=NAME) as connection:
        install_schema(connection, load_link_schema())
    with closing(LentDatabase(server, NAME)) as database:
        year = Year(PostgresCentre(database).begin(), tables, folder)
        year.play(days, month)
        money = year.postgres.total
        year.bring_back()
        assert year.postgres.total == money
        return year.tell()


def round_figures(figures: Figures) -> Figures:
    """To hundredths."""
    return {
        name: [round(one, 2) for one in value] if isinstance(value, list) else round(value, 2)
        for name, value in figures.items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a year; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="a year of days of a linked jackpot")
    parser.add_argument("--days", type=int, default=DAYS, help=f"default: {DAYS}")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"default: {TABLES}")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        with make_open_folder() as folder, run_server(folder / "cluster", *QUICK) as server:
            (folder / "files").mkdir()
            figures = play_year(server, folder / "files", asked.days, asked.tables)
    except YearFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    print(json.dumps({**round_figures(figures), "seconds": round(time.monotonic() - began)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

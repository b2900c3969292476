"""Whole tables of a tournament as processes, with couriers and a real PostgreSQL."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from console.link.centre.roles import RoleGroup, make_role
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.running_table import RunningTable, Seen, running

TABLES = ("holdem-1", "holdem-2")
"""Roles of no other test: `let_in` ends all their connections, on the whole server."""

BLINDS = ("100/200", "200/400", "300/600")
"""Of levels of 10 minutes."""


def write_configuration(folder: Path, table: str, port: int, database: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "night.structure").write_text(
        "".join(f'[[step]]\nminutes = 10\nblinds = "{blinds}"\n' for blinds in BLINDS), "utf-8"
    )
    file = folder / "table.toml"
    file.write_text(
        f"""
kind = "simulation"
table = "{table}"
game = "texas-holdem"
[ledger]
folder = "{folder}"
[panel]
driver = "simulated"
[display]
driver = "simulated"
[poker]
form = "tournament"
house = "sanremo"
structure = "{folder}/night.structure"
[clock]
tournament = "night"
hosts = ["127.0.0.1:{port}"]
database = "{database}"
""",
        "utf-8",
    )
    return file


def shows(level: int, *, runs: bool) -> Callable[[Seen], bool]:
    """At this level, with a clock that runs or stands."""
    return lambda seen: seen["level"] == level and ("FERMO" not in seen["display"][0]) is runs


def find_courier(table: RunningTable) -> int:
    """The process id of the table's courier."""
    pid = table.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    (courier,) = (
        int(child)
        for child in children
        if b"console.link.courier" in Path(f"/proc/{child}/cmdline").read_bytes()
    )
    return courier


class House:
    """A centre and the tables' folders."""

    def __init__(self, folder: Path, port: int, centre: PostgresCentre) -> None:
        self._folder = folder
        self._port = port
        self._centre = centre
        for table in TABLES:
            make_role(centre.superuser, table, RoleGroup.POKER_TABLE)

    def run(self, table: str) -> AbstractAsyncContextManager[RunningTable]:
        """The table's process."""
        database = str(self._centre.one("SELECT current_database()"))
        file = write_configuration(self._folder / table, table, self._port, database)
        return running(file.parent, "--sim", "--config", file)

    def let_in(self, table: str, *, may: bool) -> None:
        """The centre answers this table, or not."""
        self._centre.superuser.execute(f'ALTER ROLE "{table}" {"LOGIN" if may else "NOLOGIN"}')
        self._centre.superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (table,)
        )

"""`banco room` over real servers, and tables whose calls a test makes."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import psycopg
from psycopg import Connection

from console.database.install import install_schema
from console.line.access.people import Enrolled, save_people, today
from console.line.access.pins import hash_pin
from console.link.centre.roles import load_link_schema
from console.rules.codes import Duty
from console.simulation.room.postgres_server import ServerPair
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.server_pair import run_pair
from tests.console.technician.terminal.programs import BANCO, environment
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

ROOM_FILE = """
kind = "room"
people = "{folder}/people.toml"
attempts = "{folder}/wrong-pins.json"
pin_age_days = 90
signs = ["{jackpot}"]
language = "{language}"
simulated = true

[centre]
hosts = ["127.0.0.1:{standby}", "127.0.0.1:{primary}"]
database = "postgres"

[web]
listen = "127.0.0.1:{listen}"

[[clocks]]
tournament = "night"
structure = "night.toml"
"""

STRUCTURE_FILE = """
[[step]]
minutes = 20
blinds = "500/1000"

[[step]]
break = 5

[[step]]
minutes = 20
blinds = "600/1200"
"""
"""That of the tables in `tests/console/link/clock_tables.py`."""

QUICK = {"fsync": "off"}
NAME, PIN = "anna", "274613"


class PairDatabase:
    """The pair's database, as `PostgresCentre` is lent one: the primary's."""

    def __init__(self, pair: ServerPair) -> None:
        self._pair = pair
        self._connections: dict[tuple[str, str], Connection] = {}

    def dsn(self, user: str) -> str:
        """How libpq reaches the primary."""
        return self._pair.primary.dsn(user)

    def connect(self, user: str) -> Connection:
        """The role's connection to the primary, in autocommit."""
        key = (self._pair.primary.name, user)
        there = self._connections.get(key)
        if there is None or there.closed:
            there = self._connections[key] = psycopg.connect(self.dsn(user), autocommit=True)
        return there

    def close(self) -> None:
        """End all connections."""
        for connection in self._connections.values():
            connection.close()


def write_room_file(
    folder: Path, ports: tuple[int, int], listen: int, language: str = "en"
) -> Path:
    """The configuration of a room; `ports`: the standby's and the primary's."""
    file = folder / "room.toml"
    (folder / "night.toml").write_text(STRUCTURE_FILE, "utf-8")
    standby, primary = ports
    file.write_text(
        ROOM_FILE.format(
            folder=folder, jackpot=JACKPOT, language=language, standby=standby, primary=primary,
            listen=listen,
        ),
        "utf-8",
    )  # fmt: skip
    return file


class RoomRig:
    """The servers, the centre on them, and the room's process at `url`."""

    def __init__(self, folder: Path, pair: ServerPair, language: str = "en") -> None:
        self.pair = pair
        self.database = PairDatabase(pair)
        self.centre = PostgresCentre(self.database)
        self.log = folder / "room.log"
        listen = free_port()
        self.url = f"http://127.0.0.1:{listen}"
        ports = (pair.standby.port, pair.primary.port)
        self.file = write_room_file(folder, ports, listen, language)
        self.pin_ends = today() + timedelta(days=10)
        since = self.pin_ends - timedelta(days=90)
        person = Enrolled((Duty.FLOOR_MANAGER,), hash_pin(PIN), pin_since=since)
        save_people(folder / "people.toml", {NAME: person})
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Until it serves its pages."""
        since = len(self.log.read_text("utf-8")) if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*BANCO, "room", "--config", str(self.file)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(self.file.parent),
            )
        deadline = time.monotonic() + DEADLINE_S
        while not re.search("served at", self.log.read_text("utf-8")[since:]):
            assert self._process.poll() is None, self.log.read_text("utf-8")
            assert time.monotonic() < deadline, self.log.read_text("utf-8")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.05)

    def stop(self) -> int:
        """End it in good order; its exit status."""
        if self._process is None:
            return 0
        self._process.terminate()
        status = self._process.wait(DEADLINE_S)
        self._process = None
        return status


@contextmanager
def run_room(folder: Path, language: str = "en") -> Iterator[RoomRig]:
    """A pair of servers, the jackpot "stud", and a room; all end with the block.

    `folder`: an open one.
    """
    with run_pair(folder / "servers", (free_port(), free_port()), QUICK) as pair:
        rig = RoomRig(folder, pair, language)
        install_schema(rig.centre.superuser, load_link_schema())
        rig.centre.begin()
        rig.centre.make_role("room", "link_reader")
        try:
            rig.start()
            yield rig
        finally:
            rig.database.close()
            status = rig.stop()
            if sys.exc_info()[0] is None:
                assert status == 0, rig.log.read_text("utf-8")

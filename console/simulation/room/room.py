"""A room to try linked tables in: two servers, tables that play, sign and overview.

See docs/how-to/room.md.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from console.configuration.file import load_configuration
from console.database.connect import connect_to
from console.database.install import install_schema
from console.line.access.people import Enrolled, save_people
from console.line.access.pins import hash_pin
from console.link.centre.membership import admit_member, create_jackpot
from console.link.centre.roles import RoleGroup, load_link_schema, make_role
from console.rules.centre_orders import terms_of
from console.rules.codes import Duty
from console.simulation.room.postgres_server import ServerPair
from console.simulation.room.room_table import (
    BANCO,
    DATABASE,
    JACKPOT,
    PlayingTable,
    end_process,
    run_table,
    write_table_file,
)
from jackpot.failures import Unavailable

ROLE = "room"
NAME, PIN = "sala", "274613"
"""Whoever enters the overview of this room."""

SERVED_WITHIN_S = 60.0

SETTINGS = {"fsync": "off"}
"""Nobody's power really goes: its disk need not keep anything."""

ROOM_FILE = """
kind = "room"
people = "{folder}/people.toml"
attempts = "{folder}/wrong-pins.json"
signs = ["{jackpot}"]
language = "en"
simulated = true
[centre]
hosts = [{hosts}]
database = "{database}"
role = "{role}"
[web]
listen = "127.0.0.1:{port}"
"""


class SimulatedRoom:
    """The servers, the tables and the address of the pages."""

    def __init__(self, pair: ServerPair, tables: tuple[PlayingTable, ...], url: str) -> None:
        self.pair = pair
        self.tables = tables
        self.url = url
        self.primary_runs = self.standby_runs = True

    def pull_primary(self) -> None:
        """Pull the primary's plug."""
        self.pair.primary.kill()
        self.primary_runs = False

    def pull_standby(self) -> None:
        """Pull the standby's plug."""
        self.pair.standby.kill()
        self.standby_runs = False

    def promote(self) -> None:
        """Promote the standby; the primary must be off. Raises Unavailable."""
        if self.primary_runs or not self.standby_runs:
            raise Unavailable("the standby is promoted only while the primary is off")
        self.pair.promote()
        self.primary_runs, self.standby_runs = True, False

    def put_back(self) -> None:
        """Put back the plug of whichever server is off. Raises Unavailable.

        An old primary whose standby was promoted becomes the standby.
        """
        if not self.primary_runs:
            self.pair.primary.start()
            self.primary_runs = True
        if not self.standby_runs:
            if self.pair.standby.is_standby:
                self.pair.standby.start()
            else:
                self.pair.rewind_standby()
            self.standby_runs = True


@asynccontextmanager
async def open_room(
    folder: Path, *, playing: int, by_hand: int, say: Callable[[str], None]
) -> AsyncIterator[SimulatedRoom]:
    """A room in an empty folder that all may enter; all of it ends with the block.

    `playing`: tables that play by themselves; `by_hand`: tables with a page to play them. Raises
    Unavailable, OSError.
    """
    folder.chmod(0o755)
    async with AsyncExitStack() as stack:
        say("starting a primary and its standby ...")
        pair = ServerPair(folder / "servers", (find_port(), find_port()), SETTINGS)
        stack.push_async_callback(asyncio.to_thread, pair.stop)
        await asyncio.to_thread(pair.start)
        names = [f"table-{number}" for number in range(1, playing + by_hand + 1)]
        await asyncio.to_thread(begin_jackpot, folder, pair, names)
        ports = (pair.primary.port, pair.standby.port)
        say("starting the tables ...")
        tables = []
        for number, name in enumerate(names):
            listen = None if number < playing else f"127.0.0.1:{find_port()}"
            running = run_table(folder / name, name, ports, listen)
            tables.append(await stack.enter_async_context(running))
        say("starting sign and overview ...")
        url = await stack.enter_async_context(_serve_pages(folder, ports))
        for number, table in enumerate(tables[:playing]):
            player = asyncio.create_task(table.play(Random(number)))
            stack.push_async_callback(_end_player, player)
        yield SimulatedRoom(pair, tuple(tables), url)


def begin_jackpot(folder: Path, pair: ServerPair, names: list[str]) -> None:
    """Install the centre, begin its jackpot, let these tables join. Raises Unavailable."""
    plan = load_configuration(write_table_file(folder / "terms", names[0], (1,))).plan()
    rules = plan.rules(None)
    with connect_to(pair.primary.dsn()) as connection:
        install_schema(connection, load_link_schema())
        money = rules.money
        create_jackpot(connection, JACKPOT, terms_of(rules), money.base, money.opening, "split")
        for name in names:
            admit_member(connection, name, JACKPOT)
        make_role(connection, ROLE, RoleGroup.READER)


@asynccontextmanager
async def _serve_pages(folder: Path, ports: tuple[int, int]) -> AsyncIterator[str]:
    port = find_port()
    hosts = ", ".join(f'"127.0.0.1:{one}"' for one in reversed(ports))
    file = folder / "room.toml"
    text = ROOM_FILE.format(
        folder=folder, jackpot=JACKPOT, hosts=hosts, database=DATABASE, role=ROLE, port=port
    )
    file.write_text(text, "utf-8")
    save_people(folder / "people.toml", {NAME: Enrolled((Duty.FLOOR_MANAGER,), hash_pin(PIN))})
    with (folder / "room.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *BANCO, "room", "--config", str(file),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
            start_new_session=True,
        )  # fmt: skip
    try:
        assert process.stdout is not None
        async with asyncio.timeout(SERVED_WITHIN_S):
            if not await process.stdout.readline():
                raise Unavailable(f"sign and overview have not started: see {folder / 'room.log'}")
        yield f"http://127.0.0.1:{port}"
    finally:
        await end_process(process, "sign and overview")


async def _end_player(player: asyncio.Task[None]) -> None:
    """A player who could not go on says why."""
    player.cancel()
    (ended,) = await asyncio.gather(player, return_exceptions=True)
    if isinstance(ended, Exception):
        print(ended, file=sys.stderr)


def find_port() -> int:
    """A port that nobody listens on now; the system hands others out before this one again."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port

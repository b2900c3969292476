"""A table of the room: a simulated table in a process of its own, with its cable and its plug."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from console.child_process import KILLED_WITHIN_S, log_left
from console.rules.codes import Phase
from devices.roles import SEATS
from jackpot.failures import Unavailable

WINS_IN = 12
"""One hand in so many wins something."""

WINS = {"FLUSH": "JPL", "FULL_HOUSE": "JPL", "FOUR_OF_A_KIND": "JPL", "ROYAL_FLUSH": "JPH"}
"""What is won, and where the key must stand for it (jackpot/prizes/)."""


class NextAct(Struct, frozen=True):
    """After so many seconds they do these acts (docs/reference/scenarios.md)."""

    after_s: float
    acts: tuple[str, ...]


LOOK = ("wait 1ms",)


def choose_act(seen: Mapping[str, Any], random: Random) -> NextAct:
    """What they do next at a table that is seen so: `phase`, `slots`, `award`.

    A round takes them 15 s and more: less alarms the room.
    """
    match Phase(seen["phase"]):
        case Phase.PAUSED:
            return NextAct(random.uniform(1, 3), ("key R", "press GAME_OVER"))
        case Phase.BETTING if "ON" in seen["slots"].values():
            return NextAct(random.uniform(1, 4), ("press COIN_IN",))
        case Phase.BETTING:
            seats = sorted(random.sample(sorted(SEATS), random.randint(1, len(SEATS))))
            return NextAct(random.uniform(1, 4), (f"token {' '.join(map(str, seats))}",))
        case Phase.PLAYING if random.randrange(WINS_IN) == 0 and seen["award"] is None:
            combination, key = random.choice(sorted(WINS.items()))
            win = (f"press {combination}", f"key {key}", "press JPOT")
            return NextAct(random.uniform(13, 20), win)
        case Phase.PLAYING:
            return NextAct(random.uniform(13, 20), ("key R", "press GAME_OVER"))
        case Phase.AWARDING:
            return NextAct(random.uniform(4, 8), ("key R",))
        case _:
            return NextAct(1.0, LOOK)


CHUNK = 65536
CONNECT_S = 2.0


class NetworkCable:
    """Passes on every byte while it is plugged in. Pulled, it holds what comes, as TCP does."""

    def __init__(self) -> None:
        self._plugged = asyncio.Event()
        self._plugged.set()
        self._passing: set[asyncio.Task[None]] = set()

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""
        return self._plugged.is_set()

    def pull(self) -> None:
        """Pull it out."""
        self._plugged.clear()

    def plug(self) -> None:
        """Plug it in again."""
        self._plugged.set()

    @asynccontextmanager
    async def lead_to(self, *ports: int) -> AsyncIterator[tuple[int, ...]]:
        """Ports of this machine that lead through the cable to these; they end with the block."""
        servers = [await self._listen(port) for port in ports]
        try:
            yield tuple(server.sockets[0].getsockname()[1] for server in servers)
        finally:
            for server in servers:
                server.close()
            for task in self._passing:
                task.cancel()

    async def _listen(self, port: int) -> asyncio.Server:
        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._passing.add(task)
            with suppress(OSError, TimeoutError, asyncio.CancelledError):
                await self._pass_on(reader, writer, port)
            writer.close()
            self._passing.discard(task)

        return await asyncio.start_server(take, "127.0.0.1", 0)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int
    ) -> None:
        await self._plugged.wait()
        async with asyncio.timeout(CONNECT_S):
            there, back = await asyncio.open_connection("127.0.0.1", port)
        try:
            ways = [
                asyncio.ensure_future(self._copy(reader, back)),
                asyncio.ensure_future(self._copy(there, writer)),
            ]
            _, others = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in others:
                way.cancel()
        finally:
            back.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._plugged.wait()
                writer.write(data)
                await writer.drain()


JACKPOT = "stud"
GAME = "caribbean-stud"
DATABASE = "postgres"
READY_WITHIN_S = 60.0
SERVED_AGAIN_S = 0.05
"""How soon a page that is not served yet is asked again."""

ACT_WITHIN_S = 60.0
ENDS_WITHIN_S = 10.0

LONGEST_LINE = 64 * 1024

BANCO = (
    sys.executable,
    "-c",
    "import sys; from console.command_line.main import main; sys.exit(main())",
)

TABLE_FILE = """
kind = "simulation"
table = "{name}"
game = "{game}"
language = "{language}"
[ledger]
folder = "{folder}/ledger"
[panel]
driver = "simulated"
[rail]
driver = "simulated"
kind = "slot"
[display]
driver = "simulated"
[link]
jackpot = "{jackpot}"
hosts = [{hosts}]
database = "{database}"
"""


def write_table_file(folder: Path, name: str, ports: tuple[int, ...], language: str = "en") -> Path:
    """The configuration of a simulated table; `ports`: where it reaches the centre's servers."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "table.toml"
    hosts = ", ".join(f'"127.0.0.1:{port}"' for port in ports)
    text = TABLE_FILE.format(
        name=name, game=GAME, language=language, folder=folder, jackpot=JACKPOT, hosts=hosts,
        database=DATABASE,
    )  # fmt: skip
    file.write_text(text, "utf-8")
    return file


class PlayingTable:
    """A running table. Its acts are done one at a time, by its players and by whoever pulls."""

    def __init__(self, name: str, cable: NetworkCable, log: Path) -> None:
        self.name = name
        self.cable = cable
        self.has_power = True
        self.url: str | None = None
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._owed = 0  # acts without an answer so far

    async def start(self, file: Path, listen: str | None) -> None:
        """Start it, and wait until it answers, and its pages are served at `listen`."""
        pages = ["--web", listen] if listen is not None else []
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *BANCO, "run", "--sim", "--json", "--config", str(file), *pages,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=LONGEST_LINE,
                start_new_session=True,
                env=dict(os.environ),
            )  # fmt: skip
        async with asyncio.timeout(READY_WITHIN_S):
            await self._read()
            if listen is not None:
                await _wait_for_listener(listen)
        self.url = f"http://{listen}/" if listen is not None else None

    async def do(self, *acts: str) -> Mapping[str, Any]:
        """Have these acts done; the table after the last. Raises Unavailable, TimeoutError.

        An act that was not answered in time may still be done; its answer is nobody's.
        """
        seen: Mapping[str, Any] = {}
        async with self._turn, asyncio.timeout(ACT_WITHIN_S):
            await self._read_owed()
            for act in acts:
                self._pipe.write(f"{act}\n".encode())
                self._owed += 1
                await self._pipe.drain()
                seen = await self._read_owed()
        return seen

    async def play(self, random: Random) -> None:
        """Play on and on, in real time. Raises Unavailable, TimeoutError."""
        seen = await self.do("wait 1ms")
        while True:
            chosen = choose_act(seen, random)
            await asyncio.sleep(chosen.after_s)
            seen = await self.do(*(chosen.acts if self.has_power else ("wait 1ms",)))

    async def switch(self, *, power: bool) -> None:
        """Pull its plug, or put it back."""
        self.has_power = power
        await self.do(f"power {'on' if power else 'off'}")

    async def end(self) -> None:
        """End its process."""
        if self._process is not None:
            await end_process(self._process, self.name)

    @property
    def _pipe(self) -> asyncio.StreamWriter:
        if self._process is None or self._process.stdin is None:
            raise Unavailable(f"{self.name} has not been started")
        return self._process.stdin

    async def _read_owed(self) -> Mapping[str, Any]:
        """The answer to the last act; those before it are read, too."""
        seen: Mapping[str, Any] = {}
        while self._owed:
            seen = await self._read()
            self._owed -= 1
        return seen

    async def _read(self) -> Mapping[str, Any]:
        line = b""
        if self._process is not None and self._process.stdout is not None:
            line = await self._process.stdout.readline()
        if not line:
            raise Unavailable(f"{self.name} has ended: see {self._log}")
        seen: Mapping[str, Any] = json.loads(line)
        return seen


async def end_process(process: asyncio.subprocess.Process, what: str) -> None:
    """Let it end, and kill it if it does not. A killed one that does not end is left."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(ENDS_WITHIN_S):
            await process.communicate()
    except TimeoutError:
        process.kill()
        try:
            async with asyncio.timeout(KILLED_WITHIN_S):
                await process.wait()
        except TimeoutError:
            log_left(what, process.pid)


async def _wait_for_listener(address: str) -> None:
    """Until somebody listens there; its caller has the deadline."""
    host, _, port = address.rpartition(":")
    while True:
        try:
            _, writer = await asyncio.open_connection(host, int(port))
        except ConnectionRefusedError:
            await asyncio.sleep(SERVED_AGAIN_S)
        else:
            writer.close()
            await writer.wait_closed()
            return


@asynccontextmanager
async def run_table(
    folder: Path, name: str, ports: tuple[int, int], listen: str | None
) -> AsyncIterator[PlayingTable]:
    """A table whose centre's servers are at these ports; it ends with the block."""
    cable = NetworkCable()
    async with cable.lead_to(*ports) as through:
        file = write_table_file(folder, name, through)
        table = PlayingTable(name, cable, folder / "log")
        try:
            await table.start(file, listen)
            yield table
        finally:
            with suppress(ConnectionError):
                await table.end()

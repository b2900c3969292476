"""The local line of a running table: its socket's server, with the handler and login behind it.

One JSON object per line and direction, in turn. Clients cannot slow the table down: the server
handles one line at a time, pauses after each, and bounds everything that it keeps.
"""

import asyncio
import logging
import socket
from asyncio import AbstractEventLoop
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from console.configuration.adopted import AdoptedConfiguration
from console.configuration.keys import fingerprint
from console.configuration.limits import Limits, load_limits
from console.configuration.places import PEOPLE_FILE, line_of
from console.configuration.sections import TableKind
from console.configuration.table_plan import TablePlan
from console.configuration.version import VERSION
from console.line.access.login import ATTEMPTS_FILE, PinLogin
from console.line.access.people import PinAge
from console.line.handler import HandlerParts, LastLines, LineHandler, TableFacts
from console.line.requests import (
    LONGEST_LINE,
    AnyAnswer,
    AnyRequest,
    No,
    NoCode,
    NotDone,
    encode_answer,
)
from console.line.sessions import LineSession
from console.line.settings_changes import FixedSettings, SettingsOfTable, WrittenSettings
from console.line.socket import open_socket, peer_of
from console.service.disk_thread import DiskThread
from console.service.table_service import Follower
from jackpot.value_mistakes import describe_mistake

CHUNK = 4096
"""Most bytes read at a time."""

IDLE_S = 3600.0
"""A connection without a complete line for this long is closed."""

SLOW_S = 10.0
"""A client that does not read an answer within this time is cut off."""


class Connection:
    """A connected, non-blocking socket. It reads only while `read_line` waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connected: socket.socket) -> None:
        """Raises OSError."""
        connected.setblocking(False)
        self.peer = peer_of(connected)
        self._loop = loop
        self._socket = connected
        self._rest = b""
        self.quiet_since: float | None = None
        """Since when it waits for a line, in seconds of the loop's clock; None: it does not."""

    async def read_line(self) -> bytes | None:
        """Return the next line; None if the connection ended or was idle. Raises NotDone."""
        self.quiet_since = self._loop.time()
        try:
            async with asyncio.timeout(IDLE_S):
                while b"\n" not in self._rest and len(self._rest) <= LONGEST_LINE:
                    more = await self._loop.sock_recv(self._socket, CHUNK)
                    if not more:
                        return None
                    self._rest += more
        except (OSError, TimeoutError):
            return None
        finally:
            self.quiet_since = None
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise NotDone(NoCode.TOO_LONG, f"a line has at most {LONGEST_LINE} bytes")
        return line

    async def send(self, line: bytes) -> bool:
        """Send a line; False if the connection ended or the client does not read."""
        try:
            async with asyncio.timeout(SLOW_S):
                await self._loop.sock_sendall(self._socket, line + b"\n")
        except (OSError, TimeoutError):
            return False
        return True

    def send_at_once(self, line: bytes) -> None:
        """Send as much as possible without waiting. Raises OSError."""
        self._socket.send(line + b"\n")

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


log = logging.getLogger(__name__)

MOST_CONNECTIONS = 16

MOST_OF_ONE_USER = 12
"""Of these: no user keeps all others out."""

GIVES_WAY_S = 2.0
"""A connection quiet for so long, on which nobody has entered, gives way to a new one."""

TURN_S = 0.004
"""The pause before each line, of any connection, and after each new connection."""

ACCEPT_AGAIN_S = 1.0
"""The pause after a connection could not be accepted."""

CLOSING_S = 1.0
"""Time for the connections to end when the server closes."""


class LineServer:
    """Serves one handler, from `open` to `close`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, handler: LineHandler) -> None:
        self._loop = loop
        self._handler = handler
        self._path: Path | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._served: dict[asyncio.Task[None], tuple[Connection, LineSession]] = {}
        self._turn = asyncio.Lock()
        self._decoder = msgspec.json.Decoder(AnyRequest)

    def open(self, path: Path) -> None:
        """Listen at a path. Raises Unavailable."""
        listening = open_socket(path)
        self._path = path
        self._start(self._accept(listening))

    async def close(self) -> None:
        """End every connection and remove the socket."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_S)
        if self._path is not None:
            with suppress(FileNotFoundError):
                self._path.unlink()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_end)
        return task

    def _on_task_end(self, task: "asyncio.Task[None]") -> None:
        """An unexpected error ends the process, as everywhere in the service."""
        self._tasks.discard(task)
        self._served.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._loop.call_exception_handler({"message": "local line", "exception": error})

    async def _accept(self, listening: socket.socket) -> None:
        with listening:
            while True:
                try:
                    connected, _ = await self._loop.sock_accept(listening)
                    connection = Connection(self._loop, connected)
                except OSError as error:
                    log.error("the local line takes no connection: %s", error)
                    await asyncio.sleep(ACCEPT_AGAIN_S)
                    continue
                self._take_connection(connection)
                await asyncio.sleep(TURN_S)

    def _take_connection(self, connection: Connection) -> None:
        why = self._make_way(connection.peer.uid)
        if why is None:
            session = self._handler.sessions.connect(connection.peer.uid)
            task = self._start(self._serve(connection, session))
            self._served[task] = connection, session
            return
        with suppress(OSError):
            connection.send_at_once(encode_answer(No(NoCode.BUSY, why)))
        connection.close()

    def _make_way(self, uid: int) -> str | None:
        """Return why one more connection of this user is refused; None: it is taken."""
        own = {task: one for task, one in self._served.items() if one[0].peer.uid == uid}
        if len(own) >= MOST_OF_ONE_USER:
            full, why = own, f"user id {uid} has {MOST_OF_ONE_USER} connections already"
        elif len(self._served) >= MOST_CONNECTIONS:
            full, why = self._served, f"{MOST_CONNECTIONS} are connected already"
        else:
            return None
        quietest = _find_quietest(full, self._loop.time() - GIVES_WAY_S)
        if quietest is None:
            return why
        del self._served[quietest]
        quietest.cancel()
        return None

    async def _serve(self, connection: Connection, session: LineSession) -> None:
        try:
            while (answer := await self._answer_to_next(connection, session)) is not None:
                if not await connection.send(encode_answer(answer)):
                    break
        except NotDone as not_done:
            await connection.send(encode_answer(not_done.no))
        finally:
            connection.close()
            self._handler.sessions.disconnect(session)

    async def _answer_to_next(
        self, connection: Connection, session: LineSession
    ) -> AnyAnswer | None:
        """Return the answer to the next line; None at the end. Raises NotDone."""
        line = await connection.read_line()
        if line is None:
            return None
        async with self._turn:
            await asyncio.sleep(TURN_S)
        try:
            request = self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return No(NoCode.NOT_UNDERSTOOD, describe_mistake(error))
        except RecursionError:  # from msgspec, which skips nested fields to find the tag
            return No(NoCode.NOT_UNDERSTOOD, "nested too deeply")
        return await self._handler.ask(session, request)


def _find_quietest(
    served: Mapping[asyncio.Task[None], tuple[Connection, LineSession]], before: float
) -> asyncio.Task[None] | None:
    """Return the connection that has been quiet for longest, since `before` at least.

    One on which somebody has entered does not count.
    """
    quiet = [
        (connection.quiet_since, number, task)
        for number, (task, (connection, session)) in enumerate(served.items())
        if not session.who
        and connection.quiet_since is not None
        and connection.quiet_since <= before
    ]
    return min(quiet)[2] if quiet else None


class LineSource(Struct, frozen=True):
    """The table that the line serves."""

    table: AdoptedConfiguration | None
    """None for a simulation without a configuration file."""

    plan: TablePlan
    folder: Path
    """The ledger's folder; of a simulation the cabinet's folder, which contains the ledger's."""

    ledger: Path

    @property
    def simulated(self) -> bool:
        """Whether the table is simulated or on a bench."""
        return self.table is None or self.table.in_force.kind is not TableKind.PRODUCTION

    @property
    def facts(self) -> TableFacts:
        """What does not change while the line is open."""
        if self.table is None:
            return TableFacts(self.plan, self.simulated, self.ledger, None, VERSION)
        in_force = self.table.in_force
        return TableFacts(
            self.plan,
            self.simulated,
            self.ledger,
            self.table.file,
            VERSION,
            in_force.key.store.value if in_force.key is not None else "",
            fingerprint(in_force),
        )

    @property
    def settings(self) -> SettingsOfTable:
        """The table's settings."""
        if self.table is None:
            return FixedSettings(self.plan)
        return WrittenSettings(self.table.file, self.table.in_force, self.table.adopted)

    @property
    def limits(self) -> Limits:
        """The ceilings for money. Raises FileUnusable."""
        return Limits() if self.table is None else load_limits(self.table.in_force)

    @property
    def people(self) -> Path:
        """The file of people: this machine's, or the simulation's."""
        return self.folder / PEOPLE_FILE.name if self.simulated else PEOPLE_FILE

    def open_login(self, loop: AbstractEventLoop, attempts_file: str = ATTEMPTS_FILE) -> PinLogin:
        """A login that reads its files at once. Wrong PINs are counted in `attempts_file`."""
        people = self.people
        disk_writer = DiskThread(loop)
        attempts = self.folder / attempts_file
        return PinLogin(
            people,
            attempts,
            disk_writer,
            lambda: round(loop.time() * 1000),
            loop.call_later,
            PinAge(self.table.in_force.pin_age_days if self.table is not None else 0),
        )

    @property
    def socket(self) -> Path:
        """The socket's path."""
        return line_of(self.table.in_force if self.table is not None else None)


@contextmanager
def open_line(
    loop: AbstractEventLoop,
    source: LineSource,
    log: LastLines,
    health: Callable[[], Mapping[str, float]],
    restart: Callable[[], None],
) -> Iterator[Follower]:
    """Open the line for the duration of the block; yields what to call with the table's service.

    The loop must not run when the block begins and ends. Raises Unavailable.
    """
    login = source.open_login(loop)
    try:
        parts = HandlerParts(login, log, health, source.limits, source.settings, restart)
        handler = LineHandler(loop, source.facts, parts)
        server = LineServer(loop, handler)
        server.open(source.socket)
        try:
            yield handler.follow
        finally:
            loop.run_until_complete(server.close())
            handler.follow(None)
    finally:
        login.close()

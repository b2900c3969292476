"""Mutated requests of a table that runs: on its socket, to its pages, on the technician's line."""

import json
import random
import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from console.line.access.people import Enrolled, save_people
from console.line.access.pins import Cost, hash_pin
from tests.console.line.handled_table import DUTIES, PINS
from tests.console.technician.terminal.programs import (
    BANCO,
    PortUser,
    environment,
    running_table,
    serving_pty,
)
from tests.console.technician.terminal.typist import CTRL_C, CTRL_U
from tests.console.web.malformed_requests import MALFORMED
from tests.free_port import free_port
from tests.mutated.mutations import mutate, mutate_bytes, mutate_line

ANSWERED_S = 30.0
GIVES_UP_S = 0.1
"""So long somebody waits for what a page's request without an end cannot get."""

QUIET_S = 0.1
"""So long the line says nothing when it has done a command."""

MOST_READ = 20_000
"""What shows something for ever is ended after so many bytes."""

AGAIN_S = 3.0
"""A key that begins a session is not part of a command."""

ENTER = '{"ask":"enter","name":"bianchi","pin":"314159"}'

STATUS = b'{"ask":"status"}'

REQUESTS = (
    *(STATUS.decode(), '{"ask":"inputs"}', '{"ask":"devices","frames":32}'),
    *('{"ask":"log","lines":2}', '{"ask":"settings"}', ENTER, '{"ask":"leave"}'),
    ENTER + '\n{"ask":"declare","words":"last-hands 3","really":true}',
    ENTER + '\n{"ask":"declare","words":"hand-void 2 returned"}\n{"ask":"leave"}',
    '{"ask":"enter","name":"verdi","pin":"161803"}\n{"ask":"correct","source":"house",'
    '"target":"reserve","amount":"12.50","reason":"counted","second":"x","pin":"1","number":1}',
    '{"ask":"enter","name":"rossi","pin":"271828"}\n{"ask":"drive","drive":{"slots":["ON","DARK",'
    '"DARK","DARK","DARK","DARK","ALERT"],"gates":[4],"panel":{"combinations":[true,false,false,'
    'false,false]},"display":{"lines":["LAMP TEST","1 7"]}}}\n{"ask":"drive","drive":null}',
    '{"ask":"change-setting","key":"money.token","value":"5.00","really":true}',
    '{"ask":"keep-self-test","parts":[{"part":"rail","passed":true,"found":"nothing"}]}',
    *('{"ask":"clear","fault":"TRAY_COUNT"}', '{"ask":"sign-head"}', "[" * 60_000, "{" * 70_000),
    '{"ask":"enrol-board","device":"rail","boards":[{"kind":"slot","serial":"1","firmware":"1"}]}',
)

JSON_BODY = '{"name": "bianchi", "pin": "314159"}'

RIGHT = (
    *(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" for path in ("/", "/sign", "/supervisor")),
    "GET /pages/common/page.css HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-10\r\n\r\n",
    'GET /cabinet/scenario HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: "1"\r\n\r\n',
    "HEAD / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nCookie: a=b\r\nCookie: a=c\r\n\r\n",
    "GET /live/cabinet HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x01\x02",
    "POST /supervisor/login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    f"Content-Type: application/json\r\nContent-Length: {len(JSON_BODY)}\r\n\r\n{JSON_BODY}",
    "POST /supervisor/login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    f"{len(JSON_BODY):x};a=b\r\n{JSON_BODY}\r\n0\r\nX: y\r\n\r\n",
)

PAGES = (*RIGHT * 3, *("\r\n".join((*lines, "", "")) for lines in MALFORMED.values()))
"""More of what is right: most of what is wrong in it is refused before it is looked at."""

COMMANDS = (
    *("status", "stato", "faults RAIL_LOST", "round 1", "replay 1", "meters", "log 10", "inputs"),
    *("watch panel", "lamp seat 3 on", "display CIAO|1 2 3", "rail frames 32", "shuffler", "link"),
    *("declare last-hands 3", "clear TRAY_COUNT", "settings money.token 5.00", "about", "verify"),
    *("language en\rhelp", "enter bianchi\r314159\rdeclare tray 4\ry", "board enrol rail", "exit"),
    *("correct house reserve 12.50 counted", "selftest display\rq", "fau\t\t\r", "leave"),
    *("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[3~", "\x1b[" + "9" * 300 + "A", "\x1b]0;x\x07\x9b5n", "\x1bO"),
    *("x" * 10_000, "\x00\x01\x02\x04\x08\x0b\x0c\x0e\x12\x15\x17\x1a\x7f", "perché àèìòù €"),
)


class ServedTable:
    """The ways into one table; each `try_` gives what is wrong, or nothing."""

    def __init__(self, folder: Path, port: int, line: PortUser) -> None:
        self.folder = folder
        self.path = folder / "banco" / "simulation" / "line"
        self.port = port
        self.line = line
        self._marks = 0
        self._read: dict[str, int] = {}

    def try_socket(self, request: bytes) -> str | None:
        """Send lines, and say that no more come; each answer must be one of the protocol's."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(ANSWERED_S)
            line.connect(str(self.path))
            answers = exchange(line, request + b"\n", ends=True).splitlines()
        for answer in answers:
            if "answer" not in json.loads(answer):
                return f"answered {answer[:200]!r}"
        return None if answers or not request.strip() else "no answer"

    def try_pages(self, request: bytes) -> str | None:
        """Send a request; the answer's head must come, or the connection must end."""
        with socket.create_connection(("127.0.0.1", self.port), ANSWERED_S) as browser:
            head = exchange(browser, request, ends=False).split(b"\r\n", 1)[0]
        broken = head and (b" 500 " in head or not head.startswith(b"HTTP/"))
        return f"answered {head[:200]!r}" if broken else None

    def try_line(self, typed: bytes) -> str | None:
        """Type it; afterwards the line must still take a command."""
        self.line.screen.forget()
        self.line.type(typed + b"\r")
        while self.line.read(QUIET_S) and len(self.line.sent) < MOST_READ:
            pass  # a Ctrl-C before it has been read would end it
        self.line.sent = b""
        self._marks += 1
        mark, end = f"mark{self._marks}", time.monotonic() + ANSWERED_S
        while time.monotonic() < end:
            self.line.type(f"{CTRL_C}{CTRL_C}{CTRL_U}{mark}\r")
            again = time.monotonic() + AGAIN_S
            while time.monotonic() < again:
                self.line.read(0.05)
                screen = self.line.screen
                if mark in screen.text and screen.line.endswith("> "):
                    return None
        return f"no prompt after it: {self.line.screen.text[-500:]}"

    def complaints(self) -> str | None:
        """What was logged of an unexpected error since the last call."""
        for name in ("table.log", "diag.log"):
            text = (self.folder / name).read_text("utf-8", "replace")
            new = text[self._read.get(name, 0) :]
            self._read[name] = len(text)
            if "Traceback" in new:
                return f"{name}: {new}"
        return None


def exchange(line: socket.socket, request: bytes, *, ends: bool) -> bytes:
    """What comes back, to the end of the connection or of an answer's head.

    Raises TimeoutError if neither comes after no more is sent.
    """
    received = b""
    try:
        line.sendall(request)
        if ends or not select.select([line], [], [], GIVES_UP_S)[0]:
            line.shutdown(socket.SHUT_WR)
        while data := line.recv(1 << 16):
            received += data
            if not ends and b"\r\n\r\n" in received:
                break
    except (ConnectionError, BrokenPipeError):  # it was closed, as it may be
        pass
    return received


Attempt = tuple[str, bytes, Callable[[bytes], str | None]]


def attempts(table: ServedTable, chance: random.Random, each: dict[str, int]) -> Iterator[Attempt]:
    """Each kind's name, input, and who tries it."""
    kinds: dict[str, tuple[Sequence[str], Callable[[bytes], str | None]]] = {
        "socket": (REQUESTS, table.try_socket),
        "pages": (PAGES, table.try_pages),
        "line": (COMMANDS, table.try_line),
    }
    for kind, (seeds, attempt) in kinds.items():
        for _ in range(each[kind]):
            text = chance.choice(seeds)
            if chance.random() < 0.8:  # some are right: what follows them is answered alike
                text = mutate_line(text, chance) if kind == "pages" else mutate(text, chance)
            data = text.encode("utf-8", "surrogatepass")
            yield kind, mutate_bytes(data, chance) if chance.random() < 0.3 else data, attempt


@contextmanager
def serve_table(folder: Path) -> Iterator[ServedTable]:
    """A simulated table in which people are enrolled, with its pages and a technician's line."""
    state = folder / "banco" / "simulation"
    state.mkdir(parents=True)
    cheap = Cost(n=2, r=1, p=1)
    people = {who: Enrolled(DUTIES[who], hash_pin(PINS[who], cheap)) for who in PINS}
    save_people(state / "people.toml", people)
    port = free_port()
    with (
        running_table(folder, "--web", f"127.0.0.1:{port}"),
        serving_pty(folder) as (path, _),
        PortUser.of(path) as line,
    ):
        end = time.monotonic() + ANSWERED_S
        while not is_open(port):
            assert time.monotonic() < end, (folder / "table.log").read_text("utf-8")
            select.select([], [], [], 0.05)  # the pages are another process's: it wakes nobody
        yield ServedTable(folder, port, line)


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as browser:
        return browser.connect_ex(("127.0.0.1", port)) == 0


def why_wrong(attempt: Callable[[bytes], str | None], data: bytes) -> str | None:
    """Try it; what should not have come, a deadline that has passed among it."""
    try:
        return attempt(data)
    except (OSError, ValueError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"


def try_served(
    folder: Path, chance: random.Random, each: dict[str, int]
) -> Iterator[tuple[str, bytes, str | None]]:
    """Try so many of each kind: its name, the input, and what was wrong with the answer."""
    with serve_table(folder) as table:
        for kind, data, attempt in attempts(table, chance, each):
            why = why_wrong(attempt, data) or table.complaints()
            yield kind, data, why
            if why is not None and (ended := why_wrong(table.try_socket, STATUS)) is not None:
                yield "ended", STATUS, ended
                break
        for right, request in ((table.try_socket, STATUS), (table.try_pages, PAGES[0].encode())):
            if (why := why_wrong(right, request)) is not None:
                yield "afterwards", request, why
    verify = [*BANCO, "ledger", "verify", str(folder / "banco" / "simulation")]
    done = subprocess.run(
        verify, env=environment(folder), capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        yield "ledger", b"", done.stdout + done.stderr

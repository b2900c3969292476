"""`banco run` as a process of its own, driven line by line as `banco run --json` is."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from firmware_bridge.board_session.framing import describe_slow_codec
from tests.deadlines import DEADLINE_S

ROOT = Path(__file__).resolve().parents[2]
BANCO = (sys.executable, "-m", "console")
PROGRAM = "import sys; from console.__main__ import main; sys.exit(main())"
"""The same as a text, for what must happen before it."""

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

SLOW_CODEC = describe_slow_codec()
NOTED = f"note: {SLOW_CODEC}\n" if SLOW_CODEC else ""
"""What `check` says first where the library cobs was installed without a compiler."""


Seen = dict[str, Any]
"""One line of `--json`."""


def configuration(file: Path, *, rail: str = 'driver = "simulated"', **settings: str) -> Path:
    """Write a configuration beside its ledger's folder; `rail` is what says how it is driven."""
    values = {
        "kind": "simulation",
        "table": "cs-1",
        "game": "caribbean-stud",
        "rail_kind": "slot",
        "token": "2.00",
    } | settings
    file.write_text(
        f"""
kind = "{values["kind"]}"
table = "{values["table"]}"
game = "{values["game"]}"
[money]
token = "{values["token"]}"
[ledger]
folder = "{file.parent}"
[panel]
driver = "simulated"
[rail]
kind = "{values["rail_kind"]}"
{rail}
[display]
driver = "simulated"
""",
        "utf-8",
    )
    return file


class RunningTable:
    """A table's process. Everything it complains of goes to the file `complaints`."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        complaints: Path,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self.process = process
        self.complaints = complaints
        self.deadline_s = deadline_s
        self.first: Seen = {}  # line 0: how it stood when its links were up
        self.ready_s = 0.0  # until then, without the time that others had the processor

    async def read_snapshot(self) -> Seen:
        """The next line it prints."""
        assert self.process.stdout is not None
        async with asyncio.timeout(self.deadline_s):
            line = await self.process.stdout.readline()
        assert line, f"it has ended: {self.complaints.read_text('utf-8')}"
        snapshot: Seen = json.loads(line)
        return snapshot

    def say(self, *acts: str) -> None:
        """Have these acts done, without waiting for them."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{act}\n" for act in acts).encode())

    async def do(self, *acts: str) -> Seen:
        """Have these acts done; the table after the last of them."""
        self.say(*acts)
        snapshots = [await self.read_snapshot() for _ in acts]
        return snapshots[-1]

    async def until(self, wanted: Callable[[Seen], bool]) -> Seen:
        """Let time pass until the table looks as wanted."""
        snapshot: Seen = {}
        try:
            async with asyncio.timeout(self.deadline_s):
                while not wanted(snapshot := await self.do("wait 10ms")):
                    pass
        except TimeoutError as error:
            raise AssertionError(f"it stays {snapshot}") from error
        return snapshot

    async def until_complained(self, text: str) -> str:
        """Wait until it has complained of this: a thread of its own writes; all complaints."""
        async with asyncio.timeout(self.deadline_s):
            while text not in (complaints := self.complaints.read_text("utf-8")):
                await asyncio.sleep(0.01)
        return complaints

    async def wait_for_end(self) -> int:
        """Wait for its end; the exit status, negative for a signal."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        async with asyncio.timeout(self.deadline_s):
            return await self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        # asyncio's own way asks for the exit status first, and whoever waits for it goes without.
        if self.process.returncode is None:
            os.kill(self.process.pid, number)

    async def kill(self) -> None:
        """SIGKILL: no code of its own runs any more."""
        self.signal(signal.SIGKILL)
        assert await self.wait_for_end() == -signal.SIGKILL, self.complaints.read_text("utf-8")


async def start(
    folder: Path, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> RunningTable:
    """Start `banco run ARGUMENTS --json`; what it complains of is added to a file in `folder`."""
    complaints = folder / "complaints"
    with complaints.open("a") as log:
        process = await asyncio.create_subprocess_exec(
            *BANCO,
            "run",
            *map(str, arguments),
            "--json",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={**ENVIRONMENT, **(environment or {})},
        )
    return RunningTable(process, complaints)


def processor_wait_s(process: int) -> float:
    """How long its main thread could have run while others did; 0 where that is not counted."""
    try:
        schedule = Path(f"/proc/{process}/schedstat").read_text("ascii")
    except FileNotFoundError:
        return 0.0
    return int(schedule.split()[1]) / 1e9


@asynccontextmanager
async def running(
    folder: Path, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> AsyncIterator[RunningTable]:
    """A table that has told its line 0; it has ended when this does."""
    began = asyncio.get_running_loop().time()
    table = await start(folder, *arguments, environment=environment)
    try:
        table.first = await table.read_snapshot()
        took = asyncio.get_running_loop().time() - began
        table.ready_s = took - processor_wait_s(table.process.pid)
        yield table
    finally:
        table.signal(signal.SIGKILL)
        await table.wait_for_end()

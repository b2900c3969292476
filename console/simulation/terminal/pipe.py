"""Acts and expectations from a pipe or a file, each answered with the JSON line of `banco play`.

For programs: a test that kills the table and looks at what comes back, or a script.
"""

import asyncio
import os
import select
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from msgspec import Struct

from console.rules.observation import Observation
from console.service.supervision.process_end import NotWritten
from console.simulation.scenario.acts import Vocabulary
from console.simulation.scenario.play import (
    find_mismatch,
    parse_typed_line,
    perform,
    render_json,
)
from console.simulation.scenario.script import Statement
from console.simulation.scenario.simulated_table import AFTER_ACT_MS, SimulatedTable

LONGEST_LINE = 1000
"""Bytes; lines of scenarios are far shorter."""

CHUNK = 4096


async def lines_from(descriptor: int) -> AsyncGenerator[bytes, None]:
    """The lines that come in, without their ends; a last one without an end counts.

    A line longer than LONGEST_LINE is cut to LONGEST_LINE + 1 bytes, so that the reader notices.
    At most one chunk is read ahead.
    """
    rest, cut = b"", False
    while chunk := await _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if not cut:
                yield line[: LONGEST_LINE + 1]
            cut = False
        if len(rest) > LONGEST_LINE:
            if not cut:
                yield rest[: LONGEST_LINE + 1]
            rest, cut = b"", True
    if rest and not cut:
        yield rest


async def write_line(descriptor: int, text: str) -> None:
    """Write a line, waiting for a slow reader. Raises NotWritten when there is none."""
    loop = asyncio.get_running_loop()
    data = (text + "\n").encode()
    while data:
        await _ready(loop.add_writer, loop.remove_writer, descriptor)
        chunk = data[: select.PIPE_BUF]  # as much as a ready pipe takes at once
        try:
            data = data[os.write(descriptor, chunk) :]
        except BlockingIOError:  # somebody else made it non-blocking, and it is full
            continue
        except OSError as error:
            raise NotWritten(error, descriptor) from error


async def _read(descriptor: int) -> bytes:
    loop = asyncio.get_running_loop()
    while True:
        await _ready(loop.add_reader, loop.remove_reader, descriptor)
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:  # another process has read it
            continue


async def _ready(watch: Callable[..., Any], unwatch: Callable[[int], Any], descriptor: int) -> None:
    ready = asyncio.Event()
    try:
        watch(descriptor, ready.set)
    except PermissionError:  # a plain file, which epoll refuses, is always ready
        await asyncio.sleep(0)
        return
    try:
        await ready.wait()
    finally:
        unwatch(descriptor)


HELD, FAILED, NOT_UNDERSTOOD = 0, 1, 2
"""The exit statuses: the worst thing that happened counts."""

READY_MS = 2000
"""A table is ready within 2 s of its service's start (docs/reference/rules.md, section 7)."""

LOOK_MS = 5
"""How often to check whether it is."""

NAME = "-"
"""The file's name in reports."""

QUIT = "quit"


class Descriptors(Struct, frozen=True):
    """The file descriptors: lines come in, the table's state and complaints go out."""

    lines: int = 0
    states: int = 1
    complaints: int = 2


async def run_pipe(
    simulated_table: SimulatedTable,
    vocabulary: Vocabulary,
    descriptors: Descriptors | None = None,
    *,
    stays: bool = False,
) -> int:
    """Do the lines that come in until the input ends or is `quit`; the exit status.

    The first report, for line 0, is the table's state once its links are up, its display is
    written and its lamps follow, or after 2 s. `stays`: run on after the input's end, because acts
    also come from the pages. Raises NotWritten when nobody reads the reports any more.
    """
    pipe = _Pipe(simulated_table, vocabulary, descriptors or Descriptors())
    if not await pipe.run() and stays:
        await asyncio.get_running_loop().create_future()  # until the process is stopped
    return pipe.status


class _Pipe:
    def __init__(
        self, simulated_table: SimulatedTable, vocabulary: Vocabulary, descriptors: Descriptors
    ) -> None:
        self.status = HELD
        self._simulated_table = simulated_table
        self._vocabulary = vocabulary
        self._descriptors = descriptors

    async def run(self) -> bool:
        """Do all lines; True: the last one was `quit`, False: the input has ended."""
        await self._await_ready()
        await self._report(0, "", self._simulated_table.observe(), held=True)
        async with aclosing(lines_from(self._descriptors.lines)) as lines:
            number = 0
            async for raw in lines:
                number += 1
                if raw.strip().lower() == QUIT.encode():
                    return True
                statement = await self._parse(raw, number)
                if statement is not None:
                    await self._perform(statement)
        return False

    async def _await_ready(self) -> None:
        for _ in range((READY_MS - AFTER_ACT_MS) // LOOK_MS):
            if self._simulated_table.is_ready():
                break
            await asyncio.sleep(LOOK_MS / 1000)
        for _ in range(AFTER_ACT_MS // LOOK_MS):  # as after an act; a dead lamp never follows
            if self._simulated_table.shows_lamps():
                break
            await asyncio.sleep(LOOK_MS / 1000)

    async def _parse(self, raw: bytes, number: int) -> Statement | None:
        try:
            if len(raw) > LONGEST_LINE:
                raise ValueError(f"a line is at most {LONGEST_LINE} bytes long")
            return parse_typed_line(raw.decode(errors="replace"), number, self._vocabulary)
        except ValueError as error:
            await self._complain(number, str(error), NOT_UNDERSTOOD)
            return None

    async def _perform(self, statement: Statement) -> None:
        await perform(self._simulated_table, statement.does)
        seen = self._simulated_table.observe()
        complaint = find_mismatch(statement.does, seen)
        await self._report(statement.line, statement.text, seen, held=complaint is None)
        if complaint is not None:
            await self._complain(statement.line, complaint, FAILED)

    async def _report(self, line: int, text: str, seen: Observation, *, held: bool) -> None:
        await write_line(self._descriptors.states, render_json(NAME, line, text, held, seen))

    async def _complain(self, line: int, why: str, status: int) -> None:
        self.status = max(self.status, status)
        await write_line(self._descriptors.complaints, f"{NAME}:{line}: {why}")

"""Standard input and output on the event loop: pipes, terminals and files, no thread.

A descriptor is never made non-blocking, because other processes may share it. Instead it is read
or written only when it is ready.
"""

import asyncio
import os
import select
from collections.abc import AsyncGenerator, Callable
from typing import Any

from console.service.supervision.process_end import NotWritten

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

"""Pipes to a process: whatever it does with them, nobody waits."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from console.child_process import LinesIn, LinesOut
from console.web.messages import (
    LONGEST_MESSAGE,
    ActAnswer,
    ActRequest,
    TableSnapshot,
    decode_from_pages,
    decode_to_pages,
    encode_message,
)
from tests.deadlines import DEADLINE_S


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Where is read, and where is written."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            try:
                os.close(end)
            except OSError:  # the test has closed it
                continue


def test_what_a_full_pipe_does_not_take_is_sent_as_soon_as_it_does() -> None:
    async def talk() -> None:
        emptied = asyncio.Event()
        with pipe() as (there, here):
            out = LinesOut(asyncio.get_running_loop(), here, emptied.set, lambda: None)
            lines = [b"%d %s\n" % (number, b"x" * 50_000) for number in range(10)]
            for line in lines:
                out.send(line)
            assert out.waiting > 0
            assert not emptied.is_set()
            taken = b""
            async with asyncio.timeout(DEADLINE_S):
                while taken.count(b"\n") < len(lines):
                    taken += os.read(there, 30_000)
                    await asyncio.sleep(0)
                await emptied.wait()
            assert taken == b"".join(lines)
            assert out.waiting == 0
            out.close()

    asyncio.run(talk())


def test_nobody_who_reads_is_told_once_and_later_words_go_nowhere() -> None:
    broken = []

    async def talk() -> None:
        with pipe() as (there, here):
            loop = asyncio.get_running_loop()
            out = LinesOut(loop, here, lambda: None, lambda: broken.append(True))
            os.close(there)
            out.send(b"hello\n")
            out.send(b"anybody?\n")
            assert out.waiting == 0

    asyncio.run(talk())
    assert broken == [True]


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (b"one\ntwo\n", [b"one", b"two"]),
        (b"one\nhalf", [b"one"]),
        (b"x" * 200 + b"\n", [b"x" * 200]),
        (b"y" * 200_000, []),
    ],
    ids=["lines", "half a line", "long", "too long"],
)
def test_lines_are_read_until_the_end(written: bytes, lines: list[bytes]) -> None:
    async def talk() -> list[bytes]:
        ended = asyncio.Event()
        heard: list[bytes] = []
        with pipe() as (here, there):
            loop = asyncio.get_running_loop()
            LinesIn(loop, here, heard.append, ended.set, LONGEST_MESSAGE)
            os.set_blocking(there, False)
            rest = memoryview(written)
            async with asyncio.timeout(DEADLINE_S):
                while rest and not ended.is_set():
                    try:
                        rest = rest[os.write(there, rest) :]
                    except BlockingIOError:
                        await asyncio.sleep(0)
                os.close(there)
                await ended.wait()
        return heard

    assert asyncio.run(talk()) == lines


def test_each_side_understands_its_own_messages_only() -> None:
    request = ActRequest(7, "press COIN_IN")
    answer = ActAnswer(7, "press COIN_IN", "NOT_OPEN")
    assert decode_from_pages(encode_message(request)) == request
    assert decode_to_pages(encode_message(answer)) == answer
    with pytest.raises(ValueError, match="Invalid value"):
        decode_to_pages(encode_message(request))
    with pytest.raises(ValueError, match="Invalid value"):
        decode_from_pages(encode_message(answer))


def test_a_message_that_nobody_would_read_is_not_written() -> None:
    endless = TableSnapshot("", 0, 0, True, "R", {"display": "x" * LONGEST_MESSAGE})
    with pytest.raises(ValueError, match="65"):
        encode_message(endless)

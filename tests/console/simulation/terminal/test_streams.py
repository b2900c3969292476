"""Lines from a stream, however it is cut into chunks."""

import asyncio
import os

from hypothesis import given
from hypothesis import strategies as st

from console.simulation.terminal.pipe import LONGEST_LINE, lines_from

CHUNK = 4096


async def read_all(descriptor: int) -> list[bytes]:
    return [line async for line in lines_from(descriptor)]


def came_in(data: bytes) -> list[bytes]:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source:
        with os.fdopen(writing, "wb") as sink:
            sink.write(data)
        return asyncio.run(read_all(source.fileno()))


@given(st.lists(st.sampled_from([0, 1, 50, LONGEST_LINE, LONGEST_LINE + 1, 9000]), max_size=6))
def test_lines_come_whole_and_too_long_ones_are_cut(lengths: list[int]) -> None:
    lines = [bytes([65 + n]) * length for n, length in enumerate(lengths)]
    wanted = [line[: LONGEST_LINE + 1] for line in lines]
    assert came_in(b"".join(line + b"\n" for line in lines)) == wanted


@given(st.integers(CHUNK - 3, CHUNK + 3))
def test_a_line_across_two_chunks_is_one(first: int) -> None:
    filling = b"x\n" * ((first - 1) // 2)
    assert came_in(filling + b"press GAME_OVER\n")[-1] == b"press GAME_OVER"


def test_a_last_line_without_an_end_counts() -> None:
    assert came_in(b"key R\nkey S") == [b"key R", b"key S"]
    assert came_in(b"") == []

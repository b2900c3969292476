"""A bad wire to an independent rail board: no token is lost, none is counted twice."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from tests.console.service.independent_rail import IDENTITY, ON, STATE, Wire, good_wire, payload_of
from tests.console.service.independent_rail_table import (
    bet,
    phase,
    play,
    play_and_settle,
    press,
    win,
)


def bad_wire(seed: int) -> dict[str, Wire]:
    """Wires that do something to every frame, or to some of them."""
    random = Random(seed)
    old = [b"\0"]

    def garbage(frame: bytes) -> Iterable[bytes]:
        yield random.randbytes(random.randrange(300)) + b"\0"
        yield frame

    def old_ones_again(frame: bytes) -> Iterable[bytes]:
        old.append(frame)
        yield frame
        yield random.choice(old)

    def one_in_five_lost(frame: bytes) -> Iterable[bytes]:
        return () if random.random() < 0.2 else (frame,)

    return {
        "garbage between frames": garbage,
        "every frame three times": lambda frame: (frame,) * 3,
        "old frames again": old_ones_again,
        "byte by byte": lambda frame: (bytes([byte]) for byte in frame),
        "one frame in five lost": one_in_five_lost,
    }


@pytest.mark.parametrize("how", ["a good wire", *bad_wire(0)])
def test_rounds_are_played_whatever_the_wire_does(how: str, tmp_path: Path) -> None:
    async def night() -> None:
        wire = good_wire if how == "a good wire" else bad_wire(7)[how]
        async with play_and_settle(tmp_path, wire) as (table, rail):
            answer = await play(table, rail, 1, 3)
            assert (answer["seats"], answer["jackpot"]) == ({"1": "ON", "3": "ON"}, "10002.80")
            answer = await win(table, "flush", "jpl")
            assert (answer["paid"], answer["jackpot"], answer["phase"]) == (
                "100.02",
                "9902.78",
                "PLAYING",
            )
            answer = await play(table, rail, 2, 3, 4, 5, 6, 7)
            assert answer["jackpot"] == "9911.18"
            assert sorted(rail.tray) == [1, 2, 3, 3, 4, 5, 6, 7]

    asyncio.run(night())


def test_a_line_cut_in_the_middle_of_a_frame_is_found_again(tmp_path: Path) -> None:
    async def cut() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            await press(table, "game_over")
            rail.put(4)
            await table.until(lambda _: rail.lamps(ON) == {4})
            rail.break_off()
            rail.put(5)
            await table.until(lambda _: rail.lamps(ON) == {4, 5})
            await press(table, "coin_in")
            rail.break_off()
            await table.until(phase("PLAYING"))
            await table.until(lambda _: rail.lamps(ON) == {4, 5} == {*rail.tray})

    asyncio.run(cut())


def test_an_old_state_right_behind_identity_proves_nothing(tmp_path: Path) -> None:
    """It would count fewer drops than there were, and the next one seem to count new ones."""
    states: list[bytes] = []
    repeats = False

    def wire(frame: bytes) -> Iterable[bytes]:
        yield frame
        kind = (payload_of(frame.strip(b"\0")) or b"\0")[0]
        if kind == STATE:
            states.append(frame)
        elif kind == IDENTITY and repeats:
            yield states[0]

    async def repeat_state() -> None:
        nonlocal repeats
        async with play_and_settle(tmp_path, wire) as (table, rail):
            await play(table, rail, 1, 3)
            rail.jams = {3}
            await bet(table, rail, 1, 3)
            await table.until(lambda seen: seen["seats"] == {"1": "ON"})
            repeats = True
            rail.break_off()
            answer = await table.until(phase("COLLECTING", "TOKEN_STUCK"))
            assert answer["seats"] == {"1": "ON"}
            assert rail.slots == {3}

    asyncio.run(repeat_state())

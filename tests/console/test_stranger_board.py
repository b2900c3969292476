"""A board built from docs/wire-protocol.md alone plays on a table that runs by the clock.

Whatever its wire loses, repeats or cuts: no token is lost, none is counted twice, and there is a
fault where the table's rules ask for one (TABLE.md, sections 2 and 7).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from jackpot.accounts import Reason
from jackpot.ledger import read_records, verify
from tests.console.running_table import RunningTable, Seen, configuration, running
from tests.console.stranger import (
    ALERT,
    DARK,
    IDENTITY,
    INVITE,
    ON,
    STATE,
    StrangeRail,
    Wire,
    good_wire,
    payload_of,
)

EVERYWHERE = {1, 2, 3, 4, 5, 6, 7}
KILLS = 12


class Scene:
    """A folder with a ledger, and a rail that stays powered whatever becomes of the table."""

    def __init__(self, folder: Path, rail: StrangeRail) -> None:
        self.folder = folder
        self.rail = rail
        port = f'driver = "board"\nport = "{rail.link}"'
        self.file = configuration(folder / "bench.toml", kind="bench", rail=port)

    def table(self) -> AbstractAsyncContextManager[RunningTable]:
        """The table's process."""
        return running(self.folder, "--config", self.file)

    def settle(self) -> None:
        """Every token in the tray stands in the ledger, once, under its seat."""
        stakes = [
            transaction.identity
            for record in read_records(self.folder / "ledger")
            for transaction in record.transactions
            if transaction.reason is Reason.STAKE
        ]
        assert Counter(f"/seat-{seat}/stake" for seat in self.rail.tray) == Counter(
            identity[identity.index("/seat") :] for identity in stakes
        )
        assert len(set(stakes)) == len(stakes)
        assert verify(self.folder / "ledger").problems == ()


@asynccontextmanager
async def scene(folder: Path, wire: Wire = good_wire, *, version: int = 1) -> AsyncIterator[Scene]:
    rail = StrangeRail(folder / "rail", wire, version=version)
    try:
        yield Scene(folder, rail)
    finally:
        rail.close()


@asynccontextmanager
async def playing(
    folder: Path, wire: Wire = good_wire
) -> AsyncIterator[tuple[RunningTable, StrangeRail]]:
    """A table at this rail; when it has ended its ledger is held against the tray."""
    async with scene(folder, wire) as at:
        async with at.table() as table:
            yield table, at.rail
        at.settle()


def phase(name: str, *faults: str) -> Callable[[Seen], bool]:
    return lambda seen: (seen["phase"], seen["faults"]) == (name, [*faults])


async def press(table: RunningTable, button: str) -> None:
    """Press it, and again after a bad wire has had the rail lost, while it was refused."""
    while (told := await table.do(f"press {button}"))["refused"] == "LOCKED":
        await table.until(lambda seen: not seen["faults"])
    assert told["refused"] is None


async def bet(table: RunningTable, rail: StrangeRail, *seats: int) -> None:
    """The next round; tokens are put in, and COIN IN is pressed."""
    await press(table, "game_over")
    await table.until(lambda _: rail.lamps(INVITE, ON) == EVERYWHERE)
    rail.put(*seats)
    await table.until(lambda _: rail.lamps(ON) == {*seats})
    await press(table, "coin_in")


async def play(table: RunningTable, rail: StrangeRail, *seats: int) -> Seen:
    """A round up to PLAYING."""
    await bet(table, rail, *seats)
    told = await table.until(phase("PLAYING"))
    await table.until(lambda _: rail.lamps(ON) == {*seats} and not rail.slots)
    return told


async def win(table: RunningTable, combination: str, key: str) -> Seen:
    """An award, paid."""
    await table.do(f"press {combination}", f"key {key}", "press jpot")
    await table.until(lambda seen: seen["phase"] == "AWARDING")
    await table.do("key r")
    return await table.until(lambda seen: seen["phase"] == "PLAYING")


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
        async with playing(tmp_path, wire) as (table, rail):
            told = await play(table, rail, 1, 3)
            assert (told["seats"], told["jackpot"]) == ({"1": "ON", "3": "ON"}, "10002.80")
            told = await win(table, "flush", "jpl")
            assert (told["paid"], told["jackpot"], told["phase"]) == (
                "100.02",
                "9902.78",
                "PLAYING",
            )
            told = await play(table, rail, 2, 3, 4, 5, 6, 7)
            assert told["jackpot"] == "9911.18"
            assert sorted(rail.tray) == [1, 2, 3, 3, 4, 5, 6, 7]

    asyncio.run(night())


def test_a_line_cut_in_the_middle_of_a_frame_is_found_again(tmp_path: Path) -> None:
    async def cut() -> None:
        async with playing(tmp_path) as (table, rail):
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

    async def repeated() -> None:
        nonlocal repeats
        async with playing(tmp_path, wire) as (table, rail):
            await play(table, rail, 1, 3)
            rail.jams = {3}
            await bet(table, rail, 1, 3)
            await table.until(lambda seen: seen["seats"] == {"1": "ON"})
            repeats = True
            rail.break_off()
            told = await table.until(phase("COLLECTING", "TOKEN_STUCK"))
            assert told["seats"] == {"1": "ON"}
            assert rail.slots == {3}

    asyncio.run(repeated())


def test_a_board_that_boots_in_betting_is_asked_what_lies_there(tmp_path: Path) -> None:
    async def boot() -> None:
        async with playing(tmp_path) as (table, rail):
            await play(table, rail, 1)
            await press(table, "game_over")
            rail.put(2, 6)
            await table.until(lambda _: rail.lamps(ON) == {2, 6})
            rail.reboot()
            rail.take(6)
            await table.until(lambda _: rail.lamps(ON) == {2})
            assert (await table.until(phase("BETTING")))["seats"] == {}
            await press(table, "coin_in")
            assert (await table.until(phase("PLAYING")))["seats"] == {"2": "ON"}

    asyncio.run(boot())


def test_a_board_that_boots_in_playing_gets_its_lamps_again(tmp_path: Path) -> None:
    async def boot() -> None:
        async with playing(tmp_path) as (table, rail):
            await play(table, rail, 1, 7)
            rail.reboot()
            assert rail.lamps(ON) == set()
            await table.until(lambda _: rail.lamps(ON) == {1, 7})
            told = await table.until(phase("PLAYING"))
            assert told["seats"] == {"1": "ON", "7": "ON"}
            await play(table, rail, 1)

    asyncio.run(boot())


def test_a_board_that_boots_in_collecting_leaves_the_gates_closed_until_coin_in(
    tmp_path: Path,
) -> None:
    async def boot() -> None:
        async with playing(tmp_path) as (table, rail):
            rail.jams = {3, 5}
            await bet(table, rail, 1, 3, 5)
            await table.until(lambda seen: seen["seats"] == {"1": "ON"})
            assert rail.gates == {3, 5}
            rail.reboot()
            rail.jams = set()
            rail.take(5)
            told = await table.until(lambda _: rail.lamps(ALERT) == {3, 5})
            assert rail.lamps(ON) == {1}
            told = await table.until(phase("COLLECTING", "TRAY_COUNT", "TOKEN_STUCK"))
            told = await table.do("wait 200ms")
            assert (rail.gates, rail.slots, told["seats"]) == (set(), {3}, {"1": "ON"})
            await press(table, "coin_in")
            told = await table.until(phase("PLAYING", "TRAY_COUNT"))
            assert told["seats"] == {"1": "ON", "3": "ON"}
            assert rail.tray == [1, 3]

    asyncio.run(boot())


def test_a_silent_board_is_lost_and_comes_back_by_itself(tmp_path: Path) -> None:
    async def silence() -> None:
        async with playing(tmp_path) as (table, rail):
            await bet(table, rail, 2)
            await table.until(phase("PLAYING"))
            rail.dumb = True
            await table.until(phase("PLAYING", "RAIL_LOST"))
            assert (await table.do("press game_over"))["refused"] == "LOCKED"
            told = await win(table, "full_house", "jpl")  # awards go on
            assert (told["phase"], told["paid"]) == ("PLAYING", "200.02")
            await table.do("wait 600ms")
            assert rail.lamps(INVITE, ON, ALERT) == set()  # the watchdog
            rail.dumb = False
            await table.until(phase("PLAYING"))
            assert rail.lamps(ON) == {2}
            await play(table, rail, 2)

    asyncio.run(silence())


@pytest.mark.parametrize("how", ["never answers", "speaks version 2"])
def test_a_board_that_is_none_is_a_lost_rail(how: str, tmp_path: Path) -> None:
    async def stranger() -> None:
        version = 2 if how == "speaks version 2" else 1
        async with scene(tmp_path, version=version) as at:
            at.rail.dumb = how == "never answers"
            at.rail.put(1)
            async with at.table() as table:
                await table.until(phase("PAUSED", "RAIL_LOST"))
                assert (await table.do("press game_over"))["refused"] == "LOCKED"
                await table.do("wait 3500ms")  # the port is opened anew meanwhile
                assert at.rail.lamps(DARK) == EVERYWHERE
                assert (await table.do("wait 1ms"))["faults"] == ["RAIL_LOST"]
            at.settle()
            (record,) = read_records(tmp_path / "ledger", kind="link-lost")
            expected = "speaks version 2" if version == 2 else "nobody answers"
            assert expected in str(record.body["act"])

    asyncio.run(stranger())


def test_a_tray_that_counts_otherwise_is_counted_by_hand(tmp_path: Path) -> None:
    async def count() -> None:
        async with playing(tmp_path) as (table, rail):
            rail.blind_tray = True
            await bet(table, rail, 1)
            told = await table.until(phase("PLAYING", "TRAY_COUNT"))
            assert told["seats"] == {"1": "ON"}  # its drop sensor has seen it
            rail.blind_tray = False
            await table.do("press game_over", "press coin_in", "key s", "clear tray_count", "key r")
            await table.until(phase("PAUSED"))
            await play(table, rail, 1)

    asyncio.run(count())


def test_a_token_that_does_not_drop_is_stuck_until_coin_in(tmp_path: Path) -> None:
    async def stuck() -> None:
        async with playing(tmp_path) as (table, rail):
            rail.jams = {6}
            await bet(table, rail, 6, 7)
            told = await table.until(phase("COLLECTING", "TOKEN_STUCK"))
            assert told["seats"] == {"7": "ON"}
            await table.until(lambda _: rail.lamps(ALERT) == {6})
            assert (rail.lamps(ON), rail.gates) == ({7}, set())
            rail.jams = set()
            await press(table, "coin_in")
            await table.until(phase("PLAYING"))
            assert rail.tray == [7, 6]

    asyncio.run(stuck())


@pytest.mark.parametrize("after_ms", [100, 2500])
def test_a_token_that_drops_while_the_table_is_dead_is_proved_by_the_counter(
    after_ms: int, tmp_path: Path
) -> None:
    async def killed() -> None:
        async with scene(tmp_path) as at:
            async with at.table() as table:
                at.rail.jams = {3, 4}
                await bet(table, at.rail, 2, 3, 4)
                await table.until(lambda seen: seen["seats"] == {"2": "ON"})
                await table.kill()
            at.rail.jams = {4}
            await asyncio.sleep(after_ms / 1000)
            assert sorted(at.rail.tray) == [2, 3]
            async with at.table() as table:
                told = await table.until(phase("COLLECTING", "TOKEN_STUCK"))
                assert told["seats"] == {"2": "ON", "3": "ON"}
                at.rail.jams = set()
                await table.until(lambda _: at.rail.lamps(ALERT) == {4})
                assert (await table.do("wait 100ms"))["phase"] == "COLLECTING"
                assert at.rail.slots == {4}
                await press(table, "coin_in")
                told = await table.until(phase("PLAYING"))
                assert told["jackpot"] == "10004.20"
            at.settle()

    asyncio.run(killed())


def test_a_table_killed_again_and_again_beside_a_board_that_is_not(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """The counter proves every token: however often it dies, the tray is never counted by hand."""
    random = Random(pytestconfig.getoption("hypothesis_seed"))

    async def killed_while_collecting(at: Scene) -> None:
        async with at.table() as table:
            if table.first["phase"] != "COLLECTING":
                await table.do("press game_over")
                at.rail.put(*random.sample(sorted(EVERYWHERE), 3))
            await table.until(lambda _: at.rail.lamps(ON, ALERT) >= at.rail.slots)
            table.say("press coin_in")
            await asyncio.sleep(random.random() * 0.04)
            await table.kill()

    async def night() -> None:
        async with scene(tmp_path) as at:
            for _ in range(KILLS):
                await killed_while_collecting(at)
            async with at.table() as table:
                if table.first["phase"] != "PLAYING":  # BETTING, if it died before it heard it
                    await table.do("press coin_in")
                await table.until(phase("PLAYING"))
            at.settle()

    asyncio.run(night())

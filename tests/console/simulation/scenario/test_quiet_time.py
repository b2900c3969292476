"""Quiet time is passed over, and everything is as if each message had been sent."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Struct, structs

from console.rules.observation import Observation
from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from devices.device import Device
from jackpot.ledger.journal import Record
from jackpot.ledger.reading import read_records

Meanwhile = Callable[[SimulatedMachine], None]
"""What happens in the middle of a wait: it sets timers of the machine's loop."""

MOST_CALLBACKS = 2_000
"""Of a day in which nothing happens; about 2,900,000 without passing over."""

ROUND = "press GAME_OVER; token 1 3; press COIN_IN; wait 2s"

PLAYED = {
    "a round, and a quiet night after it": f"{ROUND}; wait 11m; press GAME_OVER; wait 7m",
    "a token that does not drop": (
        "press GAME_OVER; token 2; jam 2; press COIN_IN; wait 9m; unjam 2; wait 61s"
    ),
    "devices lost, found, and lost for long": (
        f"{ROUND}; unplug rail; wait 5m; plug rail; wait 17s; unplug shuffler; unplug display;"
        "wait 4m; plug display; wait 333ms; plug shuffler; wait 3m; unplug panel; wait 2m;"
        "plug panel; wait 2m"
    ),
    "power": f"{ROUND}; wait 3m; power off; wait 5m; power on; wait 4m",
    "a full disk": "wait 1m; disk full; press GAME_OVER; wait 3m; disk ok; wait 3m",
    "a shuffle in the wait": (
        "deck load red; wait 5m; press GAME_OVER; deck load blue; wait 100s; packet take 2; wait 3m"
    ),
    "acceptors": f"set rail cctalk; {ROUND}; wait 41s; unplug rail; wait 90s; plug rail; wait 20s",
    "sensors": (
        "set rail sensor; press GAME_OVER; token 1 2; press COIN_IN; wait 4m; cover 1; wait 4m;"
        "uncover 1; wait 61s"
    ),
    "a reading shoe": (
        "set game mini-punto-banco; press GAME_OVER; shoe load; shoe burn 5; wait 6m;"
        "draw 2H 3D; wait 6m"
    ),
    "a counting shoe": (
        "set game black-jack; press GAME_OVER; shoe load; shoe burn 5; wait 6m; draw; wait 90s"
    ),
    "an award that waits": (
        f"{ROUND}; press ROYAL_FLUSH; key JPH; press JPOT; wait 8m; key R; wait 3m"
    ),
    "a fault beside the title": f"{ROUND}; inspector away; key between; wait 3m; key R; wait 97s",
    "a linked table": (
        f"set link house; {ROUND}; wait 9m; link off; wait 3m; link on; wait 5m; elsewhere open;"
        "wait 2m; elsewhere claim royal_flush; wait 6m; elsewhere agree; wait 3m; power off;"
        "wait 1m; power on; wait 5m"
    ),
    "a linked award that is shared": (
        f"set link house; {ROUND}; elsewhere open; press ROYAL_FLUSH; key JPH; press JPOT; wait 2m;"
        "link off; wait 4m; link on; wait 9m"
    ),
    "a tournament's clock": (
        "set game texas-holdem; set form tournament; set level 10m 100/200; set break 5m;"
        "set level 10m 200/400; set level 10m 300/600; set shuffler deck; press GAME_OVER;"
        "declare clock start; deck load red; press HAND; wait 12m; press GAME_OVER; wait 20m"
    ),
    "a cash game": (
        "set game texas-holdem; set players 5; press GAME_OVER; press HAND; wait 7m; press FLOP;"
        "wait 9m"
    ),
}


class Played(Struct, frozen=True):
    """What a scenario leaves."""

    seen: list[Observation]
    """After each act."""
    records: list[Record]
    frames: dict[str, tuple[int, int]]
    """By device: those sent and received, counted over all its links."""


def play(text: str, folder: Path, passes_over: bool, meanwhile: Meanwhile) -> Played:
    scenario = parse_scenario(text.replace(";", "\n"), "test")
    rehearsed = scenario.tie if scenario.plan.link else None
    with machine_in_virtual_time(
        scenario.plan, folder, rehearsed=rehearsed, passes_over=passes_over
    ) as machine:
        table = SimulatedTable(machine)
        table.wait_for_devices()
        meanwhile(machine)
        seen = []
        for statement in scenario.statements:
            assert not isinstance(statement.does, Expectation)
            table.do(statement.does)
            seen.append(table.observe())
        figures = table.service.drivers.figures()
        frames = {each.line: (each.counts.sent, each.counts.received) for each in figures}
        with closing(read_records(machine.disk.folder)) as records:
            return Played(seen, list(records), frames)


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The acceptors' driver draws a number at its start, which is on record."""
    monkeypatch.setattr(secrets, "randbits", lambda _bits: 1)


def nothing(_: SimulatedMachine) -> None: ...


def in_the_middle(machine: SimulatedMachine) -> None:
    """A cable that hangs in the middle of the first wait, and more than one fault at a time."""
    later, cabinet = machine.loop.call_later, machine.cabinet
    later(100.0003, cabinet.unplug, Device.RAIL)
    later(100.9, cabinet.plug, Device.RAIL)
    later(151.5, cabinet.rail.kill_lamp, 3)
    later(180.0, cabinet.unplug, Device.SHUFFLER)
    later(180.0, cabinet.unplug, Device.DISPLAY)
    later(200.0, cabinet.plug, Device.SHUFFLER)
    later(203.7, cabinet.plug, Device.DISPLAY)
    later(300.0, cabinet.rail.reset_every, 40.0)
    later(420.0, cabinet.rail.mend)


def assert_same(text: str, folder: Path, meanwhile: Meanwhile = nothing) -> None:
    both = [
        play(text, folder / str(passes_over), passes_over, meanwhile)
        for passes_over in (False, True)
    ]
    stepped, passed = both
    assert passed.seen == stepped.seen
    assert [structs.asdict(record) for record in passed.records] == [
        structs.asdict(record) for record in stepped.records
    ]
    assert passed.frames == stepped.frames


@pytest.mark.parametrize("name", PLAYED)
def test_a_wait_leaves_what_it_leaves_when_each_message_is_sent(name: str, tmp_path: Path) -> None:
    assert_same(PLAYED[name], tmp_path)


def test_what_happens_in_the_middle_of_a_wait_happens_then(tmp_path: Path) -> None:
    assert_same(f"{ROUND}; wait 10m", tmp_path, in_the_middle)


@pytest.mark.parametrize(
    "settings", ["", "set link house;", "set game texas-holdem; set shuffler deck;"]
)
def test_a_quiet_day_costs_as_many_callbacks_as_a_minute(
    settings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: Counter[str] = Counter()
    run = asyncio.Handle._run

    def count(handle: asyncio.Handle) -> None:
        ran["callbacks"] += 1
        run(handle)

    monkeypatch.setattr(asyncio.Handle, "_run", count)
    played = play(f"{settings}wait 24h", tmp_path, True, nothing)
    assert ran["callbacks"] < MOST_CALLBACKS
    assert played.frames["display"][0] > 17_000

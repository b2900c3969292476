"""Boards that prove themselves, other than the rail with gates: one test for each kind."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import Struct

from console.configuration.table_plan import TablePlan
from console.rules.board_marks import BoardEnrolled, BoardMarks
from console.rules.games import RailKind
from console.rules.poker_settings import PokerSettings
from console.service.board_keys import BoardKeys, read_board_keys
from console.service.composition import KEYS_FILE, assemble
from console.service.drivers import Drivers
from console.simulation.cabinet import SimulatedCabinet, lines_in, panel_in
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from devices.device import Device
from devices.sim.rail import do_nothing
from devices.sim.shoe import SimulatedCountingShoe
from firmware_bridge.board.rail import CcTalkSlots
from firmware_bridge.board.shoe import ShoeBoard
from firmware_bridge.board.shuffler import DeckShufflerBoard
from tests.console.table import Table


def fit_shoe(cabinet: SimulatedCabinet) -> None:
    shoe = cabinet.shoe
    assert isinstance(shoe, SimulatedCountingShoe)
    shoe.fit_board(lambda boot: ShoeBoard(boot, "SHOE-001"), do_nothing)


def fit_deck_shuffler(cabinet: SimulatedCabinet) -> None:
    cabinet.shuffler.fit_board(lambda boot: DeckShufflerBoard(boot, "DECKS-01"), do_nothing)


def fit_slots(cabinet: SimulatedCabinet) -> None:
    cabinet.rail.fit_board(lambda boot: CcTalkSlots(boot, "SLOTS-01"), do_nothing)


class Kind(Struct, frozen=True):
    """A kind of board: its table, and how one without a key that states its serial is fitted."""

    plan: TablePlan
    device: Device
    serial: str
    fit_stranger: Callable[[SimulatedCabinet], None]
    cleared: tuple[str, ...] = ()
    """What the technician clears besides."""


KINDS = {
    "counting shoe": Kind(
        TablePlan(game="black-jack", rail=None), Device.SHOE, "SHOE-001", fit_shoe
    ),
    "deck shuffler": Kind(
        TablePlan(game="texas-holdem", rail=None, poker=PokerSettings(deck_shuffler=True)),
        Device.SHUFFLER,
        "DECKS-01",
        fit_deck_shuffler,
    ),
    "ccTalk slots": Kind(
        TablePlan(rail=RailKind.CCTALK),
        Device.RAIL,
        "SLOTS-01",
        fit_slots,
        ("clear TOKENS_UNKNOWN",),
    ),
}


@contextmanager
def real_table(folder: Path, kind: Kind) -> Iterator[Table]:
    """A table whose board of this kind speaks version 2 only."""

    def drivers(
        loop: asyncio.AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan
    ) -> Drivers:
        keys, panel = BoardKeys(folder / KEYS_FILE, {kind.device: 2}), panel_in(loop, cabinet, plan)
        lines = lines_in(cabinet, plan)
        return assemble(loop, plan, plan.fitted.devices, panel, lines, keys=keys)

    with machine_in_virtual_time(kind.plan, folder, drivers=drivers) as machine:
        machine.simulated = False
        yield Table(kind.plan, machine)


def enrol_all(table: Table, *cleared: str) -> None:
    """The technician enrols every board that answers."""
    table.play("wait 3s", "key S")
    marks = table.state.boards
    assert isinstance(marks, BoardMarks)
    for name, found in marks.found.items():
        table.simulated_table.service.report(BoardEnrolled(Device(name), found, "anna"))
    table.play("wait 2s", *cleared, "key R")


@pytest.mark.parametrize("name", KINDS)
def test_it_is_enrolled_with_a_key_and_a_stranger_with_its_serial_is_not_believed(
    tmp_path: Path, name: str
) -> None:
    kind = KINDS[name]
    with real_table(tmp_path, kind) as table:
        table.play("wait 3s", "expect fault BOARD_CHANGED")
        enrol_all(table, *kind.cleared)
        table.play("expect fault none")
        held = read_board_keys(tmp_path / KEYS_FILE)[kind.device.value]
        assert (held.serial, held.confirmed) == (kind.serial, True)
        assert table.machine.cabinet.state.keys == {kind.device.value: held.key.hex()}

        table.play("power off", "power on", "wait 3s", "expect fault none")  # host and board

        table.play(f"unplug {kind.device.value}", "wait 2s")
        kind.fit_stranger(table.machine.cabinet)
        table.play(f"plug {kind.device.value}", "wait 3s", "expect fault BOARD_CHANGED")
        assert str(table.decisions("board-changed")[-1]["serial"]).startswith(kind.serial)
    assert read_board_keys(tmp_path / KEYS_FILE)[kind.device.value] == held

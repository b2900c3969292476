"""The pin tables: no line twice, and only lines that the Pico has on its header."""

import pytest

from firmware_bridge.board import pins
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.flashing.images import KINDS
from tests.firmware_bridge.board.pico_lines import list_lines

PICO_LINES = {*range(23), 26, 27, 28}
"""On the header of a Raspberry Pi Pico."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_is_on_the_header_and_used_once(kind: BoardKind) -> None:
    lines = [line for line, _ in list_lines(kind)]
    assert len(lines) == len(set(lines))
    assert set(lines) <= PICO_LINES


def test_a_slot_rail_uses_every_line_of_the_pico() -> None:
    assert [line for line, _ in list_lines(pins.SLOT_RAIL)] == sorted(PICO_LINES)


def test_a_rail_without_gates_has_the_same_lines_less_gates_and_drops() -> None:
    slot_rail = list_lines(pins.SLOT_RAIL)
    for kind in (pins.SENSOR_RAIL, pins.CCTALK_SLOTS):
        rest = set(slot_rail) - set(list_lines(kind))
        assert {name.split()[0] for _, name in rest} == {"gate", "drop"}


def test_the_kinds_are_those_of_the_wire_protocol() -> None:
    assert (pins.SLOT_RAIL, pins.SENSOR_RAIL, pins.CCTALK_SLOTS) == KINDS

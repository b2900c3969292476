"""The schematic in the documents is the one of today's pin table, and every line is on it."""

import re

import pytest

from firmware_bridge.board import pins
from tests.firmware_bridge.board.schematic import PICTURES, draw_pictures


@pytest.mark.parametrize("name", sorted(draw_pictures()))
def test_the_picture_is_up_to_date(name: str) -> None:
    assert (PICTURES / name).read_text("utf-8") == draw_pictures()[name], "run make docs"


def test_every_line_is_drawn() -> None:
    drawn = re.findall(r">GP(\d+)<", draw_pictures()["board-lines.svg"])
    assert sorted(map(int, drawn)) == [line for line, _ in pins.list_lines(pins.SLOT_RAIL)]

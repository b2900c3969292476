"""`display`: a text, or every pattern in turn, stands on the display."""

from pathlib import Path

import pytest

from devices.device import Device
from tests.console.technician.commands.visit import visit


def test_a_text_stands_on_the_display(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("display BUONA SERA|A TUTTI")
        seen.waits(1)
        assert [line.rstrip() for line in seen.cabinet.display_lines()] == ["BUONA SERA", "A TUTTI"]


def test_without_a_text_every_pattern_comes_in_turn(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        told, shown = seen.says("display"), []
        while not seen.at_the_prompt:
            seen.waits(1)
            lines = seen.cabinet.display_lines()
            assert all(f"[{line}]" in told for line in lines)
            shown.append(lines)
            told = seen.types(" ")
        assert shown[0] == ("8" * 20, "8" * 20)
        letters = "".join(shown[1])
        assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,+") <= set(letters)
        assert shown[2][0] != shown[2][1]
        assert "outputs released" in told


@pytest.mark.parametrize("text", ["A" * 41, "BUONA SERA A TUTTI QUANTI|X"])
def test_a_text_too_long_is_misused(tmp_path: Path, text: str) -> None:
    with visit(tmp_path) as seen:
        assert "two lines of 20 ASCII characters" in seen.says(f"display {text}")
        assert not seen.driven()


def test_a_display_that_is_not_there_is_told(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.unplug(Device.DISPLAY)
        seen.waits(2)
        assert "the display is not connected: check its plug and cable" in seen.says(
            "display HELLO"
        )

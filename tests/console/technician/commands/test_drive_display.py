"""`display`: a text, or every pattern in turn, stands on the display."""

from pathlib import Path

import pytest

from devices.device import Device
from tests.console.technician.commands.technician_bench import open_bench


def test_a_text_stands_on_the_display(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("display BUONA SERA|A TUTTI")
        bench.wait(1)
        assert [line.rstrip() for line in bench.cabinet.display.lines()] == [
            "BUONA SERA",
            "A TUTTI",
        ]


def test_without_a_text_every_pattern_comes_in_turn(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        printed, shown = bench.type_command("display"), []
        while not bench.at_the_prompt:
            bench.wait(1)
            lines = bench.cabinet.display.lines()
            assert all(f"[{line}]" in printed for line in lines)
            shown.append(lines)
            printed = bench.type(" ")
        assert shown[0] == ("8" * 20, "8" * 20)
        letters = "".join(shown[1])
        assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,+") <= set(letters)
        assert shown[2][0] != shown[2][1]
        assert "outputs released" in printed


@pytest.mark.parametrize("text", ["A" * 41, "BUONA SERA A TUTTI QUANTI|X"])
def test_a_text_too_long_is_misused(tmp_path: Path, text: str) -> None:
    with open_bench(tmp_path) as bench:
        assert "two lines of 20 ASCII characters" in bench.type_command(f"display {text}")
        assert not bench.is_driven()


def test_a_display_that_is_not_there_is_told(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.unplug(Device.DISPLAY)
        bench.wait(2)
        assert "the display is not connected: check its plug and cable" in bench.type_command(
            "display HELLO"
        )

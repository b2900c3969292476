"""[doors]: which lines may be the contacts', and that a table without them keeps its hash."""

from pathlib import Path

import pytest

from console.configuration.file import load_configuration
from console.configuration.keys import fingerprint, keys_of
from console.configuration.named_files import FileUnusable
from console.configuration.sections import Configuration
from devices.panel_wiring import DoorWiring
from tests.console.running_table import configuration


def load_doors(folder: Path, *lines: str, panel: str = "") -> Configuration:
    file = configuration(folder / "table.toml")
    text = file.read_text("utf-8").replace("[panel]", f"[panel]\n{panel}")
    file.write_text("\n".join([text, "[doors]", *lines]) if lines else text, "utf-8")
    return load_configuration(file)


def test_the_doors_have_the_lines_that_are_named(tmp_path: Path) -> None:
    lines = ("cabinet = 14", "logic = 15", "latch = 26")
    doors = load_doors(tmp_path, *lines).plan().doors
    assert doors == DoorWiring(14, 15, 26)
    assert load_doors(tmp_path, *lines[:2]).plan().doors == DoorWiring(14, 15)


@pytest.mark.parametrize(
    ("lines", "mistake"),
    [
        (("cabinet = 14",), "doors: .*logic"),
        (("cabinet = 14", "logic = 14"), "doors.logic: GPIO 14 has the door cabinet already"),
        (("cabinet = 4", "logic = 15"), "doors.cabinet: GPIO 4 has the COIN IN already"),
        (("cabinet = 14", "logic = 28"), "doors.logic: 28; it must be 0 to 27"),
        (("cabinet = 14", "logic = 15", "latch = 26"), "doors.latch: GPIO 26 has the inspector"),
    ],
)
def test_a_line_has_one_part(lines: tuple[str, ...], mistake: str, tmp_path: Path) -> None:
    with pytest.raises(FileUnusable, match=mistake):
        load_doors(tmp_path, *lines, panel="inspector = true")


def test_a_table_without_doors_keeps_its_keys_and_its_hash(tmp_path: Path) -> None:
    without = load_doors(tmp_path)
    assert not [key for key in keys_of(without) if key.startswith("doors")]
    fitted = load_doors(tmp_path, "cabinet = 14", "logic = 15")
    assert fingerprint(fitted) != fingerprint(without)

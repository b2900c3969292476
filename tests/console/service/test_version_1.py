"""A table that is asked to speak version 1 of the wire protocol says so, wherever one looks."""

from pathlib import Path

import pytest

from tests.console.technician.terminal.programs import PortUser, running_table, serving_pty

TABLE = """\
kind = "simulation"
table = "table-1"
game = "tre-card-stud"

[ledger]
folder = "{folder}/banco/simulation"

[panel]
driver = "simulated"

[rail]
driver = "simulated"
kind = "slot"
{asked}
[display]
driver = "simulated"
"""
WARNED = "rail.protocol: version 1 is asked for: whoever reaches the line can be the board"


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a simulation keeps its files, by a short name: its line's socket is there."""
    return tmp_path_factory.mktemp("one")


@pytest.mark.parametrize(("asked", "warned"), [("protocol = 1\n", True), ("", False)])
def test_each_start_and_the_line_say_so(folder: Path, asked: str, warned: bool) -> None:
    file = folder / "banco/simulation/table.toml"
    file.parent.mkdir(parents=True)
    file.write_text(TABLE.format(folder=folder, asked=asked), "utf-8")
    with running_table(folder) as table, serving_pty(folder) as (path, _):
        with PortUser.of(path) as technician:
            technician.until("Enter")
            technician.type("\r")
            technician.wait_for_prompt("SIMULATION")
            technician.type("status\r")
            shown = technician.wait_for_prompt("phase")
        assert ("BOARD_WITHOUT_KEY rail" in shown) == warned, shown
        assert (WARNED in table.complaints.read_text("utf-8")) == warned

"""What comes and goes at a table is told to the log, in the catalogue's words."""

from pathlib import Path

import pytest

from console.rules.codes import Fault
from console.texts.catalogue.brief import FAULTS
from tests.console.line.handled_table import open_handled_table

FAULTS_LOG = "console.line.fault_history"


def test_a_fault_is_logged_as_it_comes_with_its_meaning_and_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger=FAULTS_LOG)
    with open_handled_table(tmp_path) as rig:
        caplog.clear()
        rig.table.play("unplug rail", "wait 2s", "plug rail", "wait 5s")
    raised, cleared = (
        record.getMessage() for record in caplog.records if record.name == FAULTS_LOG
    )
    assert raised.startswith(f"RAIL_LOST is raised: {FAULTS[Fault.RAIL_LOST].means.en} (")
    assert cleared == "RAIL_LOST is cleared"

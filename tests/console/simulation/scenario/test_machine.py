"""A simulated machine: one that cannot start leaves nothing open, and who acts has a name."""

import gc
import os
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.simulation.scenario.simulated_machine import machine_in_real_time
from tests.console.table import table_in


def test_a_machine_whose_cabinet_is_not_readable_closes_its_loop(tmp_path: Path) -> None:
    """Python would end with a traceback; an open loop is a warning, and so an error here."""
    os.mkfifo(tmp_path / "cabinet.json")
    machine = machine_in_real_time(TablePlan(), tmp_path, memory=tmp_path / "cabinet.json")
    with pytest.raises(OSError, match="it is a pipe or a device"), machine:
        pass
    gc.collect()


@pytest.mark.parametrize(("language", "who"), [("it", "capotavolo"), ("en", "floor manager")])
def test_who_acts_is_named_by_the_duty_in_the_tables_language(
    language: str, who: str, tmp_path: Path
) -> None:
    with table_in(tmp_path, f"language {language}") as table:
        table.play("declare tray 0")
        assert table.records[-1].body["act"] == {"tokens": 0, "who": who}

"""A simulated machine that cannot start leaves nothing open."""

import gc
import os
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.simulation.scenario.simulated_machine import machine_in_real_time
from devices.sim.memory import MemoryUnreadable


def test_a_machine_whose_cabinet_is_not_readable_closes_its_loop(tmp_path: Path) -> None:
    """Python would end with a traceback; an open loop is a warning, and so an error here."""
    os.mkfifo(tmp_path / "cabinet.json")
    machine = machine_in_real_time(TablePlan(), tmp_path, memory=tmp_path / "cabinet.json")
    with pytest.raises(MemoryUnreadable), machine:
        pass
    gc.collect()

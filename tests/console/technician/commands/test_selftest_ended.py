"""`selftest` broken off: whatever ends it, the outputs are let go."""

from collections.abc import Callable
from pathlib import Path

import pytest

from devices.roles import KeyPosition
from tests.console.technician.commands.selftest_records import (
    failures,
    last_record,
    on_record,
    results,
    untested,
)
from tests.console.technician.commands.visit import Visit, visit


def by_ctrl_c(seen: Visit) -> None:
    assert "interrupted" in seen.types("\x03")


def by_the_cable_pulled(seen: Visit) -> None:
    seen.typist.leaves()


def by_a_power_cut(seen: Visit) -> None:
    rig = seen.rig.table
    rig.simulated_table.do(rig.understood("power off"))
    assert "NO_POWER" in seen.waits(1)
    rig.simulated_table.do(rig.understood("power on"))
    seen.waits(1)


@pytest.mark.parametrize("end", [by_ctrl_c, by_the_cable_pulled, by_a_power_cut])
def test_a_test_that_is_broken_off_leaves_nothing_lit_and_no_report(
    tmp_path: Path, end: Callable[[Visit], None]
) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest lamps")
        seen.waits(1)
        seen.types("y")
        seen.waits(1)
        assert seen.driven()
        end(seen)
        assert not seen.driven()
        assert not any(lamp.value != "DARK" for lamp in seen.cabinet.slot_lamps().values())
        assert last_record(seen) is None


def test_when_the_key_leaves_s_what_is_left_is_not_tested(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest lamps")
        seen.waits(1)
        seen.types("y")
        seen.waits(1)
        seen.cabinet.turn_key(KeyPosition.R)
        told = seen.waits(3)
        assert "NOT_IN_SERVICE" in told
        assert "Now: key at R, table PAUSED." in told
        assert results(seen)["slot lamp 1"] == (True, "LIT")
        assert {found for _, found in untested(seen).items()} == {"NOT_DRIVEN"}
        assert failures(seen) == {}


def test_when_the_ten_minutes_are_over_name_and_pin_are_asked_again(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.waits(595)
        seen.says("selftest slot lamp 4")
        assert "Name:" in seen.waits(10)
        seen.types("rossi\r")
        seen.types("271828\r")
        seen.waits(1)
        assert "on record" in seen.heard
        assert on_record(seen).who == "rossi"
        assert untested(seen) == {"slot lamp 4": "NOT_DRIVEN"}

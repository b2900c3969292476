"""A rail's board that says that a drop sensor is covered for too long, or has no wire."""

from pathlib import Path

from console.rules.codes import Fault, Phase
from tests.console.table import table_in


def test_a_covered_drop_sensor_is_a_fault_until_it_is_free_and_the_table_plays_on(
    tmp_path: Path,
) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER")
        table.machine.cabinet.rail.set_notices(1)
        table.play("wait 1s")
        assert list(table.state.faults) == [Fault.DROP_SENSOR]
        assert table.state.takes_bets
        table.machine.cabinet.rail.set_notices()
        table.play("wait 1s")
        assert not table.state.faults
        assert table.state.phase is Phase.BETTING

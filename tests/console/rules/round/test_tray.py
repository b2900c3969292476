"""How long a token may be between its drop sensor and the tray's mouth.

docs/reference/wire-protocol.md.
"""

from pathlib import Path

import pytest

from console.rules.round.tokens import TRAY_MS
from tests.console.table import OPEN, table_in
from tests.firmware_bridge.reference.rail_firmware import TRAY_WITHIN_MS

PLAYED = (*OPEN, "token 1 2 3 4 5 6 7", "press COIN_IN", "wait 3s")


@pytest.mark.parametrize("chute_ms", [TRAY_WITHIN_MS, TRAY_WITHIN_MS // 2])
def test_a_tray_that_counts_in_its_time_agrees(chute_ms: int, tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.machine.cabinet.rail.slow_chute(chute_ms / 1000)
        table.play(*PLAYED, "expect fault none", "press GAME_OVER", *PLAYED[1:])
        table.play("expect fault none", "expect seats 1 2 3 4 5 6 7")


def test_a_tray_that_counts_later_differs(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.machine.cabinet.rail.slow_chute((TRAY_MS + 100) / 1000)
        table.play(*PLAYED, "expect fault TRAY_COUNT", "expect seats 1 2 3 4 5 6 7")


def test_the_page_leaves_the_host_time_for_a_late_state() -> None:
    assert TRAY_WITHIN_MS < TRAY_MS

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


def test_tokens_that_drop_one_after_another_have_a_time_each(tmp_path: Path) -> None:
    """The counts differ for longer than one token takes, and no token is missing"""
    with table_in(tmp_path) as table:
        table.machine.cabinet.rail.slow_chute(TRAY_WITHIN_MS / 1000)
        table.play(*OPEN, "token 1 2 3", "jam 2", "jam 3", "press COIN_IN")
        table.play("wait 400ms", "unjam 2", "wait 400ms", "unjam 3", "wait 3s")
        table.play("expect fault none", "expect seats 1 2 3")


def test_the_page_leaves_the_host_time_for_a_late_state() -> None:
    assert TRAY_WITHIN_MS < TRAY_MS

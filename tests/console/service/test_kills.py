"""SIGKILL at any instant: the table comes back as it was, or as the act in progress left it.

docs/reference/rules.md, section 7. Here 6 kills of one of two games; 2,000: `make soak`
(docs/dev/soak.md).
"""

import asyncio
from pathlib import Path

import pytest

from tests.soak.night import SETTINGS, Setting
from tests.soak.soaking import Order, one_night

KILLS = 6
NIGHTS = 5
"""People may stake nothing between six kills: then another night is played."""


@pytest.mark.sampled
@pytest.mark.parametrize("setting", SETTINGS[:2], ids=lambda setting: setting.game)
def test_a_killed_table_comes_back_as_it_was(
    setting: Setting, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("hypothesis_seed")
    for night_number in range(NIGHTS):
        number = SETTINGS.index(setting) + night_number * len(SETTINGS)
        order = Order(seed, number, KILLS)
        if asyncio.run(one_night(order, tmp_path / f"night-{number}")).stakes:
            return
    pytest.fail("nobody has ever staked")

"""Nights of random hands at whole simulated tables whose power fails.

docs/reference/poker-rules.md 20.

Here 30 hands of one cash table and one tournament; 2,000: `make hands` (docs/dev/soak.md).
"""

from pathlib import Path

import pytest

from console.rules.poker_settings import Form, PokerSettings
from tests.soak.poker_night import TABLES, play_night

HANDS = 30
CASH = [table for table in TABLES if table.form is Form.CASH]
TOURNAMENTS = [table for table in TABLES if table.form is Form.TOURNAMENT]

NIGHTS = 5
"""At most so many: the cuts of one night may all fall where the clock stands."""


@pytest.mark.sampled
@pytest.mark.parametrize("table", CASH, ids=lambda table: table.house.value)
def test_every_rake_is_on_record_once(
    table: PokerSettings, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """POKER 18.22, 20.15"""
    night = play_night(table, HANDS, pytestconfig.getoption("hypothesis_seed"), tmp_path)
    assert min(night["cuts"], night["rake-taken"]) > 0


@pytest.mark.sampled
@pytest.mark.parametrize("table", TOURNAMENTS, ids=lambda table: table.house.value)
def test_the_clock_stands_and_is_not_ahead(
    table: PokerSettings, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """POKER 20.15"""
    first = pytestconfig.getoption("hypothesis_seed")
    nights = (
        play_night(table, HANDS, seed, tmp_path / str(seed))
        for seed in range(first, first + NIGHTS)
    )
    assert any(min(night["cuts"], night["running clocks cut"]) > 0 for night in nights)

"""SIGKILL at any instant of a poker table's service (docs/reference/poker-rules.md, section 20).

Here 4 kills; 100: `make hands` (docs/dev/soak.md).
"""

import asyncio
from pathlib import Path

import pytest

from tests.soak.poker_kills import FORMS, kill_table

KILLS = 4


@pytest.mark.sampled
@pytest.mark.parametrize("form", FORMS)
def test_a_killed_table_comes_back_as_it_was(
    form: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("hypothesis_seed")
    table = asyncio.run(kill_table(form, KILLS, seed, tmp_path))
    assert table["lines compared"], "nobody has ever acted"

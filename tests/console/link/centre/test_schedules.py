"""Random schedules over PostgreSQL, as over the model (docs/link-rules.md, 9.3 and 9.4)."""

import pytest

from tests.console.link.centres import MakeCentre
from tests.console.link.schedules import play_schedule

SCHEDULES = 3


@pytest.mark.parametrize("number", range(SCHEDULES))
def test_the_invariants_hold_after_every_call(
    make_postgres: MakeCentre, pytestconfig: pytest.Config, number: int
) -> None:
    seed: int = pytestconfig.getoption("hypothesis_seed")
    play_schedule(make_postgres, seed + number)

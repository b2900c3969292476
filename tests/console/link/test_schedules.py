"""Random schedules over the centres (docs/link-rules.md, 9.3 and 9.4)."""

import pytest

from tests.console.link.centres import MakeCentre, make_model
from tests.console.link.schedules import play_schedule


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_the_invariants_hold_after_every_call(first: int) -> None:
    for seed in range(first, first + 20):
        play_schedule(make_model, seed)


@pytest.mark.parametrize("seed", range(8))
def test_the_invariants_hold_on_postgresql(make_postgres: MakeCentre, seed: int) -> None:
    play_schedule(make_postgres, seed)

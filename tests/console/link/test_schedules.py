"""Random schedules over the centres (docs/reference/link-rules.md, 9.3 and 9.4)."""

import pytest

from tests.console.link.broken_centres import BREAKS
from tests.console.link.centres import MakeCentre, make_model
from tests.console.link.schedules import ScheduleFailed, play_schedule, play_schedules


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_the_invariants_hold_after_every_call(first: int) -> None:
    play_schedules(make_model, range(first, first + 20))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(8))
def test_the_invariants_hold_on_postgresql(make_postgres: MakeCentre, seed: int) -> None:
    play_schedule(make_postgres, seed)


@pytest.mark.parametrize("rule", BREAKS)
def test_a_rule_broken_on_purpose_is_found(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    BREAKS[rule](monkeypatch)
    with pytest.raises(ScheduleFailed, match="seed"):
        play_schedules(make_model, range(1000))

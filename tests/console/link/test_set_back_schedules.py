"""Random schedules in which the centre is set back (docs/reference/link-rules.md, 3.13 and 9.3)."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.console.link.centres import MakeCentre, make_model
from tests.console.link.model import recovery
from tests.console.link.schedules import ScheduleFailed
from tests.console.link.set_back_schedules import play_set_back

LEFT_OUT = ("_recall_movement", "_recall_change", "_hold_rounds_again", "_set_recalled_award")


def do_nothing(*_: object) -> None:
    """Leave it out."""


@pytest.mark.parametrize("first", range(0, 40, 20))
def test_the_invariants_hold_after_the_centre_was_set_back(first: int) -> None:
    """LINK 3.13.2"""
    play_set_back(make_model, range(first, first + 20))


@pytest.mark.parametrize("seed", range(3))
def test_they_hold_on_postgresql(make_postgres: MakeCentre, seed: int) -> None:
    play_set_back(make_postgres, [seed])


@pytest.mark.parametrize("what", LEFT_OUT)
def test_what_is_left_out_is_found(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out: Callable[..., Any] = do_nothing
    monkeypatch.setattr(recovery, what, leave_out)
    with pytest.raises(ScheduleFailed, match="seed"):
        play_set_back(make_model, range(80))

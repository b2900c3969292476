"""The draft has the fields of a state, and gives back the very objects that it does not change."""

from typing import get_type_hints

from msgspec.structs import astuple

from console.rules.acts import Elapsed
from console.rules.game_modules import advance
from console.rules.round.draft import STATE, Draft
from console.rules.settings import Settings
from console.rules.state import TableState, rules_of
from jackpot.money.settings import MoneySettings

RULES = rules_of(Settings("Tavolo 1", "caribbean-stud", None, MoneySettings()), None)


def test_the_draft_has_the_fields_of_a_state_in_their_order() -> None:
    drafted = Draft.__struct_fields__[STATE]
    types = get_type_hints(Draft)
    assert {name: types[name] for name in drafted} == get_type_hints(TableState)
    assert drafted == TableState.__struct_fields__


def test_unchanged_fields_stay_the_same_objects() -> None:
    state = TableState(round=70_000, tray_mark=80_000)
    after = advance(state, Elapsed(), RULES, 0).state
    assert all(new is old for new, old in zip(astuple(after), astuple(state), strict=True))

"""Random schedules over PostgreSQL, as over the model.

docs/reference/link-rules.md, 9.3 and 9.4.
"""

from collections.abc import Callable

import pytest

from console.link.centre.books import find_book_differences
from console.rules.link import Terms, Tie
from jackpot.money.amounts import Cents
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import MakeCentre
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.schedules import play_schedule
from tests.console.link.set_back_schedules import play_set_back

SCHEDULES = 3

Centres = list[PostgresCentre]


@pytest.fixture
def centres() -> Centres:
    """The centres that were made."""
    return []


@pytest.fixture
def make_kept(make_empty_centre: Callable[[], PostgresCentre], centres: Centres) -> MakeCentre:
    """Makes centres, and keeps them."""

    def make(
        *,
        terms: Terms = TERMS,
        opening: Cents = MONEY.opening,
        base: Cents = MONEY.base,
        tie: Tie = Tie.SPLIT,
    ) -> PostgresCentre:
        centres.append(make_empty_centre().begin(terms, opening, base, tie))
        return centres[-1]

    return make


@pytest.mark.parametrize("number", range(SCHEDULES))
def test_the_invariants_hold_after_every_call_and_the_audit_finds_nothing(
    make_kept: MakeCentre, centres: Centres, pytestconfig: pytest.Config, number: int
) -> None:
    seed: int = pytestconfig.getoption("hypothesis_seed")
    play_schedule(make_kept, seed + number)
    assert [list(find_book_differences(centre.superuser)) for centre in centres] == [[]]


def test_the_audit_finds_nothing_at_a_centre_that_was_set_back_and_recovered(
    make_kept: MakeCentre, centres: Centres, pytestconfig: pytest.Config
) -> None:
    seed: int = pytestconfig.getoption("hypothesis_seed")
    play_set_back(make_kept, [seed])
    assert [list(find_book_differences(centre.superuser)) for centre in centres] == [[]]

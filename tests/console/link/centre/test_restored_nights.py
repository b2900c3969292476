"""Random nights of a centre that is set back while tables die or lie.

docs/reference/link-rules.md, 3.13.
"""

from collections.abc import Callable

import pytest

from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.restored_nights import play_restored

NIGHTS = 5


@pytest.mark.parametrize("number", range(NIGHTS))
def test_no_money_is_lost_or_paid_twice(
    make_empty_centre: Callable[[], PostgresCentre], pytestconfig: pytest.Config, number: int
) -> None:
    """LINK 2.4.3, 3.12.2, 3.13.4"""
    seed: int = pytestconfig.getoption("hypothesis_seed")
    play_restored(make_empty_centre(), seed + number)

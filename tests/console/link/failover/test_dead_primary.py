"""A primary that dies in the middle of calls; the other nights are `make failover`'s."""

from random import Random

import pytest

from tests.console.link.failover.dead_primary import kill_primary

MEMBERS = 3
TOKENS = 12


def test_what_was_answered_is_at_the_promoted_standby_and_the_members_go_on_there(
    pytestconfig: pytest.Config,
) -> None:
    """LINK 1.5.2, 5.1.1, 5.3.1"""
    seed = pytestconfig.getoption("hypothesis_seed")
    print(f"seed {seed}")
    figures = kill_primary(MEMBERS, TOKENS, Random(seed))
    assert figures["answered before"] >= MEMBERS * (2 + TOKENS // 4)

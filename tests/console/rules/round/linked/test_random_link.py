"""Three tables on one jackpot, whatever happens: their ledgers are what the centre says.

The seed is the run's own (`--hypothesis-seed`), named in the header of every run.
"""

from random import Random

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.games import GAMES, RailKind
from console.rules.link import Tie
from console.rules.link_orders import terms_of
from console.simulation.centre.centre import Centre
from devices.roles import RAIL_TRAITS
from jackpot.money.accounts import Balances
from tests.console.link.model.books import find_differences
from tests.console.rules.round.linked.lossy_link import LossyTable

ACTS = 8_000
MOST_ACTS = 10 * ACTS
"""A night goes on past ACTS until all of MUST_BE_MET was met, and no longer than this."""
MUST_BE_MET = {
    "award-asked",
    "award-pending",
    "award-final",
    "award-cancelled",
    "cancel-asked",
    "opening-asked",
    "token-accepted",
}
"""Decisions that a run without them would not try."""


def make_tables(random: Random, game: str, tie: Tie) -> tuple[Centre, list[LossyTable]]:
    rail = GAMES[game].rail
    assert rail is not None
    tables = []
    centre: Centre | None = None
    for name in ("one", "two", "three"):
        plan = TablePlan(name, game, rail=RailKind(rail.value), link="house")
        rules = plan.rules(RAIL_TRAITS[rail.value])
        centre = centre or Centre(terms_of(rules), plan.money.opening, plan.money.base, tie)
        tables.append(LossyTable(random, centre, plan.settings(), rules))
    assert centre is not None
    return centre, tables


def balances_at(centre: Centre, name: str) -> Balances:
    """What the centre says that this table's ledger holds."""
    row = centre.books.members[name]
    balances = row.balances
    for change in row.changes:
        if change.transaction is not None:
            balances = balances.after(change.transaction)
    return balances


@pytest.mark.sampled
@pytest.mark.parametrize("tie", Tie)
@pytest.mark.parametrize("game", ["caribbean-stud", "tre-card-stud"])
def test_whatever_happens_the_ledgers_are_what_the_centre_says(
    game: str, tie: Tie, thorough: bool, pytestconfig: pytest.Config
) -> None:
    """LINK 2.1, 3.3.5: nothing is booked twice, nothing is missing at the end"""
    random = Random(pytestconfig.getoption("hypothesis_seed"))
    centre, tables = make_tables(random, game, tie)
    decided: set[str] = set()
    acts = 0
    while acts < (MOST_ACTS if thorough else ACTS) or (acts < MOST_ACTS and decided < MUST_BE_MET):
        acts += 1
        table = random.choice(tables)
        table.go_on()
        decided.update(table.decided & MUST_BE_MET)
        assert find_differences(centre.books) == []
    for table in tables:
        table.come_back()
    for table in tables:  # what the others' last calls changed
        table.come_back()
        assert table.link_state.answered == centre.books.members[table.rules.table].n
        assert table.link_state.settled == ()
        assert table.state.balances == balances_at(centre, table.rules.table)
    assert decided == MUST_BE_MET

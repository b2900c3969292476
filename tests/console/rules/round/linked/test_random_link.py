"""Three tables on one jackpot, whatever happens: their ledgers are what the centre says.

The seed is the run's own (`--hypothesis-seed`), named in the header of every run.
"""

from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec import UNSET, UnsetType

from console.configuration.table_plan import TablePlan
from console.rules.centre_orders import terms_of
from console.rules.games import GAMES, RailKind
from console.rules.link import Tie
from console.simulation.centre.books import sum_balances
from console.simulation.centre.centre import Centre
from devices.roles import RAIL_TRAITS
from jackpot.money.accounts import Balances
from jackpot.money.prize_file import parse_prizes
from jackpot.money.prizes import PrizeTable
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


OF_THE_HOUSE = """
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
from = "house"
envy = "25.00"
key = "JPH"
[[prize]]
combination = "STRAIGHT_FLUSH"
amount = "500.00"
from = "house"
envy = "5.00"
key = "JPH"
[[prize]]
combination = "FOUR_OF_A_KIND"
amount = "100.00"
key = "JPL"
[[prize]]
combination = "FULL_HOUSE"
amount = "50.00"
from = "house"
key = "JPL"
[[prize]]
combination = "FLUSH"
share = "2"
from = "house"
envy = "1.00"
key = "JPL"
"""
"""Shares and amounts, from jackpot and house, with envy from the house."""


def make_tables(
    random: Random, game: str, tie: Tie, prizes: PrizeTable | UnsetType
) -> tuple[Centre, list[LossyTable]]:
    rail = GAMES[game].rail
    assert rail is not None
    tables = []
    centre: Centre | None = None
    for name in ("one", "two", "three"):
        plan = TablePlan(name, game, rail=RailKind(rail.value), link="house", prizes=prizes)
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
    play_night(random, make_tables(random, game, tie, UNSET), thorough)


@pytest.mark.sampled
@pytest.mark.parametrize("tie", Tie)
def test_what_the_house_pays_is_the_ledgers_own_and_ends_with_its_award(
    tie: Tie, thorough: bool, pytestconfig: pytest.Config
) -> None:
    """PRIZES 2.16, 2.17: whatever happens, the rest is what the centre says"""
    random = Random(pytestconfig.getoption("hypothesis_seed"))
    prizes = parse_prizes(OF_THE_HOUSE, "prizes.toml")
    tables = play_night(random, make_tables(random, "caribbean-stud", tie, prizes), thorough, pays)
    assert pays(tables)


def pays(tables: Sequence[LossyTable]) -> bool:
    """Whether the house has paid something at one of them."""
    return any(table.own.paid for table in tables)


def play_night(
    random: Random,
    house: tuple[Centre, list[LossyTable]],
    thorough: bool,
    shows: Callable[[Sequence[LossyTable]], bool] = bool,
) -> list[LossyTable]:
    """Anything happens, until the tables show what the night is for; at the end the ledgers and
    the centre hold the same."""
    centre, tables = house
    decided: set[str] = set()
    acts = 0
    while acts < (MOST_ACTS if thorough else ACTS) or (
        acts < MOST_ACTS and (decided < MUST_BE_MET or not shows(tables))
    ):
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
        of_centre = balances_at(centre, table.rules.table)
        assert table.state.balances == sum_balances([of_centre, table.own])
    assert decided == MUST_BE_MET
    return tables

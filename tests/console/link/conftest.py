"""For each test an empty database of the worker's PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from psycopg import Connection

from console.rules.link import Terms, Tie
from jackpot.money.amounts import Cents
from tests.console.conftest import TEMPLATE
from tests.console.link.centre.database_pool import DatabasePool
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import MakeCentre, make_model
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.servers import Server


@pytest.fixture(scope="session")
def databases(server: Server) -> Iterator[DatabasePool]:
    """Databases with the schema, made when they are needed and emptied to be used again."""
    with closing(DatabasePool(server, TEMPLATE)) as pool:
        yield pool


@pytest.fixture
def make_empty_centre(databases: DatabasePool) -> Iterator[Callable[[], PostgresCentre]]:
    """Makes centres without a jackpot."""
    with ExitStack() as stack:

        def make() -> PostgresCentre:
            return PostgresCentre(stack.enter_context(databases.lend()))

        yield make


@pytest.fixture(name="make_model")
def use_model() -> MakeCentre:
    """Makes models of the centre."""
    return make_model


@pytest.fixture
def make_postgres(make_empty_centre: Callable[[], PostgresCentre]) -> MakeCentre:
    """Makes centres on PostgreSQL."""

    def make(
        *,
        terms: Terms = TERMS,
        opening: Cents = MONEY.opening,
        base: Cents = MONEY.base,
        tie: Tie = Tie.SPLIT,
    ) -> PostgresCentre:
        return make_empty_centre().begin(terms, opening, base, tie)

    return make


@pytest.fixture
def postgres(make_empty_centre: Callable[[], PostgresCentre]) -> PostgresCentre:
    """A centre on PostgreSQL: 10,000.00 in the jackpot, base 5,000.00, a tie is split."""
    return make_empty_centre().begin()


@pytest.fixture(scope="module")
def module_postgres(databases: DatabasePool) -> Iterator[PostgresCentre]:
    """The same for all tests of a module; each rolls back what it does."""
    with databases.lend() as database:
        yield PostgresCentre(database).begin()


@pytest.fixture
def olga(postgres: PostgresCentre) -> Connection:
    """An operator."""
    postgres.make_role("olga", "link_operator")
    return postgres.connect("olga")


@pytest.fixture
def piero(postgres: PostgresCentre) -> Connection:
    """Another operator."""
    postgres.make_role("piero", "link_operator")
    return postgres.connect("piero")

"""One PostgreSQL for all tests of a worker; for each test an empty database."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from console.link.centre.install import install_schema, load_migrations
from console.rules.link import Terms, Tie
from jackpot.amounts import Cents
from tests.console.link.centre.database_pool import DatabasePool
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import MakeCentre, make_model
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.servers import QUICK, Server, run_server
from tests.open_folder import make_open_folder

TEMPLATE = "centre_template"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A cluster with the centre's schema in a template. Its folder is one that all may enter."""
    with make_open_folder() as folder, run_server(folder / "cluster", *QUICK) as server:
        server.make_database(TEMPLATE)
        with server.connect(database=TEMPLATE) as connection:
            install_schema(connection, load_migrations())
        yield server


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

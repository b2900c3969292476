"""A database with the witness's schema beside a linked jackpot's, and tables with their keys."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from console.database.install import install_schema
from console.witness.administration import load_witness_schema
from tests.console.conftest import TEMPLATE
from tests.console.link.servers import Server
from tests.console.witness.witness_house import SignedTable, WitnessHouse

NAME, OWN = "house", "own_house"
TEMPLATE_OF_BOTH = "witness_template"
NUMBERS = count(1)


@pytest.fixture(scope="session")
def template(server: Server) -> str:
    """A database with both schemas, which nobody is connected to."""
    server.make_database(TEMPLATE_OF_BOTH, TEMPLATE)
    with server.connect(database=TEMPLATE_OF_BOTH) as superuser:
        install_schema(superuser, load_witness_schema())
    return TEMPLATE_OF_BOTH


@pytest.fixture(scope="session")
def house(server: Server, template: str) -> Iterator[WitnessHouse]:
    """The house's database; each test has tables of its own in it."""
    server.make_database(NAME, template)
    with server.connect(database=NAME) as superuser:
        yield WitnessHouse(server, NAME, superuser)


@pytest.fixture
def own_house(server: Server, template: str) -> Iterator[WitnessHouse]:
    """A database that the test has for itself."""
    server.make_database(OWN, template)
    with server.connect(database=OWN) as superuser:
        yield WitnessHouse(server, OWN, superuser)
    server.drop_database(OWN)


@pytest.fixture
def table(house: WitnessHouse, tmp_path: Path) -> Iterator[SignedTable]:
    """A table of that house, admitted, with an evening of five records."""
    table = SignedTable(house, f"witnessed-{next(NUMBERS)}", tmp_path)
    house.admit(table.name, table.fingerprint)
    yield table
    table.close()

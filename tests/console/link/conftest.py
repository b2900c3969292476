"""One PostgreSQL for all tests of a worker; for each test a database of its own."""

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from console.link.centre.install import install_schema, load_migrations
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.servers import QUICK, Server, run_server

TEMPLATE = "centre_template"
_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A cluster with the centre's schema in a template. Its folder is one that all may enter."""
    with tempfile.TemporaryDirectory(prefix="banco-pg-") as folder:
        Path(folder).chmod(0o755)
        with run_server(Path(folder) / "cluster", *QUICK) as server:
            server.make_database(TEMPLATE)
            with server.connect(database=TEMPLATE) as connection:
                install_schema(connection, load_migrations())
            yield server


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """A database with the schema, and nothing in it."""
    name = f"centre_{next(_numbers)}"
    server.make_database(name, TEMPLATE)
    yield name
    server.drop_database(name)


@pytest.fixture
def centre(server: Server, database: str) -> Iterator[PostgresCentre]:
    """A centre with one jackpot."""
    with PostgresCentre(server, database) as centre:
        yield centre

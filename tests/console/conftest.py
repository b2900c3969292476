"""One PostgreSQL for all tests of a worker."""

from collections.abc import Iterator

import pytest

from console.database.install import install_schema
from console.link.centre.roles import load_link_schema
from tests.console.link.servers import QUICK, Server, run_server
from tests.open_folder import make_open_folder

TEMPLATE = "centre_template"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A cluster with the centre's schema in a template. Its folder is one that all may enter."""
    with make_open_folder() as folder, run_server(folder / "cluster", *QUICK) as server:
        server.make_database(TEMPLATE)
        with server.connect(database=TEMPLATE) as connection:
            install_schema(connection, load_link_schema())
        yield server

"""Many random nights of one server that is set back (docs/reference/link-rules.md, 3.13)."""

from contextlib import ExitStack, closing

from console.database.install import install_schema
from console.link.centre.roles import load_link_schema
from tests.console.link.centre.database_pool import DatabasePool
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.restored_nights import play_restored
from tests.console.link.servers import QUICK, run_server
from tests.open_folder import make_open_folder

TEMPLATE = "centre_template"


def restore_often(first: int, nights: int) -> dict[str, float]:
    """The nights of these seeds, from the first one. Raises ScheduleFailed at the first wrong."""
    with ExitStack() as stack:
        folder = stack.enter_context(make_open_folder())
        server = stack.enter_context(run_server(folder / "cluster", *QUICK))
        server.make_database(TEMPLATE)
        with server.connect(database=TEMPLATE) as connection:
            install_schema(connection, load_link_schema())
        pool = stack.enter_context(closing(DatabasePool(server, TEMPLATE)))
        counts: dict[str, float] = {}
        for seed in range(first, first + nights):
            with pool.lend() as database:
                played = play_restored(PostgresCentre(database), seed)
            counts = {what: counts.get(what, 0) + played[what] for what in {*counts, *played}}
        return dict(sorted(counts.items()))

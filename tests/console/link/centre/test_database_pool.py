"""A test's database has nothing of the test that had it before."""

from contextlib import closing

import psycopg
import pytest

from tests.console.link.centre.database_pool import SUPERUSER, DatabasePool


def test_what_another_test_left_under_way_is_ended(databases: DatabasePool) -> None:
    """A courier that was killed in the middle of a call, say: the server goes on with it."""
    with databases.lend() as database:
        left = psycopg.connect(database.dsn(SUPERUSER), autocommit=True)
        left.pgconn.send_query(b"SELECT pg_sleep(60)")
    with closing(left), databases.lend() as database:
        there = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
        asked = database.connect(SUPERUSER).execute(there, (left.info.backend_pid,))
        assert asked.fetchone() == (0,)
        with pytest.raises(psycopg.OperationalError):
            left.execute("SELECT 1")

"""What is an answer of PostgreSQL, and what is none (docs/reference/link-rules.md, 1.2 to 1.4)."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from console.link.centre.postgres_calls import AnsweredWithWarning, PostgresCalls
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.servers import Server
from tests.deadlines import DEADLINE_S

WAITING = """
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event = 'SyncRep'
"""


@pytest.fixture
def absent_standby(postgres: PostgresCentre) -> Iterator[None]:
    """The primary waits for a standby that is not there; but only for who asks for it."""
    postgres.superuser.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    postgres.superuser.execute("SELECT pg_reload_conf()")
    yield
    postgres.superuser.execute("ALTER SYSTEM RESET synchronous_standby_names")
    postgres.superuser.execute("SELECT pg_reload_conf()")


@pytest.mark.usefixtures("absent_standby")
def test_an_answer_with_a_warning_is_none(postgres: PostgresCentre) -> None:
    table = seat_table(postgres, "a")
    postgres.connect("a").execute("SET synchronous_commit = on")
    deadline = time.monotonic() + DEADLINE_S
    warned = False
    with ThreadPoolExecutor(1) as thread:
        while not warned and time.monotonic() < deadline:
            beat = thread.submit(table.beat)
            while not beat.done():
                postgres.superuser.execute(WAITING.encode())
            warned = isinstance(beat.exception(), AnsweredWithWarning)
    assert warned
    postgres.connect("a").execute("SET synchronous_commit = off")
    assert table.beat().reading == 1_000_000


def test_a_connection_that_does_not_commit_by_itself_is_refused(server: Server) -> None:
    with server.connect() as connection:
        connection.autocommit = False
        with pytest.raises(ValueError, match="not in autocommit"):
            PostgresCalls(connection)


def test_a_function_that_is_given_another_call_does_nothing(postgres: PostgresCentre) -> None:
    table = seat_table(postgres, "a")
    before = postgres.one("SELECT count(*) FROM link.entry")
    query = """SELECT link.close('{"session": 1, "act": 0, "call": {"call": "open", "n": 2}}')"""
    with pytest.raises(Exception, match=r"link\.close was called with the call open"):
        postgres.connect(table.name).execute(query.encode())
    assert postgres.one("SELECT count(*) FROM link.entry") == before

"""A connection to the centre for a person's command."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import Connection

CONNECT_S = 5


class CentreUnusable(Exception):
    """The centre cannot be reached, or refuses what was asked; the text is the server's."""


@contextmanager
def connect_to(centre: str) -> Iterator[Connection]:
    """Connect; `centre` is a connection string or URI of libpq, "" for libpq's own variables.

    Raises CentreUnusable, also for an error of the database within the block.
    """
    try:
        with psycopg.connect(centre, autocommit=True, connect_timeout=CONNECT_S) as connection:
            yield connection
    except psycopg.Error as error:
        raise CentreUnusable(str(error).strip()) from error

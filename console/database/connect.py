"""A connection to a house's database for a person's command, and a limit for what it waits for."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from console.database.server_messages import describe_error
from jackpot.failures import Unavailable

CONNECT_S = 5

DatabaseConnection = Connection
"""What `connect_to` gives: the commands pass it on, and do not know the driver."""

PERSONAL = ("user", "password", "passfile", "sslcert", "sslkey", "sslpassword")
"""The parameters of a connection that are one person's, not another's."""


@contextmanager
def connect_to(
    centre: str, ask_password: Callable[[str], str] | None = None
) -> Iterator[Connection]:
    """Connect; `centre` is a connection string or URI of libpq, "" for libpq's own variables.

    `ask_password` gets the role's name; it is asked where the server wants a password and libpq has
    none. Raises Unavailable, also for an error of the database within the block.
    """
    try:
        with _connect(centre, ask_password) as connection:
            yield connection
    except psycopg.Error as error:
        raise Unavailable(describe_error(error)) from error


def name_person(centre: str, who: str) -> str:
    """The connection of another person to the same database.

    `who`: a role's name, or parameters such as "user=piero sslcert=piero.crt". Raises
    Unavailable.
    """
    try:
        own = conninfo_to_dict(who) if "=" in who or "://" in who else {"user": who}
        shared = conninfo_to_dict(centre)
    except psycopg.Error as error:
        raise Unavailable(describe_error(error)) from error
    for parameter in PERSONAL:
        shared.pop(parameter, None)
    return make_conninfo("", **{**shared, **own})


def _connect(centre: str, ask_password: Callable[[str], str] | None) -> Connection:
    try:
        return psycopg.connect(centre, autocommit=True, connect_timeout=CONNECT_S)
    except psycopg.OperationalError as error:
        if ask_password is None or error.pgconn is None or not error.pgconn.needs_password:
            raise
        role = error.pgconn.user.decode()
    password = ask_password(role)
    return psycopg.connect(centre, autocommit=True, connect_timeout=CONNECT_S, password=password)


@contextmanager
def limit_wait(seconds: float) -> Iterator[None]:
    """Give up what waits for the centre in this block. The main thread's alone.

    It sends no cancel, nor does a Ctrl-C meanwhile: that ends the process
    (docs/reference/link-rules.md, 1.3). Raises Unavailable.
    """

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise Unavailable(
            f"no answer within {seconds:g} s, so it is not known whether it is done: type the same "
            "command again, it is booked once"
        )

    interrupt = signal.signal(signal.SIGINT, signal.SIG_DFL)
    alarm = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, interrupt)

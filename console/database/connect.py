"""A connection to a house's database for a person's command, and a limit for what it waits for.

What PostgreSQL and its library say of it is said in our words: what is wrong, and what would be
right.
"""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from jackpot.failures import Unavailable

OPERATOR_CONNECT_S = 5
"""How long a person's command waits for a connection to one address."""

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
        return psycopg.connect(centre, autocommit=True, connect_timeout=OPERATOR_CONNECT_S)
    except psycopg.OperationalError as error:
        if ask_password is None or error.pgconn is None or not error.pgconn.needs_password:
            raise
        role = error.pgconn.user.decode()
    password = ask_password(role)
    return psycopg.connect(
        centre, autocommit=True, connect_timeout=OPERATOR_CONNECT_S, password=password
    )


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


_AT = r'(?:.*connection to server at "(?P<host>[^"]*)"(?: \([^)]*\))?, port (?P<port>\d+) failed: )'

FORMS = tuple(
    (re.compile(form, re.DOTALL), words)
    for form, words in (
        (
            r"failed to resolve host (?P<host>.*?): .*",
            "the host {host} is not known here",
        ),
        (
            r'.*password authentication failed for user "(?P<role>[^"]*)".*',
            "{role}: wrong name or password",
        ),
        (
            r".*no password supplied.*",
            "the server wants a password: it is asked at a terminal, or stands in ~/.pgpass",
        ),
        (
            r'.*certificate authentication failed for user "(?P<role>[^"]*)".*',
            "the certificate is not that of {role}: its CN must be the role's name",
        ),
        (r'.*role "(?P<role>[^"]*)" does not exist.*', "there is no role {role} in this database"),
        (
            r'.*role "(?P<role>[^"]*)" is not permitted to log in.*',
            "the role {role} may not log in",
        ),
        (
            r'.*database "(?P<database>[^"]*)" does not exist.*',
            "there is no database {database} on this server",
        ),
        (
            r'.*no pg_hba\.conf entry for host "(?P<host>[^"]*)", user "(?P<role>[^"]*)", '
            r'database "(?P<database>[^"]*)".*',
            "pg_hba.conf of the server does not let {role} in from {host} to {database}",
        ),
        (
            r".*(?:server does not support SSL|SSL off).*",
            "the server speaks no TLS: ssl = on in its postgresql.conf",
        ),
        (
            r'.*server certificate for "(?P<named>[^"]*)".* does not match host name '
            r'"(?P<host>[^"]*)".*',
            "the server's certificate names {named}, not {host}",
        ),
        (
            r".*certificate verify failed.*",
            "the server's certificate is not signed by the authority in sslrootcert",
        ),
        (
            r".*the database system is (?P<what>starting up|shutting down|in recovery mode).*",
            "the server is {what}: try again in a moment",
        ),
        (
            r".*permission denied for (?P<what>[^\n]*).*",
            "this role may not use the {what}",
        ),
        (
            r'.*schema "(?P<schema>[^"]*)" does not exist.*',
            "the database has no schema {schema}: it is made by `init`",
        ),
        (
            _AT + r"Connection refused.*",
            "{host}:{port} refuses the connection: does PostgreSQL run there?",
        ),
        (
            _AT + r"(?:No route to host|Network is unreachable).*",
            "{host}:{port} cannot be reached: cable, address, firewall",
        ),
        (r".*connection timeout expired.*", "the server does not answer in time"),
    )
)
"""Messages of libpq, of psycopg and of the server, and what we say instead.

A host may have several addresses: what a server answers at one of them says more than that nobody
answers at another, which therefore stands last.
"""


def describe_error(error: psycopg.Error) -> str:
    """What the server says; of what a function of ours raised, our words alone.

    A message that is not known here stays as it is.
    """
    raised_in, _, _ = (error.diag.context or "").partition("\n")
    if raised_in.endswith(" at RAISE") and error.diag.message_primary:
        return error.diag.message_primary
    return explain_message(str(error).strip())


def explain_message(message: str) -> str:
    """Our words for this message; the message itself if it is not known here."""
    for form, words in FORMS:
        if found := form.fullmatch(message):
            return words.format(**found.groupdict())
    return message

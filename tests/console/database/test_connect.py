"""What a person reads where the database is not there."""

import pytest

from console.database.connect import connect_to, explain_message
from jackpot.failures import Unavailable


def test_a_host_that_nobody_knows_is_named_in_our_words() -> None:
    with pytest.raises(Unavailable) as raised, connect_to("host=-1/nowhere"):
        pass
    assert str(raised.value) == "the host '-1/nowhere' is not known here"


def test_a_port_where_no_server_listens_is_said_in_our_words() -> None:
    with pytest.raises(Unavailable) as raised, connect_to("host=127.0.0.1 port=1"):
        pass
    assert str(raised.value) == "127.0.0.1:1 refuses the connection: does PostgreSQL run there?"


REFUSED = 'connection failed: connection to server at "10.0.0.1", port 5432 failed: '


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            f'{REFUSED}FATAL:  password authentication failed for user "olga"',
            "olga: wrong name or password",
        ),
        (f'{REFUSED}FATAL:  role "olga" does not exist', "there is no role olga in this database"),
        (
            f'{REFUSED}FATAL:  database "banco" does not exist',
            "there is no database banco on this server",
        ),
        (
            f'{REFUSED}FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "olga", '
            'database "banco", SSL encryption',
            "pg_hba.conf of the server does not let olga in from 10.0.0.9 to banco",
        ),
        (
            f'{REFUSED}server certificate for "db2" does not match host name "db1"',
            "the server's certificate names db2, not db1",
        ),
        (
            f"{REFUSED}FATAL:  the database system is starting up",
            "the server is starting up: try again in a moment",
        ),
        (
            'connection failed: connection to server at "::1", port 5432 failed: '
            "Connection refused\n"
            "\tIs the server running on that host and accepting TCP/IP connections?\n"
            'connection to server at "127.0.0.1", port 5432 failed: '
            'FATAL:  password authentication failed for user "olga"',
            "olga: wrong name or password",
        ),
        ("permission denied for schema link", "this role may not use the schema link"),
        ("something else", "something else"),
    ],
)
def test_a_servers_message_is_said_in_our_words(message: str, words: str) -> None:
    assert explain_message(message) == words

"""The witness's one function that appends, and refuses to go back; what others may do there."""

import pytest
from msgspec.structs import replace
from psycopg import sql
from psycopg.errors import Error, InsufficientPrivilege

from console.witness.administration import make_reader
from console.witness.entries import Appended, RefusalCode
from jackpot.ledger.journal import Head
from jackpot.trust.counterpart import CounterpartLost
from tests.console.witness.witness_house import SignedTable, WitnessHouse

OTHER = "f" * 64


def test_heads_are_numbered_without_a_gap_and_read_as_they_were_sent(table: SignedTable) -> None:
    assert table.newest().head() is None
    first = table.head()
    assert table.heads.append(first, 1) == Appended(2)
    later = replace(first, seq=first.seq + 7, counter=first.counter + 1, signature="00" * 64)
    assert table.heads.append(later, 2) == Appended(3)
    assert table.newest().head() == later
    entries = [(1, "admission", 0), (2, "head", first.seq), (3, "head", later.seq)]
    assert table.house.entries(table.name) == entries


def test_the_same_head_again_is_not_written_again(table: SignedTable) -> None:
    head = table.head()
    assert table.heads.append(head, 1) == Appended(2)
    assert table.heads.append(head, 1) == Appended(2)
    assert len(table.house.entries(table.name)) == 2


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seq": 9}, RefusalCode.OLDER_RECORD),
        ({"hash": OTHER}, RefusalCode.OTHER_RECORD),
        ({"seq": 11, "counter": 2}, RefusalCode.OLDER_COUNTER),
        ({"seq": 11, "key": OTHER}, RefusalCode.WRONG_KEY),
        ({"seq": 11, "table": "table-0"}, RefusalCode.WRONG_TABLE),
    ],
)
def test_it_refuses_to_go_back(
    table: SignedTable, changed: dict[str, int | str], code: RefusalCode
) -> None:
    head = replace(table.head(), seq=10, counter=3)
    table.heads.append(head, 1)
    wrong = replace(head, signature="00" * 64, **changed)
    for _ in range(2):
        assert table.heads.append(wrong, 2) == Appended(2, code)
    assert table.newest().head() == head
    assert table.house.refusals(table.name) == [code.value]


def test_a_head_must_follow_the_entry_that_its_table_knows(table: SignedTable) -> None:
    """Two machines with one table's key: the second one's head is not taken unseen."""
    head = table.head()
    table.heads.append(head, 1)
    later = replace(head, seq=head.seq + 1, signature="00" * 64)
    assert table.heads.append(later, 1) == Appended(2, RefusalCode.NOT_NEWEST)
    assert table.heads.append(later, 2) == Appended(3)


def test_a_table_that_was_not_admitted_appends_nothing(
    house: WitnessHouse, table: SignedTable
) -> None:
    house.make_stranger("stranger")
    stranger = house.call_as("stranger")
    try:
        assert stranger.read_newest() is None
        head = replace(table.head(), table="stranger")
        assert stranger.append(head, 0) == Appended(None, RefusalCode.NOT_ADMITTED)
    finally:
        stranger.close()


def test_the_house_admits_a_new_key_and_a_ledger_that_was_set_back_on_purpose(
    table: SignedTable,
) -> None:
    head = replace(table.head(), seq=50, counter=3)
    table.heads.append(head, 1)
    table.house.admit(table.name, OTHER, reason="its board was exchanged")
    changed = replace(head, key=OTHER, seq=51, counter=0)
    assert table.heads.append(replace(changed, seq=49), 3).refused is RefusalCode.OLDER_RECORD
    assert table.heads.append(changed, 3) == Appended(4)
    table.house.admit(table.name, OTHER, Head(20, OTHER), "backup of May put back")
    assert table.heads.append(replace(changed, seq=21), 5) == Appended(6)
    kinds = [(kind, seq) for _, kind, seq in table.house.entries(table.name)]
    assert kinds[2:] == [("admission", 50), ("head", 51), ("admission", 20), ("head", 21)]


def test_nothing_is_changed_or_deleted_not_even_by_the_administrator(table: SignedTable) -> None:
    table.heads.append(table.head(), 1)
    superuser = table.house.superuser
    for relation in ("entry", "refusal"):
        for statement in ("UPDATE {} SET at = now()", "DELETE FROM {}", "TRUNCATE {}"):
            with pytest.raises(InsufficientPrivilege, match="never changed"):
                superuser.execute(sql.SQL(statement).format(sql.Identifier("witness", relation)))


STATEMENTS = (
    "SELECT FROM witness.entry",
    "INSERT INTO witness.entry DEFAULT VALUES",
    "UPDATE witness.entry SET seq = 0",
    "DELETE FROM witness.entry",
    "TRUNCATE witness.entry",
    "DROP TABLE witness.entry",
    "ALTER TABLE witness.entry DISABLE TRIGGER append_only",
    "SET session_replication_role = replica",
    "SELECT witness.admit('table-1', 'x', 'y', NULL, NULL)",
    "SELECT witness.note_refusal('x', '{}')",
    "SET ROLE witness_owner",
    "CREATE TABLE witness.mine ()",
)


def test_a_table_calls_three_functions_and_a_reader_reads(table: SignedTable) -> None:
    server, database = table.house.server, table.house.database
    make_reader(table.house.superuser, "auditor")
    for role, tries in ((table.name, STATEMENTS), ("auditor", STATEMENTS[1:])):
        with server.connect(role, database) as connection:
            for statement in tries:
                with pytest.raises(InsufficientPrivilege):
                    connection.execute(statement.encode())
    with server.connect("auditor", database) as connection:
        assert connection.execute("SELECT count(*) FROM witness.entry").fetchone() != (0,)
        for call in ("read_newest()", "append('{}', 1)", "report_parting('{}')"):
            with pytest.raises(InsufficientPrivilege):
                connection.execute(f"SELECT witness.{call}".encode())


def test_a_linked_tables_centre_serves_it_and_the_rights_stay_apart(table: SignedTable) -> None:
    """Both schemas are in this database."""
    with (
        table.house.server.connect(table.name, table.house.database) as connection,
        pytest.raises(Error, match="permission denied for schema link"),
    ):
        connection.execute("SELECT link.hello('{}')")


def test_what_is_no_head_is_refused_by_the_database(table: SignedTable) -> None:
    with pytest.raises(CounterpartLost, match="does not answer"):
        table.heads.append(replace(table.head(), hash="short"), 1)
    assert table.heads.append(table.head(), 1) == Appended(2)

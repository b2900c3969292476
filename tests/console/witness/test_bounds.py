"""With a table's certificate nobody fills the witness (docs/reference/link-rules.md, 2.6)."""

import msgspec
import pytest
from msgspec.structs import replace
from psycopg.errors import CheckViolation, InsufficientPrivilege, ProgramLimitExceeded

from console.database.install import TABLE_CONNECTIONS
from console.witness.administration import read_not_stored
from console.witness.entries import Appended, RefusalCode
from jackpot.trust.signed_head import SignedHead
from tests.console.witness.witness_house import SignedTable

MANY = 2_000
LAST = 2**63 - 1


def as_json(head: SignedHead) -> str:
    """As the table sends it."""
    return msgspec.json.encode(head).decode()


def test_a_table_has_as_many_connections_as_it_needs(table: SignedTable) -> None:
    row = table.house.superuser.execute(
        "SELECT rolconnlimit FROM pg_roles WHERE rolname = %s", (table.name,)
    ).fetchone()
    assert row == (TABLE_CONNECTIONS,)


def test_of_many_refusals_a_second_one_is_stored_and_the_rest_counted(table: SignedTable) -> None:
    house = table.house
    with house.server.connect(table.name, house.database) as attacker:
        attacker.execute("SET statement_timeout = 0")
        attacker.execute(
            "SELECT witness.report_parting(jsonb_build_object('seq', i))"
            "FROM generate_series(1, %s) AS i",
            (MANY,),
        )
    seconds = house.superuser.execute(
        "SELECT ceil(extract(epoch FROM max(at) - min(at))) FROM witness.refusal "
        "WHERE table_name = %s",
        (table.name,),
    ).fetchone()
    stored = len(house.refusals(table.name))
    assert seconds is not None
    assert 1 <= stored <= seconds[0] + 1
    assert read_not_stored(house.superuser)[table.name] == MANY - stored


@pytest.mark.parametrize("changed", [{"seq": LAST}, {"counter": LAST}])
def test_a_head_that_no_table_reaches_is_refused(
    table: SignedTable, changed: dict[str, int]
) -> None:
    head = table.head()
    assert table.heads.append(head, 1) == Appended(2)
    far = replace(head, **({"seq": head.seq + 1} | changed))
    assert table.heads.append(far, 2) == Appended(2, RefusalCode.TOO_FAR)
    assert table.heads.append(replace(head, seq=head.seq + 1), 2) == Appended(3)


@pytest.mark.parametrize("junk", ["", "00", "x" * 128, "0" * 129])
def test_what_has_not_the_form_of_a_signature_is_refused(table: SignedTable, junk: str) -> None:
    head = as_json(replace(table.head(), signature=junk))
    with (
        table.house.server.connect(table.name, table.house.database) as attacker,
        pytest.raises(CheckViolation),
    ):
        attacker.execute("SELECT witness.append(%s::jsonb, 1)", (head,))


def test_heads_that_come_too_often_are_refused(table: SignedTable) -> None:
    head = table.head()
    answers = [table.heads.append(replace(head, seq=head.seq + i), 1 + i) for i in range(70)]
    taken = [answer for answer in answers if answer.refused is None]
    assert len(taken) <= 60
    assert answers[len(taken)].refused is RefusalCode.TOO_OFTEN


@pytest.mark.parametrize("call", ["append(%s::jsonb, 1)", "report_parting(%s::jsonb)"])
def test_a_long_head_is_not_read(table: SignedTable, call: str) -> None:
    long = as_json(replace(table.head(), wall="x" * 2000))
    with (
        table.house.server.connect(table.name, table.house.database) as attacker,
        pytest.raises(ProgramLimitExceeded),
    ):
        attacker.execute(f"SELECT witness.{call}".encode(), (long,))
    assert table.house.refusals(table.name) == []


@pytest.mark.parametrize(
    "attack",
    ["SELECT lo_from_bytea(0, 'x')", "SELECT pg_advisory_lock(1)", "DO $$ BEGIN END $$"],
)
def test_a_table_fills_or_holds_nothing_that_all_share(table: SignedTable, attack: str) -> None:
    with (
        table.house.server.connect(table.name, table.house.database) as attacker,
        pytest.raises(InsufficientPrivilege),
    ):
        attacker.execute(attack.encode())

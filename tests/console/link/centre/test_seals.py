"""Seals of the centre's books, and days that leave the database and come back.

docs/reference/link-rules.md, 5.6.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from psycopg.errors import InsufficientPrivilege, InvalidParameterValue

from console.command_line.command import DONE, FAILED, UNUSABLE
from console.command_line.main import main
from console.link.centre.books import find_book_differences
from console.link.centre.gaming_day import read_gaming_day
from console.link.centre.member_books import hold_instant
from console.link.centre.seals import begin_at, find_last_seal
from console.rules.link import Open
from jackpot.money.prizes import Combination
from tests.console.link.centre.database_pool import SUPERUSER
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable

AS_REPLICA = "SET session_replication_role = replica"
"""As who has the disk in hand: no trigger is asked."""


def link(postgres: PostgresCentre, *words: str | int | Path) -> int:
    return main(["link", *map(str, words), "--centre", postgres.dsn(SUPERUSER)])


def seal(postgres: PostgresCentre, later: int = 0) -> int:
    """The number of this seal; so many later ones follow at once."""
    assert link(postgres, "seal") == DONE
    number = find_last_seal(postgres.superuser)
    for _ in range(later):
        assert link(postgres, "seal") == DONE
    return number


def differences(postgres: PostgresCentre, since: int) -> list[str]:
    with hold_instant(postgres.superuser):
        base = begin_at(postgres.superuser, since)
        return list(find_book_differences(postgres.superuser, base))


def play_day(*tables: LinkedTable) -> None:
    """Each plays three rounds and has a flush; a token goes back."""
    for table in tables:
        for _ in range(2):
            table.open(3)
            table.claim(Combination.FLUSH)
            table.agree()
            table.close()
        table.open(2)
        table.deliver(table.take_token_back(1))
        table.close()
        table.beat()


def count(postgres: PostgresCentre, table: str) -> int:
    return int(postgres.one(f"SELECT count(*) FROM link.{table}"))


@pytest.fixture(name="tables")
def seat_tables(postgres: PostgresCentre) -> list[LinkedTable]:
    """Two tables that have played a day."""
    tables = [seat_table(postgres, "a"), seat_table(postgres, "b")]
    play_day(*tables)
    return tables


def test_an_audit_since_a_seal_sees_what_is_later_and_the_same_money(
    postgres: PostgresCentre, tables: list[LinkedTable]
) -> None:
    """LINK 5.6.2: `audit --since SEAL` checks what is later"""
    number = seal(postgres)
    tables[0].open(3)
    play_day(*tables)
    assert differences(postgres, 0) == differences(postgres, number) == []
    postgres.superuser.execute(AS_REPLICA)
    taken = "UPDATE link.member_balance SET jackpot = jackpot + 1, house = house - 1"
    postgres.superuser.execute(f"{taken} WHERE member = 'a'".encode())
    (found,) = differences(postgres, number)
    assert found.startswith("table a: its balances are ")
    postgres.superuser.execute(
        'UPDATE link.entry SET answer = answer || \'{"refusal": "ROUND_CLOSED"}\' '
        "WHERE member = 'b' AND n = 2"
    )
    assert any("entry b/1/2" in one for one in differences(postgres, 0))
    assert not any("entry b/1/2" in one for one in differences(postgres, number))
    postgres.superuser.execute("RESET session_replication_role")


def test_what_a_seal_says_its_act_holds(
    postgres: PostgresCentre, tables: list[LinkedTable], capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 5.6.1: each member's head, the sums"""
    number = seal(postgres)
    assert f"seal {number}\nstud: act " in capsys.readouterr().out
    play_day(*tables)
    with pytest.raises(InsufficientPrivilege):
        postgres.superuser.execute("UPDATE link.sealed_member SET house = house + 1")
    postgres.superuser.execute(AS_REPLICA)
    postgres.superuser.execute("UPDATE link.sealed_member SET house = house + 1 WHERE member = 'a'")
    assert link(postgres, "audit", "--since", number) == UNUSABLE
    assert f"seal {number} of stud is not what act" in capsys.readouterr().err
    assert link(postgres, "audit", "--since", number + 7) == UNUSABLE
    assert f"there is no seal {number + 7}; the last is {number}" in capsys.readouterr().err


def test_books_that_differ_are_not_sealed(
    postgres: PostgresCentre, tables: list[LinkedTable]
) -> None:
    """LINK 5.6.1: the sums are those of audited books"""
    seal(postgres)
    play_day(*tables)
    postgres.superuser.execute(AS_REPLICA)
    postgres.superuser.execute("DELETE FROM link.movement WHERE identity LIKE 'a/%/seat-2/stake'")
    assert link(postgres, "seal") == FAILED
    assert count(postgres, "seal") == 1


def test_a_day_is_detached_and_its_tables_play_on_and_it_comes_back(
    postgres: PostgresCentre, tables: list[LinkedTable], tmp_path: Path
) -> None:
    """LINK 5.6.3: each epoch's first and last entry and its last `open` kept"""
    one, other = tables
    one.open(2)  # stays open
    number = seal(postgres)
    entries, movements = count(postgres, "entry"), count(postgres, "movement")
    assert link(postgres, "detach", number, tmp_path) == UNUSABLE  # two later seals are missing
    seal(postgres, later=1)
    money = postgres.total
    assert link(postgres, "detach", number, tmp_path) == DONE
    assert count(postgres, "entry") < entries / 2
    assert count(postgres, "movement") < movements
    assert postgres.total == money
    assert link(postgres, "audit") == DONE  # since the days that are not here
    assert link(postgres, "audit", "--since", 0) == UNUSABLE
    assert link(postgres, "bordereau", "stud", "2026-01-01") == UNUSABLE
    other.hello()
    one.deliver(one.take_token_back(1))
    one.claim(Combination.ROYAL_FLUSH)
    one.agree()
    one.close()
    play_day(*tables)
    now = datetime.now(UTC)
    day = read_gaming_day(postgres.superuser, "stud", now, now + timedelta(hours=1))
    assert day.differs == ()
    seal(postgres)
    assert link(postgres, "attach", number, tmp_path) == DONE
    assert differences(postgres, 0) == []
    assert link(postgres, "attach", number, tmp_path) == UNUSABLE  # they are here
    assert link(postgres, "audit", "--since", number) == DONE


def test_two_days_are_detached_one_after_the_other(
    postgres: PostgresCentre, tables: list[LinkedTable], tmp_path: Path
) -> None:
    numbers = []
    for _ in range(4):
        numbers.append(seal(postgres))
        play_day(*tables)
    for number in numbers[:2]:
        assert link(postgres, "detach", number, tmp_path) == DONE
    assert link(postgres, "audit") == DONE
    for number in reversed(numbers[:2]):
        assert link(postgres, "attach", number, tmp_path) == DONE
    assert differences(postgres, 0) == []


def test_a_table_whose_last_answer_was_lost_goes_on_after_its_day_was_detached(
    postgres: PostgresCentre, tables: list[LinkedTable], tmp_path: Path
) -> None:
    one, _ = tables
    one.card.round += 1
    one.ask(lambda n: Open(n, one.card.round))
    one.calls.call(one.session, one.card.outbox[0], one.card.act, one.card.head)
    number = seal(postgres, later=2)
    assert link(postgres, "detach", number, tmp_path) == DONE
    one.hello()
    one.send()
    one.stake(1)
    assert postgres.one("SELECT behind FROM link.jackpot") is False
    assert differences(postgres, number) == []


def test_a_file_that_was_changed_is_not_attached(
    postgres: PostgresCentre,
    tables: list[LinkedTable],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    number = seal(postgres, later=2)
    assert link(postgres, "detach", number, tmp_path) == DONE
    file = tmp_path / f"seal-{number}.movement.gz"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    capsys.readouterr()
    assert link(postgres, "attach", number, tmp_path) == UNUSABLE
    assert f"{file.name} is not what was detached" in capsys.readouterr().err
    play_day(*tables)
    assert link(postgres, "audit") == DONE


@pytest.mark.usefixtures("tables")
def test_nobody_rejoins_by_a_list_that_would_count_a_detached_day_twice(
    postgres: PostgresCentre, tmp_path: Path
) -> None:
    assert link(postgres, "detach", seal(postgres, later=2), tmp_path) == DONE
    postgres.make_role("olga", "link_operator")
    with pytest.raises(InvalidParameterValue, match="attach them first"):
        postgres.connect("olga").execute(
            "SELECT link.propose('stud', 'rejoin', '{\"member\": \"a\"}'::jsonb)"
        )


@pytest.mark.usefixtures("tables")
def test_a_centre_that_was_set_back_is_not_sealed(
    postgres: PostgresCentre, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres.superuser.execute("UPDATE link.jackpot SET behind = true")
    assert link(postgres, "seal") == UNUSABLE
    assert "stud is not recovered" in capsys.readouterr().err

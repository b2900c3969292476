"""Settings approved for a linked jackpot's next one (docs/reference/link-rules.md, 3.9)."""

import pytest
from psycopg import Connection

from console.link.centre.books import find_book_differences
from console.rules.codes import Phase
from console.rules.link import Barred, CentreBars
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centre.test_two_people import Arguments, approve, propose
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable

ROYAL = Combination.ROYAL_FLUSH


def for_next(postgres: PostgresCentre, **changed: object) -> Arguments:
    """As they are, but for what changed: of the terms, base, tie."""
    terms: Arguments = postgres.one("SELECT link.describe_terms(%s)", JACKPOT)
    outer = {key: changed.pop(key) for key in ("base", "tie") if key in changed}
    asked: Arguments = {"terms": terms | changed, "base": 500_000, "tie": "split"}
    return asked | outer | {"next_jackpot": True}


def carry_out(operator: Connection) -> str | None:
    row = operator.execute("SELECT link.begin_next_jackpot(%s)", (JACKPOT,)).fetchone()
    assert row is not None
    refusal: str | None = row[0]
    return refusal


def let_wait(olga: Connection, piero: Connection, asked: Arguments) -> None:
    assert approve(piero, propose(olga, "settings", asked), "settings", asked) is None


def read_settings(postgres: PostgresCentre) -> tuple[int, int]:
    """The token's value, and the base."""
    query = "SELECT jsonb_build_array(token, base) FROM link.jackpot WHERE id = %s"
    token, base = postgres.one(query, JACKPOT)
    return token, base


def win(table: LinkedTable) -> None:
    table.open(stakes=1)
    table.claim(ROYAL)
    table.agree()
    table.close()


def test_they_wait_until_an_award_of_all_is_final(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    table = seat_table(postgres, "a")
    let_wait(olga, piero, for_next(postgres, token=500, base=600_000))
    table.open(stakes=1)
    table.claim(Combination.FLUSH)
    table.agree()
    assert carry_out(olga) == "NOT_WON"
    table.close()
    table.open(stakes=1)
    table.claim(ROYAL)
    assert carry_out(olga) == "NOT_WON", "it may be cancelled yet"
    table.agree()
    assert carry_out(olga) == "ROUNDS_OPEN"
    assert read_settings(postgres) == (200, 500_000)
    table.close()
    assert carry_out(olga) is None
    assert read_settings(postgres) == (500, 600_000)
    assert postgres.reading == 600_000
    assert carry_out(olga) == "NOT_PROPOSED", "once"
    with pytest.raises(CentreBars) as barred:
        table.hello()
    assert barred.value.barred is Barred.SETTINGS
    assert list(find_book_differences(postgres.superuser)) == []


def test_a_win_from_before_does_not_count(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    win(seat_table(postgres, "a"))
    let_wait(olga, piero, for_next(postgres, token=500))
    assert carry_out(olga) == "NOT_WON"


def test_every_table_is_paused_first(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    table = seat_table(postgres, "a")
    let_wait(olga, piero, for_next(postgres, token=500))
    win(table)
    table.beat(Phase.BETTING)
    assert carry_out(olga) == "NOT_PAUSED"
    table.beat(Phase.PAUSED)
    assert carry_out(olga) is None


def test_a_lower_base_takes_nothing_back(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    table = seat_table(postgres, "a")
    let_wait(olga, piero, for_next(postgres, base=100_000))
    win(table)
    reading = postgres.reading
    assert carry_out(piero) is None
    assert postgres.reading == reading
    assert list(find_book_differences(postgres.superuser)) == []


def test_two_people_take_them_back_with_what_is_in_force(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    let_wait(olga, piero, for_next(postgres, token=500))
    let_wait(olga, piero, for_next(postgres))
    win(seat_table(postgres, "a"))
    assert carry_out(olga) == "NOT_PROPOSED"
    assert list(find_book_differences(postgres.superuser)) == []


def test_all_who_decided_are_on_record(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    table = seat_table(postgres, "a")
    let_wait(olga, piero, for_next(postgres, token=500))
    win(table)
    assert carry_out(piero) is None
    names = postgres.one(
        "SELECT jsonb_build_array(details ->> 'proposer', details ->> 'approver', "
        "details ->> 'operator') FROM link.act WHERE kind = 'settings'"
    )
    assert names == ["olga", "piero", "piero"]


def test_a_table_may_not_carry_them_out(postgres: PostgresCentre) -> None:
    seat_table(postgres, "a")
    for name in ("a", "room"):
        if name == "room":
            postgres.make_role(name, "link_reader")
        allowed = "SELECT has_function_privilege(%s, 'link.begin_next_jackpot(text)', 'EXECUTE')"
        assert not postgres.one(allowed, name)

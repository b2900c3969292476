"""Above 100 members the centre keeps a reading for all (docs/reference/link-rules.md, 1.6)."""

from collections.abc import Callable
from random import Random

import pytest
from psycopg.errors import QueryCanceled

from console.rules.link import Answer
from jackpot.money.amounts import Cents
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable

TABLES = ("a", "b", "c")
OTHERS = 98
"""Members that never call: with these tables they are one more than a hundred."""

DAY = "interval '1 day'"
LOWERS = {"a combination", "its cancel", "a token goes back"}
"""What lowers the jackpot, if for a moment."""


@pytest.fixture
def tables(postgres: PostgresCentre) -> dict[str, LinkedTable]:
    """Three tables of a hundred and one; a reading is kept until a test makes it old."""
    postgres.add_silent_members(OTHERS)
    postgres.superuser.execute(
        "CREATE OR REPLACE FUNCTION link.keep_reading_for() RETURNS interval "
        "LANGUAGE sql IMMUTABLE AS $$ SELECT interval '1 hour' $$"
    )
    return {name: seat_table(postgres, name) for name in TABLES}


def make_old(postgres: PostgresCentre, by: str) -> None:
    postgres.superuser.execute(
        "CREATE OR REPLACE FUNCTION link.keep_reading_for() RETURNS interval "
        "LANGUAGE sql IMMUTABLE AS $$ SELECT interval '250 ms' $$"
    )
    postgres.superuser.execute(
        "UPDATE link.jackpot SET shown_at = clock_timestamp() - %s::interval", (by,)
    )


def test_tokens_are_shown_when_the_kept_reading_is_old(
    postgres: PostgresCentre, tables: dict[str, LinkedTable]
) -> None:
    before = tables["a"].open(stakes=0).reading
    assert tables["b"].open(stakes=7).reading == before
    assert tables["a"].beat().reading == before
    assert postgres.reading > before
    make_old(postgres, "3 s")
    assert tables["a"].beat().reading == postgres.reading


def test_a_hundred_members_are_summed_up_each_time(
    postgres: PostgresCentre, tables: dict[str, LinkedTable]
) -> None:
    postgres.superuser.execute(
        "DELETE FROM link.member_balance WHERE member = 'other-1'; "
        "UPDATE link.jackpot SET shown = NULL, shown_at = NULL"
    )
    assert tables["a"].open(stakes=7).reading == postgres.reading
    assert tables["b"].open(stakes=3).reading == postgres.reading


def test_while_one_sums_up_the_others_show_the_reading_before(
    postgres: PostgresCentre, tables: dict[str, LinkedTable]
) -> None:
    before = tables["a"].open(stakes=0).reading
    tables["b"].open(stakes=7)
    make_old(postgres, "1 s")
    with postgres.connect("c").transaction():
        assert tables["c"].beat().reading == postgres.reading
        assert tables["a"].beat().reading == before
    assert tables["a"].beat().reading == postgres.reading


def test_what_lowers_the_jackpot_is_shown_at_once(
    postgres: PostgresCentre, tables: dict[str, LinkedTable]
) -> None:
    for table in tables.values():
        table.open(stakes=2)
    lower: list[Callable[[], Answer]] = [
        lambda: tables["a"].deliver(tables["a"].take_token_back(1)),
        lambda: tables["b"].claim(Combination.STRAIGHT_FLUSH),
    ]
    for make_lower in lower:
        postgres.superuser.execute(f"UPDATE link.jackpot SET shown_at = shown_at - {DAY}")
        before = tables["c"].beat().reading
        assert before == postgres.reading
        assert make_lower().reading == postgres.reading < before
        assert tables["c"].beat().reading == postgres.reading


def test_nobody_sums_up_while_the_jackpot_is_lowered(
    postgres: PostgresCentre, tables: dict[str, LinkedTable]
) -> None:
    """What would be kept then is more than there is, and no reading is there to be taken away."""
    tables["a"].open(stakes=2)
    postgres.superuser.execute("UPDATE link.jackpot SET shown = NULL, shown_at = NULL")
    with postgres.superuser.transaction():
        postgres.superuser.execute(
            "SELECT link.add_to_member('a', ROW(20000, -14000, -2000, -4000, 0, 0))"
        )
        postgres.connect("b").execute("SET statement_timeout = '200 ms'")
        with pytest.raises(QueryCanceled):
            tables["b"].beat()
        postgres.connect("b").execute("RESET statement_timeout")
    assert tables["b"].beat().reading == postgres.reading


@pytest.mark.parametrize("seed", range(4))
def test_a_reading_falls_only_by_what_lowers_the_jackpot(
    postgres: PostgresCentre, tables: dict[str, LinkedTable], seed: int
) -> None:
    """And it is never more than there is."""
    chance = Random(seed)
    for table in tables.values():
        table.open(stakes=2)
    shown = dict.fromkeys(TABLES, Cents(0))
    for _ in range(25):
        if chance.random() < 0.5:
            postgres.superuser.execute(f"UPDATE link.jackpot SET shown_at = shown_at - {DAY}")
        name = chance.choice(TABLES)
        done = play(tables[name], chance)
        if done in LOWERS:
            shown = dict.fromkeys(TABLES, Cents(0))
        for one in (name, chance.choice(TABLES)):
            reading = tables[one].reading if one == name else tables[one].beat().reading
            assert reading is not None
            assert shown[one] <= reading <= postgres.reading, (done, one)
            shown[one] = reading


def play(table: LinkedTable, chance: Random) -> str:
    """Something that a table does, in a round that is open; what it was."""
    what = chance.choice(["a beat", "a round", "a round", *sorted(LOWERS)])
    if what == "a beat":
        table.beat()
        return what
    if what == "a token goes back":
        table.deliver(table.take_token_back(1))
    elif what != "a round":
        table.claim(Combination.STRAIGHT_FLUSH)
        _ = table.cancel() if what == "its cancel" else table.agree()
    table.close()
    table.open(stakes=chance.randrange(1, 8))
    return what

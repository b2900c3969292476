"""Settings that were made since the backup of a centre that was set back (3.13)."""

import json
from collections.abc import Callable
from contextlib import suppress

import msgspec
import pytest

from console.link.centre.books import find_book_differences
from console.link.centre.postgres_calls import AnsweringCentre
from console.link.centre.status import read_status
from console.office.link.audit import audit
from console.office.link.centre import render_status
from console.rules.link import (
    Agree,
    Awaited,
    AwardState,
    Barred,
    CentreBars,
    Deliver,
    Held,
    RecallAsked,
    Terms,
)
from console.rules.structs import replace
from jackpot.money.amounts import Cents
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import TERMS, LinkedTable
from tests.console.link.member_calls.expected import why_awaited

ROYAL = Combination.ROYAL_FLUSH
FLUSH = Combination.FLUSH

WITHOUT_FLUSH = replace(
    TERMS, prizes={one: share for one, share in TERMS.prizes.items() if one != FLUSH}
)
OTHER_SHARES = replace(TERMS, to_jackpot=6_000)
DEARER = replace(OTHER_SHARES, token=Cents(500))
FLUSH_TAKES_ALL = replace(TERMS, prizes={**TERMS.prizes, FLUSH: 10_000})


@pytest.fixture
def begin(make_empty_centre: Callable[[], PostgresCentre]) -> Callable[[Terms], PostgresCentre]:
    """Begins a jackpot with these terms."""
    return lambda terms: make_empty_centre().begin(terms)


def change(centre: PostgresCentre, terms: Terms, *tables: LinkedTable) -> None:
    """Other settings come into force, at the centre, then at the tables."""
    assert centre.settle(terms) is None
    for table in tables:
        table.terms = terms
        table.hello()


def tell_again(*tables: LinkedTable) -> None:
    """Each tells what it was answered; then all are back."""
    for table in tables:
        with suppress(CentreBars):  # the others have not told yet
            table.hello()
    for table in tables:
        table.hello()


def restore(centre: PostgresCentre) -> None:
    """The centre is set back, and two operators recover it."""
    centre.set_back(None)
    centre.recover()


def check(centre: PostgresCentre) -> None:
    """The audit finds nothing."""
    assert list(find_book_differences(centre.superuser)) == []


def test_a_claim_of_a_prize_that_the_centre_does_not_know_waits_for_the_settings(
    begin: Callable[[Terms], PostgresCentre],
) -> None:
    """LINK 3.13.5"""
    centre = begin(WITHOUT_FLUSH)
    table, other = (seat_table(centre, name, WITHOUT_FLUSH) for name in ("a", "b"))
    centre.save()
    change(centre, TERMS, table, other)
    table.open(stakes=2)
    table.claim(FLUSH)
    table.agree()
    before = centre.total
    restore(centre)
    awaited = "award 1 names the prize FLUSH, 1 x 100.02 EUR of 10002.80 EUR"
    assert why_awaited(table) == awaited
    (a, _) = read_status(centre.superuser).jackpots[0].tables
    assert a.awaits is not None
    assert render_status(read_status(centre.superuser))[2].startswith(f"  a: waits, {awaited}")
    assert f"a waits: {awaited}" in [one.text for one in audit(centre.superuser, []).findings]
    assert centre.settle(WITHOUT_FLUSH) == centre.settle(FLUSH_TAKES_ALL) == "RECOVERING"
    assert centre.settle(TERMS) is None
    tell_again(table, other)
    assert centre.total == before
    assert table.beat().changes == ()
    assert table.card.awards_seen[table.award].state is AwardState.FINAL
    check(centre)
    kinds = centre.superuser.execute(
        "SELECT kind, details ->> 'approver' FROM link.act ORDER BY number DESC LIMIT 2"
    ).fetchall()
    assert kinds == [("settings", "piero"), ("recover", "piero")]


def test_a_prize_of_another_share_puts_no_base_in(postgres: PostgresCentre) -> None:
    """The award is divided by the share that it was frozen with, not by today's."""
    table = seat_table(postgres, "a")
    postgres.save()
    change(postgres, FLUSH_TAKES_ALL, table)
    table.open()
    table.claim(FLUSH)
    before = postgres.total
    restore(postgres)
    assert why_awaited(table).startswith("award 1 names the prize FLUSH, 1 x 10001.40 EUR")
    assert postgres.settle(FLUSH_TAKES_ALL) is None
    tell_again(table)
    assert postgres.total == before
    assert postgres.one("SELECT share FROM link.award") == 10_000
    assert table.agree().refusal is None
    check(postgres)


def test_a_token_of_other_terms_waits_and_so_does_the_next(postgres: PostgresCentre) -> None:
    """LINK 3.13.3, 3.13.5: settings that were changed twice come back one after the other."""
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    table.open()
    postgres.save()
    table.stake()
    table.close()
    change(postgres, OTHER_SHARES, table, other)
    table.open(stakes=2)
    table.close()
    other.open()
    other.close()
    change(postgres, DEARER, table, other)
    table.open(stakes=3)
    before = postgres.total
    restore(postgres)
    shares = "to the jackpot 60 %, to the reserve 10 %"
    assert why_awaited(table) == (
        f"call 7 names other terms than the jackpot's: token 2.00 EUR, {shares}"
    )
    assert postgres.settle(DEARER) == "RECOVERING"
    assert postgres.settle(OTHER_SHARES) is None
    assert why_awaited(table) == (
        f"call 10 names other terms than the jackpot's: token 5.00 EUR, {shares}"
    )
    assert postgres.settle(DEARER) is None
    tell_again(table, other)
    assert postgres.total == before
    assert table.stake().refusal is None
    check(postgres)


def test_what_a_table_sends_outside_of_any_terms_settings_do_not_let_in(
    postgres: PostgresCentre,
) -> None:
    """LINK 2.4.1, 3.13.8: a table that tells again is believed no more than any."""
    table = seat_table(postgres, "a")
    postgres.save()
    table.open(stakes=0)
    table.deliver(table.token(), table.take_token_back(1))
    restore(postgres)
    asked = table.prove()
    assert isinstance(asked, RecallAsked)
    opened, delivered = table.card.held[-2:]
    table.calls.recall(asked.session, opened)
    assert isinstance(delivered.call, Deliver)
    assert delivered.answer is not None
    twice = replace(delivered.call, transactions=delivered.call.transactions[1:])
    forged = {
        "call": msgspec.to_builtins(twice),
        "stored": {"n": 3, "moved": [], "refusal": None},
    }
    digest = postgres.one(
        "SELECT encode(link.hash_entry(hash, name, epoch, 3, %s, %s::jsonb, %s::jsonb), 'hex') "
        "FROM link.member WHERE name = 'a'",
        delivered.answer.act,
        json.dumps(forged["call"]),
        json.dumps(forged["stored"]),
    )
    lie = Held(twice, replace(delivered.answer, hash=digest))
    with pytest.raises(CentreBars) as bars:
        table.calls.recall(asked.session, lie)
    assert bars.value.barred is Barred.FORKED
    for terms in (TERMS, OTHER_SHARES):
        assert postgres.settle(terms) == "RECOVERING"
    assert postgres.one("SELECT count(*) FROM link.movement WHERE reason <> 'opening'") == 1


def test_a_round_that_was_opened_by_the_lost_settings_goes_on(postgres: PostgresCentre) -> None:
    """LINK 3.13.5: its table has told all, and waits with what it was not answered."""
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    postgres.save()
    change(postgres, OTHER_SHARES, table, other)
    table.open(stakes=0)
    other.open(stakes=0)
    stake = table.ask(lambda n: Deliver(n, 1, (table.token(),)))
    restore(postgres)
    for one in (table, other):
        with pytest.raises(CentreBars):
            one.hello()
    for one in (table, other):
        assert why_awaited(one).startswith(
            "it plays by other terms than the jackpot's: game caribbean"
        )
    assert postgres.settle(DEARER) == "ROUNDS_OPEN"
    assert postgres.settle(OTHER_SHARES) is None
    table.hello()
    assert table.send().refusal is None
    assert stake not in table.card.outbox
    other.hello()
    other.claim(ROYAL)
    check(postgres)


def test_an_award_of_the_lost_settings_is_agreed(postgres: PostgresCentre) -> None:
    """LINK 3.13.5: nothing pending but what waits for these settings."""
    table = seat_table(postgres, "a")
    postgres.save()
    table.open()
    table.claim(FLUSH)
    assert postgres.approve("round-over", {"member": "a"}) is None
    table.ask(lambda n: Agree(n, table.award))
    restore(postgres)
    tell_again(table)
    table.terms = OTHER_SHARES
    assert postgres.settle(OTHER_SHARES) == "ROUNDS_OPEN"
    why_awaited(table)
    assert postgres.settle(OTHER_SHARES) is None
    table.hello()
    assert table.send().changes[-1].award.state is AwardState.FINAL
    check(postgres)


def test_a_table_that_plays_by_the_jackpots_terms_holds_the_settings(
    postgres: PostgresCentre,
) -> None:
    """LINK 3.9.2"""
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    table.open(stakes=0)
    other.open(stakes=0)
    other.terms = OTHER_SHARES
    why_awaited(other)
    assert postgres.settle(TERMS) == postgres.settle(OTHER_SHARES) == "ROUNDS_OPEN"
    table.close()
    other.terms = TERMS
    other.hello()
    assert postgres.settle(OTHER_SHARES) == "ROUNDS_OPEN"


def test_a_token_that_is_told_after_the_settings_changed_is_of_its_rounds_terms(
    postgres: PostgresCentre,
) -> None:
    """LINK 2.4.1: of terms that were in force since its round was opened."""
    table = seat_table(postgres, "a")
    table.open(stakes=0)
    old = table.token()
    table.terms = OTHER_SHARES
    why_awaited(table)
    assert postgres.settle(OTHER_SHARES) is None
    table.hello()
    assert table.deliver(old, table.token()).refusal is None
    check(postgres)


def name_terms(postgres: PostgresCentre, table: LinkedTable, terms: object) -> Awaited | None:
    """What the table waits for that names these in its hello."""
    table.hello()
    card = table.card
    answered = {"answered": card.answered, "answer_hash": card.answer_hash}
    hello = {"epoch": 1, "terms": terms, **answered, "head": msgspec.to_builtins(card.head)}
    with pytest.raises(CentreBars) as bars:
        AnsweringCentre(postgres.connect(table.name)).ask("hello", hello)
    assert bars.value.barred is Barred.SETTINGS
    return bars.value.awaits


FEW: dict[str, object] = {
    "game": "a",
    "token": 1,
    "to_jackpot": 1,
    "to_reserve": 1,
    "prizes": {},
}


@pytest.mark.parametrize(
    "terms",
    [
        None,
        [],
        {},
        "x" * 50_000,
        FEW | {"game": "a\nb"},
        FEW | {"token": -1},
        FEW | {"prizes": {"ROYAL": "all"}},
        FEW | {"prizes": {"\u001b[2J": 1}},
    ],
    ids=["null", "list", "empty", "long", "lines", "below-zero", "word", "control"],
)
def test_what_are_no_terms_hides_no_other_table(postgres: PostgresCentre, terms: object) -> None:
    """LINK 3.13.5: a table may name what it likes; the status shows all."""
    seat_table(postgres, "a")
    assert name_terms(postgres, seat_table(postgres, "b"), terms) == Awaited()
    lines = render_status(read_status(postgres.superuser))
    assert lines[2:] == [
        "  a: joined, not heard yet",
        "  b: waits, it names what are no terms at all: banco link settings",
    ]


def test_terms_with_a_prize_that_nobody_knows_are_shown(postgres: PostgresCentre) -> None:
    named = msgspec.to_builtins(TERMS, str_keys=True) | {"prizes": {"FIVE_OF_A_KIND": 10_000}}
    assert name_terms(postgres, seat_table(postgres, "a"), named) is not None
    (line,) = render_status(read_status(postgres.superuser))[2:]
    assert line.endswith("prizes FIVE_OF_A_KIND 100 %: banco link settings")

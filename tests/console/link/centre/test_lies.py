"""No table's word is believed for money (docs/link-rules.md, 2.4): members that lie."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import psycopg
import pytest

from console.link.centre.books import find_differences
from console.link.centre.status import read_status
from console.office.link.status_lines import render_status
from console.rules.link import Agree, AnyCall, Cancel, Claim, Close, Deliver, Open
from console.rules.structs import replace
from jackpot import movements
from jackpot.accounts import Balances, Transaction
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.lies import Json, Liar, mutate
from tests.console.link.linked_table import MONEY, LinkedTable
from tests.console.link.member_calls.expected import FLUSH, OPENING, TOKEN

LIES = 150
ROUND = "a/round-1"
MILLION = 1_000_000 * 1_000_000

CORRECTION = {"source": "house", "target": "reserve", "amount": 1, "reason": "looked at the table"}


def stake(identity: str = f"{ROUND}/seat-2/stake") -> Transaction:
    return movements.stake(MONEY, identity)


def back(identity: str) -> Transaction:
    return movements.stake_reversed(MONEY, identity)


def deliver(*tokens: Transaction, round: int = 1) -> Callable[[], Json]:
    return lambda: as_json(Deliver(1, round, tokens))


def as_json(call: AnyCall) -> Json:
    made: Json = msgspec.to_builtins(call)
    return made


def raw(**changed: Any) -> Callable[[], Json]:
    """A stake with these fields."""

    def make() -> Json:
        call = as_json(Deliver(1, 1, (stake(),)))
        call["transactions"][0].update(changed)
        return call

    return make


def move(**amounts: int) -> list[Json]:
    return [{"account": account, "amount": amount} for account, amount in amounts.items()]


NOT_MONEY: dict[str, Callable[[], Json]] = {
    "a stake of a million": raw(postings=move(jackpot=MILLION, house=-MILLION)),
    "at other shares": raw(postings=move(tray=-2_000_000, jackpot=2_000_000)),
    "another token": raw(
        postings=move(tray=-4_000_000, jackpot=2_800_000, reserve=400_000, house=800_000)
    ),
    "one that moves paid": raw(postings=move(jackpot=1, paid=-1)),
    "one that moves pending": raw(postings=move(jackpot=1, pending=-1)),
    "without postings": raw(postings=[]),
    "postings that are none": raw(postings=7),
    "an account that is none": raw(postings=move(till=-1, jackpot=1)),
    "an amount that is a word": raw(postings=[{"account": "jackpot", "amount": "much"}]),
    "a reason that is none": raw(reason="correction"),
    "with something more": raw(more=1),
    "another table's stake": deliver(stake("b/round-1/seat-2/stake")),
    "another round's stake": deliver(stake("a/round-2/seat-2/stake")),
    "an eighth seat": deliver(stake(f"{ROUND}/seat-8/stake")),
    "no seat": deliver(stake(f"{ROUND}/token-1")),
    "a stake twice": deliver(stake(f"{ROUND}/seat-1/stake")),
    "a stake twice in one": deliver(stake(), stake()),
    "a round never opened": deliver(stake("a/round-2/seat-2/stake"), round=2),
    "the return of a token never staked": deliver(back(f"{ROUND}/seat-2/returned")),
    "a return twice": deliver(back(f"{ROUND}/seat-3/returned")),
    "a return twice in one": deliver(*2 * (back(f"{ROUND}/seat-1/returned"),)),
    "a return before its stake": deliver(back(f"{ROUND}/seat-2/returned"), stake()),
    "a return under a stake's name": deliver(back(f"{ROUND}/seat-1/stake")),
    "another table's return": deliver(back("b/round-1/seat-1/returned")),
    "tokens that are none": lambda: as_json(Deliver(1, 1, ())) | {"transactions": 1},
    "honest ones beside it": deliver(stake(), stake(f"{ROUND}/seat-9/stake")),
    "another table's claim": lambda: as_json(Claim(1, 1, "b/round-1/award-1", FLUSH, 1)),
    "another round's claim": lambda: as_json(Claim(1, 1, "a/round-2/award-1", FLUSH, 1)),
    "a claim of nobody": lambda: as_json(Claim(1, 1, f"{ROUND}/award-1", FLUSH, 0)),
    "a claim of what wins nothing": lambda: (
        as_json(Claim(1, 1, f"{ROUND}/award-1", FLUSH, 1)) | {"combination": "PAIR"}
    ),
    "a claim by a pattern": lambda: (
        as_json(Claim(1, 1, "a/round-7/award-1", FLUSH, 1)) | {"round": "[0-9]"}
    ),
    "another table's award agreed": lambda: as_json(Agree(1, "b/round-1/award-1")),
    "another table's award cancelled": lambda: as_json(Cancel(1, "b/round-1/award-1")),
    "a round that is no number": lambda: as_json(Open(1, 2)) | {"round": "many"},
}


def seat(centre: PostgresCentre) -> tuple[LinkedTable, LinkedTable, Liar]:
    """Tables a and b with open rounds; at a a token is staked at 1, and one is returned at 3."""
    table, other = centre.table("a"), centre.table("b")
    other.open(stakes=1)
    table.open(stakes=1)
    table.card.book(stake(f"{ROUND}/seat-3/stake"))
    table.deliver(stake(f"{ROUND}/seat-3/stake"), table.take_token_back(3))
    return table, other, Liar(table, centre.connect("a"))


@pytest.mark.parametrize("lie", NOT_MONEY)
def test_what_is_no_money_of_the_terms_moves_nothing_and_bars_the_table(
    postgres: PostgresCentre, lie: str
) -> None:
    """LINK 2.4.1, 2.4.2, 2.4.3"""
    table, other, liar = seat(postgres)
    before = postgres.total
    call = NOT_MONEY[lie]() | {"n": table.card.n + 1}
    answer = liar.send(call)
    assert (answer["n"], answer["refusal"], answer["changes"]) == (call["n"], "NOT_THE_TERMS", [])
    assert postgres.total == before
    stored = "SELECT answer ->> 'refusal' FROM link.entry WHERE call = %s::jsonb"
    assert postgres.one(stored, json.dumps(call)) == "NOT_THE_TERMS"
    for again in (call, NOT_MONEY["without postings"]() | {"n": call["n"] + 1}):
        assert liar.send(again) == {"barred": "LINK_SETTINGS"}
    assert liar.greet() == {"barred": "LINK_SETTINGS"}
    assert other.stake(1).reading == OPENING + 3 * TOKEN
    assert list(find_differences(postgres.superuser)) == []


def test_the_room_and_the_status_name_it(postgres: PostgresCentre) -> None:
    """LINK 2.4.3"""
    _, _, liar = seat(postgres)
    liar.send(NOT_MONEY["without postings"]() | {"n": liar.table.card.n + 1})
    lines = render_status(read_status(postgres.superuser))
    assert "  a: barred, call 5 does not fit the terms (NOT_THE_TERMS)" in "\n".join(lines)
    room = postgres.one("SELECT link.read_room()")
    tables = {one["table"]: one["doubted"] for one in room["jackpots"][0]["tables"]}
    assert tables == {"a": True, "b": False}


def test_two_operators_who_have_looked_let_it_in_again(postgres: PostgresCentre) -> None:
    """LINK 2.4.4: and the answer that is stored is all it gets"""
    table, _, liar = seat(postgres)
    lying = Deliver(table.card.n + 1, 1, (stake(f"{ROUND}/seat-9/stake"),))
    table.ask(lambda _: lying)
    liar.send(liar.honest(lying) | {"n": lying.n})
    assert postgres.approve("correct", CORRECTION) is None
    assert liar.greet() == {"barred": "LINK_SETTINGS"}
    assert postgres.approve("correct", CORRECTION | {"member": "a"}) is None
    table.hello()
    answer = table.send()
    assert answer.refusal is not None
    assert answer.refusal.value == "NOT_THE_TERMS"
    assert table.stake(1).refusal is None
    assert list(find_differences(postgres.superuser)) == []


def test_a_stake_of_terms_that_were_changed_since_is_booked_and_of_older_ones_is_not(
    postgres: PostgresCentre,
) -> None:
    """LINK 2.4.1: since its round was opened"""
    table, other = postgres.table("a"), postgres.table("b")
    terms = {**as_terms(table), "to_jackpot": 6_000}
    table.open(stakes=1)
    late = Deliver(0, 1, (stake(),))
    assert postgres.approve("round-over", {"member": "a"}) is None
    settings = {"terms": terms, "base": 500_000, "tie": "split"}
    assert postgres.approve("settings", settings) is None
    assert table.call(lambda n: replace(late, n=n)).refusal is None
    assert other.open(stakes=0).refusal is None
    refused = other.call(lambda n: Deliver(n, 1, (stake("b/round-1/seat-1/stake"),)))
    assert refused.refusal is not None
    assert list(find_differences(postgres.superuser)) == []


def as_terms(table: LinkedTable) -> Json:
    terms = table.terms
    return {
        "game": terms.game,
        "token": terms.token,
        "to_jackpot": terms.to_jackpot,
        "to_reserve": terms.to_reserve,
        "prizes": {one.value: share for one, share in terms.prizes.items()},
    }


def test_a_token_of_an_epoch_that_has_ended_is_not_returned(postgres: PostgresCentre) -> None:
    """LINK 2.4.2"""
    table, _, _ = seat(postgres)
    known = postgres.know("a")
    listed = {"epoch": 1, "head": vars_of(table), "transactions": [], "handled": [], "act": 1}
    asked = {"member": "a", **listed, "known": as_known(known)}
    assert postgres.approve("rejoin", asked) is None
    table.hello()
    before = postgres.total
    answer = table.deliver(back(f"{ROUND}/seat-1/returned"))
    assert answer.refusal is not None
    assert postgres.total == before


def vars_of(table: LinkedTable) -> Json:
    return {"seq": table.card.head.seq, "hash": table.card.head.hash}


def as_known(known: Any) -> Json:
    record = {"seq": known.record.seq, "hash": known.record.hash}
    return {"n": known.n, "hash": known.hash, "record": record}


@pytest.mark.parametrize(
    "token",
    [raw(postings=move(jackpot=MILLION, house=-MILLION)), deliver(stake("b/round-1/seat-1/stake"))],
    ids=["a million", "another table's"],
)
def test_a_list_of_other_money_is_not_approved(
    postgres: PostgresCentre, token: Callable[[], Json]
) -> None:
    table, _, _ = seat(postgres)
    asked = {
        "member": "a",
        "epoch": 1,
        "head": vars_of(table),
        "transactions": token()["transactions"],
        "handled": [],
        "act": table.card.act,
        "known": as_known(postgres.know("a")),
    }
    before = postgres.total
    assert postgres.approve("rejoin", asked) == "NOT_THE_TERMS"
    assert postgres.total == before


@contextmanager
def believe_tables(centre: PostgresCentre) -> Iterator[None]:
    """A centre that believes any table, as somebody who owns it could make it."""
    true = centre.one("SELECT pg_get_functiondef('link.fits_terms'::regproc)")
    centre.superuser.execute(
        "CREATE OR REPLACE FUNCTION link.fits_terms(m link.member, call jsonb) RETURNS boolean "
        "LANGUAGE sql STABLE AS 'SELECT true'"
    )
    try:
        yield
    finally:
        centre.superuser.execute(true)


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        ("a stake of a million", "seat-2/stake is no token of the terms"),
        ("another table's stake", "b/round-1/seat-2/stake of a/1: it is not named after"),
        ("an eighth seat", "seat-8/stake is no token of the terms"),
        ("a round never opened", "seat-2/stake is no token of the terms"),
        ("the return of a token never staked", "seat-2/returned of a/1: it reverses no stake"),
    ],
)
def test_the_audit_asks_the_same_of_what_is_stored(
    postgres: PostgresCentre, lie: str, found: str
) -> None:
    """LINK 2.4.1, 2.4.2"""
    table, _, liar = seat(postgres)
    with believe_tables(postgres):
        assert liar.send(NOT_MONEY[lie]() | {"n": table.card.n + 1})["refusal"] is None
    assert found in "\n".join(find_differences(postgres.superuser))


@pytest.mark.parametrize(
    "balances",
    [
        {"jackpot": 1},
        {"tray": 0, "jackpot": 1, "reserve": 0, "house": 0, "pending": 0, "paid": 0},
        {"tray": 0, "jackpot": 1, "reserve": 0, "house": 0, "pending": 0, "paid": -1},
        {"tray": 0, "jackpot": "0", "reserve": 0, "house": 0, "pending": 0, "paid": 0},
        {"tray": 0, "jackpot": 10**18, "reserve": 0, "house": 0, "pending": 0, "paid": 0},
        [0, 0, 0, 0, 0, 0],
        None,
    ],
)
def test_balances_that_are_none_are_never_asked_of_operators(
    postgres: PostgresCentre, balances: Any
) -> None:
    table = LinkedTable("a", postgres.member("a"))
    table.start()
    before = postgres.total
    answer = Liar(table, postgres.connect("a")).send({"call": "join", "n": 1, "balances": balances})
    assert answer["refusal"] == "NOT_THE_TERMS"
    assert postgres.total == before
    assert not postgres.one("SELECT joined OR asked IS NOT NULL FROM link.member")


def test_random_lies_move_nothing(postgres: PostgresCentre) -> None:
    """LINK 2.4.2: each field of each message changed; what moves is tokens, or their award"""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = Random(seed)
    table, _, liar = seat(postgres)
    outcomes = {"refused": 0, "answered": 0, "no answer": 0}
    for _ in range(LIES):
        honest = liar.honest(chance.choice(honest_calls(table)))
        lie = mutate(honest, chance)
        before = postgres.total
        try:
            answer = liar.send(lie)
        except psycopg.Error:
            outcomes["no answer"] += 1
            assert postgres.total == before, (seed, lie)
            continue
        assert "barred" not in answer, (seed, lie, answer)
        table.card.n = answer["n"]
        table.card.answered, table.card.answer_hash = answer["n"], answer["hash"]
        if answer["refusal"] is None:
            outcomes["answered"] += 1
            check_moved(before, postgres.total, lie, (seed, honest, lie))
        else:
            outcomes["refused"] += 1
            assert postgres.total == before, (seed, lie)
        if answer["refusal"] == "NOT_THE_TERMS":
            assert postgres.approve("correct", CORRECTION | {"member": "a"}) is None
        assert list(find_differences(postgres.superuser)) == [], (seed, honest, lie)
    assert outcomes["refused"] > LIES // 3, outcomes


def honest_calls(table: LinkedTable) -> list[AnyCall]:
    """One of each kind, of the table's last round."""
    round, place = table.card.round, f"a/round-{table.card.round}"
    free = [s for s in range(1, 8) if f"{place}/seat-{s}/stake" not in table.card.ledger]
    return [
        Open(0, round),
        Deliver(0, round, tuple(stake(f"{place}/seat-{s}/stake") for s in free[:2])),
        Deliver(0, round, (back(f"{place}/seat-1/returned"),)),
        Claim(0, round, f"{place}/award-1", FLUSH, 1),
        Agree(0, f"{place}/award-1"),
        Cancel(0, f"{place}/award-1"),
        Close(0, round),
    ]


def check_moved(before: Balances, after: Balances, lie: Json, what: object) -> None:
    """What was taken although it was changed is a token for each it names, or an award's own."""
    tokens = lie.get("transactions") or []
    assert after.tray - before.tray == sum(
        -2_000_000 if one["reason"] == "stake" else 2_000_000 for one in tokens
    ), what
    if lie["call"] == "deliver":
        assert (after.pending, after.paid) == (before.pending, before.paid), what
    else:
        assert after.house == before.house, what
        assert after.reserve == before.reserve, what

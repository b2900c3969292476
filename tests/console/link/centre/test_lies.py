"""No table's word is believed for money (docs/reference/link-rules.md, 2.4): members that lie."""

import hmac
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import psycopg
import pytest

from console.link.centre.books import find_book_differences
from console.link.centre.room_reading import read_room
from console.link.centre.status import read_status
from console.office.link.centre import render_status
from console.rules.link import Agree, AnyCall, Cancel, Claim, Close, Deliver, Open, RecallAsked
from console.rules.structs import replace
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Balances, Transaction
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
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
    "a close with something more": lambda: as_json(Close(1, 1)) | {"more": "x" * 60_000},
    "a close with tokens": lambda: as_json(Close(1, 1)) | {"transactions": []},
    "a close of no number": lambda: as_json(Close(1, 1)) | {"round": "x" * 60_000},
    "a claim of a closed round for no combination": lambda: (
        as_json(Claim(1, 9, "a/round-9/award-1", FLUSH, 1)) | {"combination": "X" * 60_000}
    ),
}


def seat(centre: PostgresCentre) -> tuple[LinkedTable, LinkedTable, Liar]:
    """Tables a and b with open rounds; at a a token is staked at 1, and one is returned at 3."""
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
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
    assert list(find_book_differences(postgres.superuser)) == []


@pytest.mark.parametrize("round", [None, -1, 1.0, "many", []])
def test_a_round_whose_opening_was_refused_takes_no_token(
    postgres: PostgresCentre, round: Any
) -> None:
    """LINK 2.4.1: also after two operators have looked at the opening"""
    table, _, liar = seat(postgres)
    opening = as_json(Open(table.card.n + 1, 2)) | {"round": round}
    assert liar.send(opening)["refusal"] == "NOT_THE_TERMS"
    assert postgres.approve("correct", CORRECTION | {"member": "a"}) is None
    before = postgres.total
    token = msgspec.to_builtins(stake("a/round-/seat-1/stake"))
    call = {"call": "deliver", "n": table.card.n + 2, "round": round, "transactions": [token]}
    assert liar.send(call)["refusal"] == "NOT_THE_TERMS"
    assert postgres.total == before
    assert list(find_book_differences(postgres.superuser)) == []


@pytest.mark.parametrize("name", ["deliver", "close"])
def test_without_an_open_round_there_is_none_without_a_number(
    postgres: PostgresCentre, name: str
) -> None:
    """LINK 2.4.1: else a round could be opened that has stakes already"""
    table, _, liar = seat(postgres)
    table.close()
    before = postgres.total
    token = msgspec.to_builtins(stake("a/round-/seat-1/stake"))
    tokens = {"transactions": [token]} if name == "deliver" else {}
    call = {"call": name, "n": table.card.n + 1, "round": None} | tokens
    assert liar.send(call)["refusal"] == "NOT_THE_TERMS"
    assert postgres.total == before
    assert postgres.one("SELECT stakes FROM link.member WHERE name = 'a'") == 0
    assert list(find_book_differences(postgres.superuser)) == []


def test_a_number_in_a_long_text_is_not_stored_without_end(postgres: PostgresCentre) -> None:
    table, _, liar = seat(postgres)
    n = table.card.n + 1
    assert liar.send(as_json(Close(1, 9)) | {"n": f"{n:60000}"})["refusal"] == "NOT_THE_TERMS"
    assert liar.send(as_json(Close(1, 9)) | {"n": n + 1}) == {"barred": "LINK_SETTINGS"}


@pytest.mark.parametrize("hash", ["", "x" * 60_000, "0" * 63])
def test_what_has_not_the_form_of_a_record_is_not_kept(postgres: PostgresCentre, hash: str) -> None:
    """LINK 3.12.1: with an empty one, any older card would be the table's"""
    table, _, liar = seat(postgres)
    n = liar.send(as_json(Close(table.card.n + 1, 9)))["n"]
    row = "SELECT to_jsonb(m) FROM link.member AS m WHERE name = 'a'"
    before = postgres.one(row)
    head = Head(table.card.head.seq + 1, hash)
    message = {"session": table.session, "act": 0, "head": msgspec.to_builtins(head)}
    with pytest.raises(psycopg.errors.CheckViolation):
        liar.ask("close", message | {"call": as_json(Close(n + 1, 1))})
    with pytest.raises(psycopg.errors.CheckViolation):
        liar.greet(head)
    assert postgres.one(row) == before


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
    assert list(find_book_differences(postgres.superuser)) == []


def test_a_stake_of_terms_that_were_changed_since_is_booked_and_of_older_ones_is_not(
    postgres: PostgresCentre,
) -> None:
    """LINK 2.4.1: since its round was opened"""
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    terms = {**as_terms(table), "to_jackpot": 6_000}
    table.open(stakes=1)
    late = Deliver(0, 1, (stake(),))
    assert postgres.approve("round-over", {"member": "a"}) is None
    settings = {"terms": terms, "base": 500_000, "tie": "split"}
    assert postgres.approve("settings", settings) is None
    for one in (table, other):
        one.terms = replace(one.terms, to_jackpot=6_000)
        one.hello()
    assert table.call(lambda n: replace(late, n=n)).refusal is None
    assert other.open(stakes=0).refusal is None
    refused = other.call(lambda n: Deliver(n, 1, (stake("b/round-1/seat-1/stake"),)))
    assert refused.refusal is not None
    assert list(find_book_differences(postgres.superuser)) == []


def as_terms(table: LinkedTable) -> Json:
    terms = table.terms
    return {
        "game": terms.game,
        "token": terms.token,
        "to_jackpot": terms.to_jackpot,
        "to_reserve": terms.to_reserve,
        "prizes": {str(one): share for one, share in terms.prizes.items()},
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
    assert found in "\n".join(find_book_differences(postgres.superuser))


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


NOT_A_BEAT: dict[str, Any] = {
    "nothing": None,
    "a list": [],
    "without a phase": {"faults": []},
    "a phase in two lines": {"phase": "PAUSED\njackpot stud: 1.00 EUR", "faults": []},
    "faults that are null": {"phase": "PAUSED", "faults": None},
    "faults that are no list": {"phase": "PAUSED", "faults": {"a": 1}},
    "a fault that is a number": {"phase": "PAUSED", "faults": [1]},
    "a fault that is a page": {"phase": "PAUSED", "faults": ["<b>" * 1000]},
    "a thousand faults": {"phase": "PAUSED", "faults": ["RAIL_LOST"] * 1000},
    "a jackpot below nothing": {"phase": "PAUSED", "faults": [], "shown": -5},
    "half a cent": {"phase": "PAUSED", "faults": [], "shown": 1.5},
    "an outbox below nothing": {"phase": "PAUSED", "faults": [], "outbox": -1},
}


@pytest.mark.parametrize("lie", NOT_A_BEAT)
def test_a_beat_that_is_none_is_not_shown(postgres: PostgresCentre, lie: str) -> None:
    """Else room and status could show none of the other tables."""
    table, other, liar = seat(postgres)
    other.beat()
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="no beat"):
        liar.beat(NOT_A_BEAT[lie])
    tables = {one.table: one.phase for one in read_status(postgres.superuser).jackpots[0].tables}
    assert tables == {"a": None, "b": "PLAYING"}
    read_room(postgres.superuser)
    table.beat()


def test_who_names_no_session_is_fenced(postgres: PostgresCentre) -> None:
    """A new session fences older ones, also those that do not say which they are."""
    _, _, liar = seat(postgres)
    for session in ({}, {"session": None}):
        message = {"act": 0, "beat": {"phase": "PAUSED", "faults": []}, **session}
        assert liar.ask("beat", message) == {"barred": "LINK_FENCED"}
        call = liar.honest(Close(1, 1))
        message = {"act": 0, "head": msgspec.to_builtins(liar.table.card.head), "call": call}
        assert liar.ask("close", message | session) == {"barred": "LINK_FENCED"}


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
        assert list(find_book_differences(postgres.superuser)) == [], (seed, honest, lie)
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


WON = -9_000 * 1_000_000


def reckon_hash(centre: PostgresCentre, name: str, call: Json, answer: Json) -> str:
    """The hash of this as the table's next entry: no secret, so that a liar can reckon it."""
    stored = {key: answer[key] for key in ("n", "refusal", "moved")}
    query = (
        "SELECT encode(link.hash_entry(hash, name, epoch, n + 1, %s, %s::jsonb, %s::jsonb), 'hex')"
        " FROM link.member WHERE name = %s"
    )
    found: str = centre.one(query, answer["act"], json.dumps(call), json.dumps(stored), name)
    return found


def forge_call(centre: PostgresCentre, table: LinkedTable, call: Json, *moved: Json) -> Json:
    """A call that the table never made, with an answer that the centre never gave."""
    answer = {"n": call["n"], "act": 99, "refusal": None, "moved": list(moved), "reading": 0}
    hash = reckon_hash(centre, table.name, call, answer)
    return {"call": call, "answer": answer | {"hash": hash}}


def forge_correction(centre: PostgresCentre, table: LinkedTable) -> Json:
    """The house puts ten milliards into the jackpot, as the table's CLOSE is answered."""
    moved = {
        "identity": "act-99/addition",
        "reason": "correction",
        "postings": move(house=-(10**16), jackpot=10**16),
    }
    call = {"n": table.card.answered + 1, "call": "close", "round": 1}
    return forge_call(centre, table, call, moved)


def forge_change(_centre: PostgresCentre, _table: LinkedTable) -> Json:
    """An award that was never won, paid."""
    award: Json = {"identity": f"{ROUND}/award-1", "number": 99, "combination": "ROYAL_FLUSH"}
    award |= {"state": "final", "reading": 900_000, "each": 900_000}
    award |= {"winners": 1, "own": 1, "tables": 1, "awaited": 0}
    paid: Json = {"identity": f"{ROUND}/award-1/final", "reason": "award_final"}
    paid |= {"postings": move(jackpot=WON, paid=-WON)}
    return {"changes": [{"act": 99, "award": award, "transaction": paid}]}


FORGED = {"a correction": forge_correction, "an award": forge_change}


def restore(centre: PostgresCentre, table: LinkedTable) -> int:
    """The centre is set back, and recovers; the session in which the table is to tell."""
    centre.set_back(None)
    centre.recover()
    asked = table.prove()
    assert isinstance(asked, RecallAsked)
    return asked.session


def check_left_out(centre: PostgresCentre, table: LinkedTable, other: LinkedTable) -> None:
    """What the table told has moved nothing; it is named, and the others go on without it."""
    lines = render_status(read_status(centre.superuser))
    assert "  a: barred, it tells again what the centre never answered (LINK_FORKED)" in "\n".join(
        lines
    )
    (shown, _) = read_room(centre.superuser).jackpots[0].tables
    assert shown.doubted
    centre.recover(without=[table.name])
    other.hello()
    other.hello()
    assert other.stake(1).refusal is None
    assert list(find_book_differences(centre.superuser)) == []


@pytest.mark.parametrize("lie", FORGED)
@pytest.mark.parametrize("proof", [None, "", "00" * 32])
def test_what_was_never_answered_moves_nothing(
    postgres: PostgresCentre, lie: str, proof: str | None
) -> None:
    """LINK 3.13.8: its chain is no proof; a table reckons that itself"""
    table, other, liar = seat(postgres)
    postgres.save()
    session = restore(postgres, table)
    before = postgres.total
    forged = FORGED[lie](postgres, table)
    for piece in (forged.get("answer"), *forged.get("changes", ())):
        if piece is not None and proof is not None:
            piece["proof"] = proof
    assert liar.ask("recall", {"session": session, "held": forged}) == {"barred": "LINK_FORKED"}
    assert postgres.total == before
    check_left_out(postgres, table, other)


def test_a_joining_that_was_never_answered_moves_nothing(postgres: PostgresCentre) -> None:
    """LINK 3.13.8"""
    table = LinkedTable("a", postgres.member("a"))
    table.start()
    other = seat_table(postgres, "b")
    other.open(stakes=1)
    postgres.save()
    session = restore(postgres, table)
    before = postgres.total
    nothing = msgspec.to_builtins(Balances())
    forged = forge_call(postgres, table, {"n": 1, "call": "join", "balances": nothing})
    liar = Liar(table, postgres.connect("a"))
    assert liar.ask("recall", {"session": session, "held": forged}) == {"barred": "LINK_FORKED"}
    assert (postgres.total, postgres.one("SELECT joined FROM link.member WHERE name = 'a'")) == (
        before,
        False,
    )


def list_held(table: LinkedTable, count: int) -> list[Json]:
    """The pieces that it holds since, as they go over the wire, without their changes."""
    return [
        msgspec.to_builtins(replace(held, changes=()))
        for held in table.card.held[-count:]
        if held.call is not None
    ]


def test_a_proof_is_of_one_tables_one_answer(postgres: PostgresCentre) -> None:
    """LINK 3.13.8: one of another number, another table or a changed answer proves nothing"""
    table, other, liar = seat(postgres)
    postgres.save()
    table.stake(1)
    table.stake(1)
    other.stake(1)
    session = restore(postgres, table)
    first, second = list_held(table, 2)
    (theirs,) = list_held(other, 1)
    before = postgres.total
    for proof in (second["answer"]["proof"], theirs["answer"]["proof"]):
        lie = {"call": first["call"], "answer": first["answer"] | {"proof": proof}}
        assert liar.ask("recall", {"session": session, "held": lie}) == {"barred": "LINK_FORKED"}
    forged = forge_correction(postgres, table)
    forged["answer"]["proof"] = first["answer"]["proof"]
    assert liar.ask("recall", {"session": session, "held": forged}) == {"barred": "LINK_FORKED"}
    assert postgres.total == before
    answer = liar.ask("recall", {"session": session, "held": first})
    assert answer["after"] == first["call"]["n"]
    assert postgres.total.tray < before.tray


def test_a_proof_of_an_epoch_that_has_ended_proves_nothing(postgres: PostgresCentre) -> None:
    """LINK 3.13.8"""
    table, _, _ = seat(postgres)
    number = table.card.answered
    query = (
        "SELECT link.prove_answer(m, m.n, encode(m.hash, 'hex')) FROM link.member AS m"
        " WHERE name = 'a'"
    )
    answer = table.card.held[-1].answer
    assert answer is not None
    assert (answer.n, answer.proof) == (number, postgres.one(query))
    postgres.superuser.execute("UPDATE link.member SET epoch = 2 WHERE name = 'a'")
    assert answer.proof != postgres.one(query)


def test_a_change_is_told_as_it_was(postgres: PostgresCentre) -> None:
    """LINK 3.13.8: with another amount it is forged"""
    table, _, liar = seat(postgres)
    postgres.save()
    table.claim(FLUSH)
    session = restore(postgres, table)
    (held,) = list_held(table, 1)
    assert "after" in liar.ask("recall", {"session": session, "held": held})
    (change,) = msgspec.to_builtins(table.card.held[-1].changes)
    before = postgres.total
    dearer = change | {"award": change["award"] | {"each": change["award"]["each"] + 1}}
    for lie in (dearer, change | {"act": change["act"] + 1}, change | {"transaction": None}):
        answer = liar.ask("recall", {"session": session, "held": {"changes": [lie]}})
        assert answer == {"barred": "LINK_FORKED"}
    assert postgres.total == before
    answer = liar.ask("recall", {"session": session, "held": {"changes": [change]}})
    assert answer["act"] == change["act"]
    assert postgres.total.pending > before.pending


def test_a_proof_is_an_hmac_and_its_key_nobody_reads(postgres: PostgresCentre) -> None:
    """Each installation has its own; a backup of the database has it, too."""
    inner, outer = postgres.superuser.execute(
        "SELECT inner_key, outer_key FROM link.secret"
    ).fetchone() or (b"", b"")
    key = bytes(byte ^ 0x36 for byte in inner)
    assert key == bytes(byte ^ 0x5C for byte in outer)
    assert len(set(key[:32])) > 16
    assert key[32:] == bytes(32)
    proof = postgres.one("SELECT link.prove('[1, \"a\"]')")
    assert proof == hmac.new(key, b'[1, "a"]', "sha256").hexdigest()
    for name, group in (("a", "link_member"), ("olga", "link_operator"), ("rita", "link_reader")):
        postgres.make_role(name, group)
        for query in ("SELECT * FROM link.secret", "SELECT link.prove('1')"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                postgres.connect(name).execute(query.encode())

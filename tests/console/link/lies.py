"""What a lying member may send: an honest call, with any of its fields changed; or a named lie."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
from psycopg import Connection

from console.rules.link import Agree, AnyCall, Cancel, Claim, Deliver, MemberHello
from console.rules.structs import replace
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Account, Posting, Reason, Transaction
from jackpot.money.amounts import Units
from jackpot.money.prizes import Combination
from tests.console.link.linked_table import MONEY, LinkedTable

Json = dict[str, Any]

ACCOUNTS = ("tray", "jackpot", "reserve", "house", "pending", "paid")
JUNK: tuple[Any, ...] = (None, 0, -1, 1, 8, 1.5, 10**14, 10**17, "", "paid", True, [], {}, [[]])
SEATS = range(1, 8)
MUTATIONS = 30
"""How often a delivery is changed till a member could send it."""

Lie = Callable[[int], AnyCall]
"""It makes the call when it has its number."""


class Liar:
    """Speaks for a table, by its role: whatever JSON it likes. It has the table's own session."""

    def __init__(self, table: LinkedTable, connection: Connection) -> None:
        self.table = table
        self._connection = connection

    def honest(self, call: AnyCall) -> Json:
        """A call as the table would send it, under the next number."""
        made: Json = msgspec.to_builtins(replace(call, n=self.table.card.n + 1))
        return made

    def send(self, call: Json) -> Json:
        """What is answered. Raises psycopg.Error."""
        table = self.table
        request = {
            "session": table.session,
            "act": table.card.act,
            "head": msgspec.to_builtins(table.card.head),
            "call": call,
        }
        return self.ask(call["call"], request)

    def beat(self, beat: Any) -> Json:
        """What is answered to this as a beat. Raises psycopg.Error."""
        message = {"session": self.table.session, "act": self.table.card.act, "beat": beat}
        return self.ask("beat", message)

    def ask(self, function: str, message: Json) -> Json:
        """What the function answers. Raises psycopg.Error."""
        query = f"SELECT link.{function}(%s::jsonb)".encode()
        row = self._connection.execute(query, (json.dumps(message),)).fetchone()
        assert row is not None
        answer: Json = row[0]
        return answer

    def greet(self, head: Head | None = None) -> Json:
        """A hello, with a proof that is right; with this as its last record."""
        card = self.table.card
        hello = MemberHello(
            self.table.epoch,
            self.table.terms,
            card.answered,
            card.answer_hash,
            head or card.head,
            card.head,
        )
        text = msgspec.json.encode(hello).decode()
        row = self._connection.execute("SELECT link.hello(%s::jsonb)", (text,)).fetchone()
        assert row is not None
        answer: Json = row[0]
        return answer


def mutate(honest: Json, chance: Random) -> Json:
    """The call with one field changed, added or taken away, anywhere but its name and number."""
    call = deepcopy(honest)
    path, key = chance.choice(list(places_of(call)))
    there = path[key]
    kind = chance.random()
    if kind < 0.1:
        del path[key]
    elif kind < 0.2 and isinstance(path, list):
        path.append(deepcopy(there))
    elif kind < 0.4 and isinstance(there, int):
        path[key] = there + chance.choice((1, -1, 140, 10**6, -(10**6)))
    elif kind < 0.5 and isinstance(there, int):
        path[key] = -there
    elif kind < 0.7 and isinstance(there, str):
        path[key] = chance.choice(
            (
                *ACCOUNTS,
                "stake",
                "token_returned",
                "b" + there,
                there + "0",
                there.replace("1", "2"),
            )
        )
    elif kind < 0.75 and isinstance(path, dict):
        path["more"] = there
    else:
        path[key] = deepcopy(chance.choice(JUNK))
    return call


def places_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each field and each element in it, at whatever depth: where it is held, and its key."""
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        if key not in ("call", "n"):
            yield value, key
            if isinstance(value[key], dict | list):
                yield from places_of(value[key])


def tell_lie(table: LinkedTable, other: str, chance: Random) -> Lie:
    """A lie of a night: false tokens beside true ones, or an award that is not its own.

    Whatever is answered meanwhile, it fits no terms. `other`: another table.
    """
    round = table.card.round
    if chance.random() < 0.25:
        return chance.choice(list_false_claims(table, other))
    true = list_free_stakes(table)[: chance.randint(0, 2)]
    if true and chance.random() < 0.4:
        call = mutate_delivery(table.name, Deliver(0, round, tuple(true)), chance)
        return lambda n: replace(call, n=n)
    false = chance.choice(list_false_tokens(table, other))
    seats = {seat_of(one) for one in false}
    tokens = [*false, *(one for one in true if seat_of(one) not in seats)]
    chance.shuffle(tokens)
    return lambda n: Deliver(n, round, tuple(tokens))


def list_free_stakes(table: LinkedTable) -> list[Transaction]:
    """The stakes that may come yet in its round."""
    stakes = [movements.stake(MONEY, table.identity(f"seat-{seat}/stake")) for seat in SEATS]
    return [one for one in stakes if one.identity not in table.card.ledger]


def list_false_tokens(table: LinkedTable, other: str) -> list[tuple[Transaction, ...]]:
    """What is no money of the terms, or not the table's to move."""
    ledger, later = table.card.ledger, table.card.round + 1
    token = movements.stake(MONEY, table.identity("seat-7/stake"))
    false = [
        (post_otherwise(token, tray=-2_000_000, jackpot=2_000_000),),
        (
            post_otherwise(
                token, tray=-4_000_000, jackpot=2_800_000, reserve=400_000, house=800_000
            ),
        ),
        (post_otherwise(token, jackpot=10**12, house=-(10**12)),),
        (post_otherwise(token, jackpot=1, paid=-1),),
        (post_otherwise(token, jackpot=1, pending=-1),),
        (post_otherwise(token),),
        (replace(token, reason=Reason.CORRECTION),),
        (token, token),
        (movements.stake(MONEY, f"{other}/round-{table.card.round}/seat-1/stake"),),
        (movements.stake(MONEY, f"{table.name}/round-{later}/seat-1/stake"),),
        (movements.stake(MONEY, table.identity("seat-8/stake")),),
        (movements.stake(MONEY, table.identity("token-1")),),
        (movements.stake_reversed(MONEY, token.identity),),
        (movements.stake_reversed(MONEY, f"{other}/round-{table.card.round}/seat-1/returned"),),
    ]
    for seat in SEATS:
        stake, back = (table.identity(f"seat-{seat}/{what}") for what in ("stake", "returned"))
        if stake not in ledger:
            false.append((movements.stake_reversed(MONEY, back),))
        elif not table.card.void:
            false.append((ledger[stake],))
        if back in ledger and not table.card.void:
            false.append((ledger[back],))
    return false


def seat_of(token: Transaction) -> str:
    """TABLE/round-R/seat-S"""
    return token.identity.rpartition("/")[0]


def post_otherwise(token: Transaction, **amounts: int) -> Transaction:
    """The token with other postings."""
    postings = (Posting(Account(name), Units(amount)) for name, amount in amounts.items())
    return replace(token, postings=tuple(postings))


def list_false_claims(table: LinkedTable, other: str) -> list[Lie]:
    """What is said of an award that is not the table's, or not of its round, or nobody's."""
    round, royal = table.card.round, Combination.ROYAL_FLUSH
    theirs = f"{other}/round-{round}/award-1"
    later = f"{table.name}/round-{round + 1}/award-1"
    nobodys = f"{table.name}/round-{round}/award-99"
    return [
        lambda n: Claim(n, round, theirs, royal, 1),
        lambda n: Claim(n, round, later, royal, 1),
        lambda n: Claim(n, round, nobodys, royal, 0),
        lambda n: Claim(n, round, nobodys, royal, -1),
        lambda n: Agree(n, theirs),
        lambda n: Cancel(n, theirs),
    ]


def mutate_delivery(name: str, honest: Deliver, chance: Random) -> Deliver:
    """The delivery with a field changed, so that a member can send it and it cannot be true."""
    for _ in range(MUTATIONS):
        raw = mutate(msgspec.to_builtins(honest), chance)
        try:
            changed = msgspec.convert(raw, Deliver)
        except msgspec.ValidationError:
            continue
        if msgspec.to_builtins(changed) == raw and not may_be_true(name, changed):
            return changed
    (first, *rest) = honest.transactions
    return replace(honest, transactions=(post_otherwise(first, tray=-1, jackpot=1), *rest))


def may_be_true(name: str, call: Deliver) -> bool:
    """Whether each is a token of the terms, at a seat of its round, once."""
    place = f"{name}/round-{call.round}/seat-"
    stakes = [movements.stake(MONEY, f"{place}{seat}/stake") for seat in SEATS]
    backs = [movements.stake_reversed(MONEY, f"{place}{seat}/returned") for seat in SEATS]
    true = {one.identity: one for one in (*stakes, *backs)}
    tokens = {one.identity: one for one in call.transactions}
    return len(tokens) == len(call.transactions) and all(
        identity in true
        and one.reason is true[identity].reason
        and set(one.postings) == set(true[identity].postings)
        for identity, one in tokens.items()
    )

"""What a lying member may send: an honest call, with any of its fields changed."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
from psycopg import Connection

from console.rules.link import AnyCall, MemberHello
from console.rules.structs import replace
from jackpot.journal import Head
from tests.console.link.linked_table import LinkedTable

Json = dict[str, Any]

ACCOUNTS = ("tray", "jackpot", "reserve", "house", "pending", "paid")
JUNK: tuple[Any, ...] = (None, 0, -1, 1, 8, 1.5, 10**14, 10**17, "", "paid", True, [], {}, [[]])


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
        query = f"SELECT link.{call['call']}(%s::jsonb)".encode()
        row = self._connection.execute(query, (json.dumps(request),)).fetchone()
        assert row is not None
        answer: Json = row[0]
        return answer

    def greet(self) -> Json:
        """A hello, with a proof that is right."""
        card = self.table.card
        head = Head(card.head.seq, card.head.hash)
        hello = MemberHello(
            self.table.epoch, self.table.terms, card.answered, card.answer_hash, head, head
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

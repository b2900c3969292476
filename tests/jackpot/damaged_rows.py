"""Damage to the ledger's rows as a hand with a database tool does it, and knows about hashes."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import Any

from jackpot.accounts import Balances
from jackpot.journal import (
    GENESIS,
    JournalRow,
    Movement,
    balances_text,
    digest_of,
    hash_record,
    money_text,
    movement_text,
    movements_in,
    transaction_of,
)
from jackpot.schema import FILE
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import Sound

_JOURNAL_MODE = slice(18, 20)
"""Where a database file says that it has a log; one in memory cannot have one."""

_INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


NEITHER = (7, "x", [7], [{"decision": 7}])
"""What stands neither for changes nor for decisions."""


class Hand:
    """Somebody at the tables of a ledger's database."""

    def __init__(self, database: sqlite3.Connection, random: Random) -> None:
        self.execute = database.execute
        self.random = random
        (self.last,) = self.execute("SELECT max(seq) FROM journal").fetchone()

    def any_record(self, where: str = "TRUE") -> int:
        """The number of one of these."""
        found = self.execute(f"SELECT seq FROM journal WHERE {where}").fetchall()
        return int(self.random.choice(found)[0])

    def edit_any(self) -> int:
        """Change one column of one record; its number."""
        columns = {
            "boot": lambda old: old + 1,
            "round": lambda old: old + 1,
            "at_ms": lambda old: old + self.random.randrange(1, 9_000),
            "wall": lambda old: old.replace("2000-01-01", "2000-01-02"),
            "settings_version": lambda old: old + 1,
            "body": self._other_body,
        }
        column = self.random.choice(list(columns))
        seq = self.any_record()
        (old,) = self.execute(f"SELECT {column} FROM journal WHERE seq = ?", (seq,)).fetchone()
        new = columns[column](old)
        assert new != old, f"record {seq}: its {column} is edited, and the same"
        self.execute(f"UPDATE journal SET {column} = ? WHERE seq = ?", (new, seq))
        return seq

    def move_other_money(self) -> int:
        """Change what a record moves, so that it still sums to zero; its number."""
        seq = self.any_record("money IS NOT NULL")
        (text,) = self.execute("SELECT money FROM journal WHERE seq = ?", (seq,)).fetchone()
        movements = list(movements_in(text))
        first = movements[0]
        (one, units), (other, others), *rest = first.postings
        by = 0
        while 0 in (by, units + by, others - by):  # a posting of nothing is none
            by = self.random.randrange(1, 140) * 10_000  # less than any part of a token
        movements[0] = Movement(
            first.identity, first.reason, ((one, units + by), (other, others - by), *rest)
        )
        self._set_money(seq, movements)
        return seq

    def hash_alone(self, seq: int) -> None:
        """Make this record's own hash fit; not the next one's."""
        (before,) = self.execute(
            "SELECT max(hash) FROM journal WHERE seq = ?", (seq - 1,)
        ).fetchone()
        self._hash(seq, before or GENESIS)

    def hash_all(self, first: int = 1) -> None:
        """Make every hash fit from this record on, every balance, every digest, and the head."""
        self._state_balances()
        (before,) = self.execute(
            "SELECT max(hash) FROM journal WHERE seq = ?", (first - 1,)
        ).fetchone()
        previous = before or GENESIS
        for (seq,) in self.execute(
            "SELECT seq FROM journal WHERE seq >= ? ORDER BY seq", (first,)
        ).fetchall():
            previous = self._hash(seq, previous)
        self.execute("UPDATE meta SET seq = (SELECT max(seq) FROM journal), hash = ?", (previous,))

    def _hash(self, seq: int, previous: bytes) -> bytes:
        *row, money, _ = self.execute("SELECT * FROM journal WHERE seq = ?", (seq,)).fetchone()
        digest = hash_record(previous, JournalRow(*row), money)
        self.execute("UPDATE journal SET hash = ? WHERE seq = ?", (digest, seq))
        return digest

    def _set_money(self, seq: int, movements: list[Movement]) -> None:
        texts = [movement_text(movement) for movement in movements]
        self.execute("UPDATE journal SET money = ? WHERE seq = ?", (money_text(texts), seq))

    def _state_balances(self) -> None:
        """Have records, identities and head say what the money now adds up to."""
        balances = Balances()
        self.execute("DELETE FROM identity")
        for seq, body, money in self.execute("SELECT seq, body, money FROM journal").fetchall():
            for movement in movements_in(money):
                balances = balances.after(transaction_of(movement))
                known = (movement.identity, seq, digest_of(movement_text(movement)))
                self.execute("INSERT INTO identity VALUES (?, ?, ?)", known)
            content = json.loads(body)
            for place in (content, content.get("changes"), content.get("state")):
                if isinstance(place, dict) and "balances" in place:
                    place["balances"] = balances.to_dict()
            text = json.dumps(content, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
            self.execute("UPDATE journal SET body = ? WHERE seq = ?", (text, seq))
        self.execute("UPDATE meta SET balances = ?", (balances_text(balances),))

    def _other_body(self, body: str) -> str:
        content: dict[str, Any] = json.loads(body)
        what = self.random.random()
        if what < 0.1:
            content[self.random.choice(("changes", "decisions"))] = self.random.choice(NEITHER)
        elif what < 0.5 or "changes" not in content:
            content["note"] = self.random.randrange(99)
        else:
            content["changes"]["round"] = content["changes"].get(
                "round", 0
            ) + self.random.randrange(1, 99)
        return json.dumps(content, separators=(",", ":"), sort_keys=True)


def with_hand(sound: Sound, random: Random, do: Callable[[Hand], None]) -> Folder:
    """What the files are when somebody has done this to the tables, the service being stopped."""
    content = bytearray(sound.closed[FILE])
    kept, content[_JOURNAL_MODE] = content[_JOURNAL_MODE], b"\1\1"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.deserialize(bytes(content))
        do(Hand(database, random))
        content = bytearray(database.serialize())
    content[_JOURNAL_MODE] = kept
    return sound.closed | {FILE: bytes(content)}


def edit_record(hand: Hand) -> None:
    hand.edit_any()


def edit_record_and_hash(hand: Hand) -> None:
    hand.hash_alone(hand.edit_any())


def chain_rewritten(hand: Hand) -> None:
    hand.hash_all(hand.edit_any())


def money_edited(hand: Hand) -> None:
    hand.move_other_money()


def money_edited_with_its_hash(hand: Hand) -> None:
    hand.hash_alone(hand.move_other_money())


def money_and_chain_rewritten(hand: Hand) -> None:
    """Every amount, balance, hash and the head fit each other again."""
    hand.move_other_money()
    hand.hash_all()


def swap_records(hand: Hand) -> None:
    """Two records change their numbers."""
    one, other = hand.random.sample(range(1, hand.last + 1), 2)
    for old, new in ((one, -1), (other, one), (-1, other)):
        hand.execute("UPDATE journal SET seq = ? WHERE seq = ?", (new, old))


def delete_record(hand: Hand) -> None:
    hand.execute("DELETE FROM journal WHERE seq = ?", (hand.any_record(),))


def delete_and_renumber(hand: Hand) -> None:
    """The later ones are numbered anew, every hash fits, and so does the head."""
    gone = hand.any_record("money IS NULL AND kind <> 'snapshot'")
    hand.execute("DELETE FROM journal WHERE seq = ?", (gone,))
    for seq in range(gone + 1, hand.last + 1):
        hand.execute("UPDATE journal SET seq = ? WHERE seq = ?", (seq - 1, seq))
    hand.hash_all()


def end_cut_off(hand: Hand) -> None:
    first = hand.random.randrange(2, hand.last + 1)
    hand.execute("DELETE FROM journal WHERE seq >= ?", (first,))


def end_cut_off_and_head_adjusted(hand: Hand) -> None:
    end_cut_off(hand)
    hand.hash_all()


def insert_copy(hand: Hand) -> None:
    """A copy of a record once more at the end, or between two whose numbers make room."""
    copied, at = hand.any_record(), hand.random.randrange(1, hand.last + 2)
    row = hand.execute("SELECT * FROM journal WHERE seq = ?", (copied,)).fetchone()
    for seq in range(hand.last, at - 1, -1):
        hand.execute("UPDATE journal SET seq = ? WHERE seq = ?", (seq + 1, seq))
    hand.execute(_INSERT, (at, *row[1:]))
    if hand.random.random() < 0.5:
        hand.hash_alone(at)


def add_record(hand: Hand) -> None:
    """One more record at the end, as an earlier one was, and the head says so."""
    copied = hand.any_record("money IS NULL AND kind <> 'snapshot'")
    row = hand.execute("SELECT * FROM journal WHERE seq = ?", (copied,)).fetchone()
    last = hand.execute("SELECT * FROM journal WHERE seq = ?", (hand.last,)).fetchone()
    _, boot, _, round, at_ms, *_ = last
    _, _, kind, _, _, *rest = row
    hand.execute(_INSERT, (hand.last + 1, boot, kind, round, at_ms + 1_000, *rest))
    hand.hash_all(hand.last + 1)


def balance_edited(hand: Hand) -> None:
    (text,) = hand.execute("SELECT balances FROM meta").fetchone()
    balances = json.loads(text)
    one, other = hand.random.sample(sorted(balances), 2)
    by = hand.random.randrange(1, 10**9)
    balances[one] += by
    if hand.random.random() < 0.8:  # and the sum is still zero
        balances[other] -= by
    new = json.dumps(balances, separators=(",", ":"), sort_keys=True)
    hand.execute("UPDATE meta SET balances = ?", (new,))


def head_edited(hand: Hand) -> None:
    seq = hand.random.randrange(hand.last)
    found = hand.execute("SELECT hash FROM journal WHERE seq = ?", (seq,)).fetchone()
    digest = found[0] if found and hand.random.random() < 0.5 else hand.random.randbytes(32)
    hand.execute("UPDATE meta SET seq = ?, hash = ?", (seq, digest))


def snapshot_edited(hand: Hand) -> None:
    """What a start begins with says another jackpot; its own hash fits, and the balances do."""
    seq = hand.any_record("kind = 'snapshot'")
    (body,) = hand.execute("SELECT body FROM journal WHERE seq = ?", (seq,)).fetchone()
    content, by = json.loads(body), hand.random.randrange(1, 10**9)
    for balances in (content["balances"], content["state"]["balances"]):
        balances["jackpot"] += by
        balances["house"] -= by
    new = json.dumps(content, separators=(",", ":"), sort_keys=True)
    hand.execute("UPDATE journal SET body = ? WHERE seq = ?", (new, seq))
    hand.hash_alone(seq)


def snapshot_made(hand: Hand) -> None:
    """A record says that it is one, or the only one says that it is none."""
    seq = hand.any_record()
    (kind,) = hand.execute("SELECT kind FROM journal WHERE seq = ?", (seq,)).fetchone()
    kind = "button" if kind == "snapshot" else "snapshot"
    hand.execute("UPDATE journal SET kind = ? WHERE seq = ?", (kind, seq))
    if hand.random.random() < 0.5:
        hand.hash_alone(seq)


def identity_edited(hand: Hand) -> None:
    """A transaction is known otherwise, or not any more; or one that never was."""
    known = hand.execute("SELECT identity FROM identity").fetchall()
    (identity,) = hand.random.choice(known)
    digest = hand.random.randbytes(16)
    match hand.random.randrange(4):
        case 0:
            hand.execute("DELETE FROM identity WHERE identity = ?", (identity,))
        case 1:
            change = "UPDATE identity SET digest = ? WHERE identity = ?"
            hand.execute(change, (digest, identity))
        case 2:
            change = "UPDATE identity SET seq = seq + 1 WHERE identity = ?"
            hand.execute(change, (identity,))
        case _:
            hand.execute("INSERT INTO identity VALUES (?, ?, ?)", (f"{identity}x", 1, digest))


def tables_edited(hand: Hand) -> None:
    """An index, a table or the version is another."""
    statements = (
        "DROP INDEX journal_snapshot",
        "DROP TABLE identity",
        "DELETE FROM identity",
        "DROP TABLE meta",
        "DELETE FROM meta",
        "DELETE FROM journal",
        "DROP TABLE journal",
        f"PRAGMA user_version = {hand.random.randrange(9)}",
        "UPDATE meta SET anchor_seq = 5",
    )
    hand.execute(hand.random.choice(statements))

"""Damage to the ledger's rows as a hand with a database tool does it, and knows about hashes."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import Any

from jackpot.ledger.journal import (
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
from jackpot.ledger.schema import FILE
from jackpot.money.accounts import Balances
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import SoundLedger

_JOURNAL_MODE = slice(18, 20)
"""Where a database file says that it has a log; one in memory cannot have one."""

_INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


NEITHER = (7, "x", [7], [{"decision": 7}])
"""What stands neither for changes nor for decisions."""


class RowEditor:
    """Edits the tables of a ledger's database."""

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


def with_hand(sound: SoundLedger, random: Random, do: Callable[[RowEditor], None]) -> Folder:
    """What the files are when somebody has done this to the tables, the service being stopped."""
    content = bytearray(sound.closed[FILE])
    kept, content[_JOURNAL_MODE] = content[_JOURNAL_MODE], b"\1\1"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.deserialize(bytes(content))
        do(RowEditor(database, random))
        content = bytearray(database.serialize())
    content[_JOURNAL_MODE] = kept
    return sound.closed | {FILE: bytes(content)}


def edit_record(editor: RowEditor) -> None:
    editor.edit_any()


def edit_record_and_hash(editor: RowEditor) -> None:
    editor.hash_alone(editor.edit_any())


def chain_rewritten(editor: RowEditor) -> None:
    editor.hash_all(editor.edit_any())


def money_edited(editor: RowEditor) -> None:
    editor.move_other_money()


def money_edited_with_its_hash(editor: RowEditor) -> None:
    editor.hash_alone(editor.move_other_money())


def money_and_chain_rewritten(editor: RowEditor) -> None:
    """Every amount, balance, hash and the head fit each other again."""
    editor.move_other_money()
    editor.hash_all()


def swap_records(editor: RowEditor) -> None:
    """Two records change their numbers."""
    one, other = editor.random.sample(range(1, editor.last + 1), 2)
    for old, new in ((one, -1), (other, one), (-1, other)):
        editor.execute("UPDATE journal SET seq = ? WHERE seq = ?", (new, old))


def delete_record(editor: RowEditor) -> None:
    editor.execute("DELETE FROM journal WHERE seq = ?", (editor.any_record(),))


def delete_and_renumber(editor: RowEditor) -> None:
    """The later ones are numbered anew, every hash fits, and so does the head."""
    gone = editor.any_record("money IS NULL AND kind <> 'snapshot'")
    editor.execute("DELETE FROM journal WHERE seq = ?", (gone,))
    for seq in range(gone + 1, editor.last + 1):
        editor.execute("UPDATE journal SET seq = ? WHERE seq = ?", (seq - 1, seq))
    editor.hash_all()


def end_cut_off(editor: RowEditor) -> None:
    first = editor.random.randrange(2, editor.last + 1)
    editor.execute("DELETE FROM journal WHERE seq >= ?", (first,))


def end_cut_off_and_head_adjusted(editor: RowEditor) -> None:
    end_cut_off(editor)
    editor.hash_all()


def insert_copy(editor: RowEditor) -> None:
    """A copy of a record once more at the end, or between two whose numbers make room."""
    copied, at = editor.any_record(), editor.random.randrange(1, editor.last + 2)
    row = editor.execute("SELECT * FROM journal WHERE seq = ?", (copied,)).fetchone()
    for seq in range(editor.last, at - 1, -1):
        editor.execute("UPDATE journal SET seq = ? WHERE seq = ?", (seq + 1, seq))
    editor.execute(_INSERT, (at, *row[1:]))
    if editor.random.random() < 0.5:
        editor.hash_alone(at)


def add_record(editor: RowEditor) -> None:
    """One more record at the end, as an earlier one was, and the head says so."""
    copied = editor.any_record("money IS NULL AND kind <> 'snapshot'")
    row = editor.execute("SELECT * FROM journal WHERE seq = ?", (copied,)).fetchone()
    last = editor.execute("SELECT * FROM journal WHERE seq = ?", (editor.last,)).fetchone()
    _, boot, _, round, at_ms, *_ = last
    _, _, kind, _, _, *rest = row
    editor.execute(_INSERT, (editor.last + 1, boot, kind, round, at_ms + 1_000, *rest))
    editor.hash_all(editor.last + 1)


def balance_edited(editor: RowEditor) -> None:
    (text,) = editor.execute("SELECT balances FROM meta").fetchone()
    balances = json.loads(text)
    one, other = editor.random.sample(sorted(balances), 2)
    by = editor.random.randrange(1, 10**9)
    balances[one] += by
    if editor.random.random() < 0.8:  # and the sum is still zero
        balances[other] -= by
    new = json.dumps(balances, separators=(",", ":"), sort_keys=True)
    editor.execute("UPDATE meta SET balances = ?", (new,))


def head_edited(editor: RowEditor) -> None:
    seq = editor.random.randrange(editor.last)
    found = editor.execute("SELECT hash FROM journal WHERE seq = ?", (seq,)).fetchone()
    digest = found[0] if found and editor.random.random() < 0.5 else editor.random.randbytes(32)
    editor.execute("UPDATE meta SET seq = ?, hash = ?", (seq, digest))


def snapshot_edited(editor: RowEditor) -> None:
    """What a start begins with says another jackpot; its own hash fits, and the balances do."""
    seq = editor.any_record("kind = 'snapshot'")
    (body,) = editor.execute("SELECT body FROM journal WHERE seq = ?", (seq,)).fetchone()
    content, by = json.loads(body), editor.random.randrange(1, 10**9)
    for balances in (content["balances"], content["state"]["balances"]):
        balances["jackpot"] += by
        balances["house"] -= by
    new = json.dumps(content, separators=(",", ":"), sort_keys=True)
    editor.execute("UPDATE journal SET body = ? WHERE seq = ?", (new, seq))
    editor.hash_alone(seq)


def snapshot_made(editor: RowEditor) -> None:
    """A record says that it is one, or the only one says that it is none."""
    seq = editor.any_record()
    (kind,) = editor.execute("SELECT kind FROM journal WHERE seq = ?", (seq,)).fetchone()
    kind = "button" if kind == "snapshot" else "snapshot"
    editor.execute("UPDATE journal SET kind = ? WHERE seq = ?", (kind, seq))
    if editor.random.random() < 0.5:
        editor.hash_alone(seq)


def identity_edited(editor: RowEditor) -> None:
    """A transaction is known otherwise, or not any more; or one that never was."""
    known = editor.execute("SELECT identity FROM identity").fetchall()
    (identity,) = editor.random.choice(known)
    digest = editor.random.randbytes(16)
    match editor.random.randrange(4):
        case 0:
            editor.execute("DELETE FROM identity WHERE identity = ?", (identity,))
        case 1:
            change = "UPDATE identity SET digest = ? WHERE identity = ?"
            editor.execute(change, (digest, identity))
        case 2:
            change = "UPDATE identity SET seq = seq + 1 WHERE identity = ?"
            editor.execute(change, (identity,))
        case _:
            editor.execute("INSERT INTO identity VALUES (?, ?, ?)", (f"{identity}x", 1, digest))


def tables_edited(editor: RowEditor) -> None:
    """An index, a table or the version is another."""
    statements = (
        "DROP INDEX journal_snapshot",
        "DROP TABLE identity",
        "DELETE FROM identity",
        "DROP TABLE meta",
        "DELETE FROM meta",
        "DELETE FROM journal",
        "DROP TABLE journal",
        f"PRAGMA user_version = {editor.random.randrange(9)}",
        "UPDATE meta SET anchor_seq = 5",
    )
    editor.execute(editor.random.choice(statements))

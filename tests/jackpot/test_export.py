"""An export says what the ledger says, signed, also while the service writes on."""

import json
import sqlite3
import threading
import tracemalloc
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from console.rules.structs import replace
from jackpot.ledger.ledger import Ledger, read_records, verify
from jackpot.money.accounts import Balances
from jackpot.money.movements import stake
from jackpot.trust.export import ExportRange, export
from jackpot.trust.second_copy import PAGE
from jackpot.trust.signing import PrivateKey
from tests.deadlines import DEADLINE_S
from tests.jackpot.exports import WHOLE, check, lines_of, make_export
from tests.jackpot.money import SETTINGS, entry, open_ledger


def test_the_whole_ledger_is_exported_and_checks(ledger: Path, out: Path, key: PrivateKey) -> None:
    written = make_export(ledger, out, key)
    report = verify(ledger)
    found = check(out, key)
    assert found.problems == ()
    assert found.head == written.head == report.head
    assert found.balances == written.balances == report.balances
    assert found.records == written.records == report.records == 10
    assert (found.header.table, found.header.first) == ("caribbean-1", 1)


def test_every_record_is_there_as_it_was_hashed(ledger: Path, out: Path, key: PrivateKey) -> None:
    make_export(ledger, out, key)
    header, *records, end, signature = map(json.loads, lines_of(out))
    previous = bytes.fromhex(header["previous"])
    for exported, record in zip(records, read_records(ledger), strict=True):
        text = json.dumps(exported["hashed"], separators=(",", ":"), ensure_ascii=False)
        previous = sha256(previous + text.encode()).digest()
        assert exported["hash"] == previous.hex() == record.hash
        (seq, _, kind, *_, body), movements = exported["hashed"]
        assert (seq, kind, json.loads(body)) == (record.seq, record.kind, record.body)
        assert [one[0] for one in movements] == [one.identity for one in record.transactions]
    assert end["hash"] == previous.hex()
    assert signature["key"] == key.fingerprint


@pytest.mark.parametrize(
    ("first", "last"), [(1, 1), (1, 6), (3, 5), (6, 6), (7, 9), (10, 10), (None, 4), (8, None)]
)
def test_a_part_begins_with_the_balances_before_it(
    ledger: Path, out: Path, key: PrivateKey, first: int | None, last: int | None
) -> None:
    make_export(ledger, out, key, ExportRange(first, last))
    found = check(out, key)
    records = list(read_records(ledger))[(first or 1) - 1 : last]
    assert found.problems == ()
    assert (found.header.first, found.head.seq) == (first or 1, last or 10)
    assert found.header.previous == records[0].previous
    before = Balances()
    for record in read_records(ledger, limit=(first or 1) - 1):
        for transaction in record.transactions:
            before = before.after(transaction)
    assert found.header.balances == before.to_dict()


def test_parts_that_follow_each_other_fit(ledger: Path, tmp_path: Path, key: PrivateKey) -> None:
    found = []
    for first, last in ((1, 4), (5, 8), (9, 10)):
        file = tmp_path / f"{first}.jsonl"
        make_export(ledger, file, key, ExportRange(first, last))
        found.append(check(file, key))
    for one, next_one in pairwise(found):
        assert next_one.header.previous == one.head.hash
        assert next_one.header.first == one.head.seq + 1
        assert next_one.header.balances == one.balances.to_dict()


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2026-11-20", None, (3, 8)),
        ("2026-11-20T23", "2026-11-21", (5, 7)),
        (None, "2026-11-19", (1, 2)),
        ("2026-11-20T21:30", "2026-11-20T23:00", (4, 5)),
        (4, "2026-11-20", (4, 5)),
        # A clock that was set back during the night leaves nothing out.
        ("2026-11-21T01:30", None, (7, 8)),
    ],
)
def test_a_part_by_the_clock(
    tmp_path: Path,
    out: Path,
    key: PrivateKey,
    first: str | int | None,
    last: str | None,
    expected: tuple[int, int],
) -> None:
    walls = [
        "2026-11-19T20:00:00.000+00:00",
        "2026-11-19T23:59:59.999+00:00",
        "2026-11-20T21:00:00.000+00:00",
        "2026-11-20T22:00:00.000+00:00",
        "2026-11-20T23:00:59.000+00:00",
        "2026-11-21T01:00:00.000+00:00",
        "2026-11-21T02:00:00.000+00:00",
        "2026-11-22T20:00:00.000+00:00",
    ]
    with closing(open_ledger(tmp_path / "ledger")) as ledger:
        ledger.commit([replace(entry(), wall=wall) for wall in walls])
    make_export(tmp_path / "ledger", out, key, ExportRange(first, last))
    found = check(out, key)
    assert found.problems == ()
    assert (found.header.first, found.head.seq) == expected


def tokens(ledger: Ledger, numbers: Iterable[int]) -> None:
    ledger.commit([entry(stake(SETTINGS, f"token {number}")) for number in numbers])


class SlowKey:
    """A key that is slow to sign: the service writes on, and tidies its write-ahead log."""

    def __init__(self, key: PrivateKey, ledger: Ledger, folder: Path) -> None:
        self.fingerprint = key.fingerprint
        self.busy: list[int] = []
        self._key, self._ledger, self._folder = key, ledger, folder

    def sign(self, signed: bytes) -> bytes:
        tokens(self._ledger, range(10_000, 10_010))
        with closing(sqlite3.connect(self._folder / "ledger.db")) as other:
            self.busy += other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[:1]
        return self._key.sign(signed)


def test_the_ledger_is_not_held_while_the_file_is_made(
    tmp_path: Path, out: Path, key: PrivateKey
) -> None:
    folder = tmp_path / "ledger"
    with closing(open_ledger(folder)) as ledger:
        tokens(ledger, range(300))
        slow = SlowKey(key, ledger, folder)
        export(folder, out, slow, table="", written="", stretch=WHOLE)
        assert slow.busy == [0]
        assert ledger.head.seq == 310
    found = check(out, key)
    assert (found.problems, found.head.seq) == ((), 300)


def test_it_ends_where_the_ledger_ended_when_it_began(
    tmp_path: Path, out: Path, key: PrivateKey
) -> None:
    folder = tmp_path / "ledger"
    stop, written_once = threading.Event(), threading.Event()
    with closing(open_ledger(folder)) as ledger:
        tokens(ledger, range(1_000))

        def play() -> None:
            number = 1_000
            while not stop.is_set():
                tokens(ledger, [number])
                number += 1
                written_once.set()

        service = threading.Thread(target=play)
        service.start()
        try:
            assert written_once.wait(DEADLINE_S)
            written = make_export(folder, out, key)
        finally:
            stop.set()
            service.join(DEADLINE_S)
        head = ledger.head
    found = check(out, key)
    assert found.problems == ()
    assert 1_000 < found.head.seq == written.head.seq <= head.seq
    records = list(read_records(folder, after=found.head.seq - 1, limit=1))
    assert records[0].hash == found.head.hash


def test_memory_does_not_grow_with_the_ledger(tmp_path: Path, key: PrivateKey) -> None:
    """Pages of it are held, and it has eight"""
    folder, out = tmp_path / "ledger", tmp_path / "long.jsonl"
    with closing(Ledger.open(folder, durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([entry(text="x" * 3_000) for _ in range(8 * PAGE)])
    make_export(
        folder, tmp_path / "warm.jsonl", key, ExportRange(1, 2 * PAGE)
    )  # what is made once is
    assert check(tmp_path / "warm.jsonl", key).sound
    tracemalloc.start()
    make_export(folder, out, key)
    assert check(out, key).sound
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < out.stat().st_size / 2

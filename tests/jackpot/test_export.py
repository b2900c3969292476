"""An export says what the ledger says, signed; whatever is done to the file afterwards is named."""

import json
import random
import sqlite3
import threading
import tracemalloc
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jackpot.accounts import Balances
from jackpot.amounts import Units
from jackpot.export import Exported, NotExported, Stretch, export
from jackpot.export_check import CheckedExport, NotAnExport, check_export
from jackpot.export_lines import Signature, line_of, read_line
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger import Ledger, read_records, verify
from jackpot.movements import award_pending, opening, stake
from jackpot.second_copy import PAGE
from jackpot.signing import PrivateKey, load_private, make_pair
from tests.jackpot.money import SETTINGS, an_evening, damage, entry, money_of, opened

DEADLINE_S = 30
WHOLE = Stretch()

Lines = list[bytes]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> PrivateKey:
    file = tmp_path_factory.mktemp("keys") / "house.key"
    make_pair(file)
    return load_private(file)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Ten records: the opening, four tokens, a snapshot (6), four tokens."""
    folder = tmp_path / "ledger"
    an_evening(folder, tokens=8, snapshot_after=4)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "caribbean-1.jsonl"


def exported(ledger: Path, out: Path, key: PrivateKey, stretch: Stretch = WHOLE) -> Exported:
    written = "2026-11-21T06:00:00.000+00:00"
    return export(ledger, out, key, table="caribbean-1", written=written, stretch=stretch)


def checked(out: Path, key: PrivateKey) -> CheckedExport:
    return check_export(out, key.public)


def lines_of(out: Path) -> Lines:
    return out.read_bytes().splitlines(keepends=True)


def signed_anew(lines: Lines, key: PrivateKey) -> bytes:
    """The lines but the last one, signed as the house would."""
    content = b"".join(lines[:-1])
    digest = sha256(content)
    signature = key.sign(digest.digest()).hex()
    return content + line_of(Signature(signature, key.fingerprint, digest.hexdigest()))


def rechained(lines: Lines) -> Lines:
    """The same records with hashes that fit, as somebody who knows the format makes them."""
    previous = bytes.fromhex(json.loads(lines[0])["previous"])
    made = lines[:1]
    for line in lines[1:-2]:
        text = line.partition(b'"hashed":')[2][:-2]
        previous = sha256(previous + text).digest()
        made.append(b'{"hash":"%s","hashed":%s}\n' % (previous.hex().encode(), text))
    end = {**json.loads(lines[-2]), "hash": previous.hex()}
    return [*made, json.dumps(end).replace(" ", "").encode() + b"\n", lines[-1]]


# What is written


def test_the_whole_ledger_is_exported_and_checks(ledger: Path, out: Path, key: PrivateKey) -> None:
    written = exported(ledger, out, key)
    report = verify(ledger)
    found = checked(out, key)
    assert found.problems == ()
    assert found.head == written.head == report.head
    assert found.balances == written.balances == report.balances
    assert found.records == written.records == report.records == 10
    assert (found.header.table, found.header.first) == ("caribbean-1", 1)


def test_every_record_is_there_as_it_was_hashed(ledger: Path, out: Path, key: PrivateKey) -> None:
    exported(ledger, out, key)
    header, *records, end, signature = map(json.loads, lines_of(out))
    previous = bytes.fromhex(header["previous"])
    for told, record in zip(records, read_records(ledger), strict=True):
        text = json.dumps(told["hashed"], separators=(",", ":"), ensure_ascii=False)
        previous = sha256(previous + text.encode()).digest()
        assert told["hash"] == previous.hex() == record.hash
        (seq, _, kind, *_, body), movements = told["hashed"]
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
    exported(ledger, out, key, Stretch(first, last))
    found = checked(out, key)
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
        exported(ledger, file, key, Stretch(first, last))
        found.append(checked(file, key))
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
    with closing(opened(tmp_path / "ledger")) as ledger:
        ledger.commit([replace(entry(), wall=wall) for wall in walls])
    exported(tmp_path / "ledger", out, key, Stretch(first, last))
    found = checked(out, key)
    assert found.problems == ()
    assert (found.header.first, found.head.seq) == expected


def tokens(ledger: Ledger, numbers: Iterable[int]) -> None:
    ledger.commit([entry(stake(SETTINGS, f"token {number}")) for number in numbers])


class WritesMeanwhile:
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
    with closing(opened(folder)) as ledger:
        tokens(ledger, range(300))
        slow = WritesMeanwhile(key, ledger, folder)
        export(folder, out, slow, table="", written="", stretch=WHOLE)
        assert slow.busy == [0]
        assert ledger.head.seq == 310
    found = checked(out, key)
    assert (found.problems, found.head.seq) == ((), 300)


def test_it_ends_where_the_ledger_ended_when_it_began(
    tmp_path: Path, out: Path, key: PrivateKey
) -> None:
    folder = tmp_path / "ledger"
    stop, written_once = threading.Event(), threading.Event()
    with closing(opened(folder)) as ledger:
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
            written = exported(folder, out, key)
        finally:
            stop.set()
            service.join(DEADLINE_S)
        head = ledger.head
    found = checked(out, key)
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
    exported(folder, tmp_path / "warm.jsonl", key, Stretch(1, 2 * PAGE))  # what is made once is
    assert checked(tmp_path / "warm.jsonl", key).sound
    tracemalloc.start()
    exported(folder, out, key)
    assert checked(out, key).sound
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < out.stat().st_size / 2


# What is not signed


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("UPDATE journal SET body = '{\"seat\":9}' WHERE seq = 4", "record 4 was changed"),
        (money_of(4, "1400000", "1400001"), "record 4 was changed"),
        ("DELETE FROM journal WHERE seq = 4", "record 4 is missing"),
        ("DELETE FROM journal WHERE seq = 10", "record 10 had been committed"),
        ("UPDATE journal SET hash = zeroblob(32) WHERE seq = 10", "record 10 was changed"),
        (
            "UPDATE meta SET balances = json_set(balances, '$.paid', 1)",
            "the table of balances",
        ),
        ("UPDATE meta SET hash = zeroblob(32)", "record 10 is not the one"),
    ],
)
def test_what_is_not_in_order_is_not_signed(
    ledger: Path, out: Path, key: PrivateKey, done: str, told: str
) -> None:
    damage(ledger, done)
    with pytest.raises(LedgerCorrupt, match=told):
        exported(ledger, out, key)
    assert list(out.parent.iterdir()) == [ledger]


def test_a_file_that_is_there_is_not_overwritten(ledger: Path, out: Path, key: PrivateKey) -> None:
    out.write_text("something else")
    with pytest.raises(NotExported, match="is there already"):
        exported(ledger, out, key)
    assert out.read_text() == "something else"


def test_a_full_medium_leaves_no_file(ledger: Path, out: Path, key: PrivateKey) -> None:
    out.with_name(f"{out.name}.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        exported(ledger, out, key)
    assert list(out.parent.iterdir()) == [ledger]


@pytest.mark.parametrize(
    ("stretch", "told"),
    [
        (Stretch(0), "no records 0 to 10: the ledger has 1 to 10"),
        (Stretch(1, 11), "no records 1 to 11"),
        (Stretch(5, 4), "no records 5 to 4"),
        (Stretch("2027"), "no record is of 2027 or later"),
        (Stretch(None, "2025-12"), "no record is of 2025-12 or earlier"),
    ],
)
def test_records_that_are_not_there(
    ledger: Path, out: Path, key: PrivateKey, stretch: Stretch, told: str
) -> None:
    with pytest.raises(NotExported, match=told):
        exported(ledger, out, key, stretch)
    assert not out.exists()


def test_no_ledger_and_one_without_a_record(tmp_path: Path, out: Path, key: PrivateKey) -> None:
    with pytest.raises(LedgerUnavailable):
        exported(tmp_path / "nowhere", out, key)
    opened(tmp_path / "new").close()
    with pytest.raises(NotExported, match="no record yet"):
        exported(tmp_path / "new", out, key)


# What is done to the file


def edited(number: int, old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    """Something in one line, counted from 1, is something else."""

    def edit(lines: Lines) -> Lines:
        assert old in lines[number - 1]
        return [*lines[: number - 1], lines[number - 1].replace(old, new, 1), *lines[number:]]

    return edit


def shouted(line: bytes) -> bytes:
    """The same signature in capitals."""
    told = read_line(line, Signature)
    return line_of(Signature(told.signature.upper(), told.key, told.sha256))


def moved(lines: Lines, *order: int) -> Lines:
    return [lines[number - 1] for number in order]


SIGNED = "what is before the signature is not what was signed"


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (edited(5, rb"\"seat\":3", rb"\"seat\":4"), "line 5: record 4 was changed"),
        (edited(5, b"token 3", b"token 9"), "line 5: record 4 was changed"),
        (edited(5, b"1400000", b"1400001"), "line 5: record 4: token 3: the postings sum to 1"),
        (edited(5, b'"hash":"', b'"hash":"0'), "line 5: it is not a hash"),
        (edited(5, b'"stake"', b'"steak"'), "line 5: record 4: 'steak' is not a valid Reason"),
        (edited(7, b'"snapshot"', b'"act"'), "line 7: record 6 was changed"),
        (lambda lines: moved(lines, 1, 2, 3, 5, *range(6, 14)), r"line 4: record 3 is missing"),
        (lambda lines: moved(lines, 1, 2, 4, 3, *range(5, 14)), r"line 3: record 2 is missing"),
        (lambda lines: moved(lines, 1, 2, 3, 3, *range(4, 14)), r"line 4: record 3 is missing"),
        (lambda lines: moved(lines, *range(1, 11), 12, 13), "line 11: the last record is 9"),
        (edited(1, b"caribbean-1", b"caribbean-2"), SIGNED),
        (edited(1, b'"first":1', b'"first":2'), "line 2: record 2 is missing"),
        (edited(1, b'"last":10', b'"last":11'), "line 12: the last record is 10, not 11"),
        (edited(1, b'"jackpot":0', b'"jackpot":7'), "line 1: before record 1 there is no"),
        (edited(1, b'"previous":"00', b'"previous":"01'), "line 2: record 1 was changed"),
        (edited(1, b'"previous":"00', b'"previous":"xy'), "line 1: non-hexadecimal"),
        (edited(12, b'"paid":0', b'"paid":5'), "line 12: it says"),
        (edited(12, b'"records":10', b'"records":11'), "line 12: number and hash"),
        (lambda lines: lines[:12], "has no signature"),
        (lambda lines: lines[:11], "no line that ends the records"),
        (lambda lines: [*lines[:8], lines[8][:50]], "line 9: it is not a hash"),
        (lambda lines: [*lines, b"\n"], "line 14: the file goes on after its signature"),
        (lambda lines: [*lines, *lines[1:]], "line 14: the file goes on after its signature"),
        (lambda lines: [*lines[:12], *lines[10:]], "line 13: a record after the line that ends"),
        (lambda lines: [*lines[:5], b"{}\n", *lines[5:]], "line 6: it is no line of an export"),
        (edited(13, b'"signature":"', b'"signature":"0'), "line 13: the signature cannot be"),
        (edited(13, b"}\n", b"} \n"), "line 13: the signature is not written"),
        (lambda lines: [*lines[:12], shouted(lines[12])], "line 13: the signature is not written"),
    ],
)
def test_what_was_changed_is_named_with_its_line(
    ledger: Path, out: Path, key: PrivateKey, done: Callable[[Lines], Lines], told: str
) -> None:
    exported(ledger, out, key)
    out.write_bytes(b"".join(done(lines_of(out))))
    problems = "\n".join(checked(out, key).problems)
    assert told in problems


def test_a_changed_record_is_named_alone(ledger: Path, out: Path, key: PrivateKey) -> None:
    exported(ledger, out, key)
    out.write_bytes(b"".join(edited(5, rb"\"seat\":3", rb"\"seat\":4")(lines_of(out))))
    assert checked(out, key).problems == (
        "line 5: record 4 was changed, or the one before it: its hash does not fit",
        f"line 13: {SIGNED}",
        "line 13: the signature is not that of this key over this file",
    )


def test_no_bit_of_it_can_be_flipped(ledger: Path, out: Path, key: PrivateKey) -> None:
    exported(ledger, out, key)
    right = out.read_bytes()
    chance = random.Random(5)
    for _ in range(400):
        place, bit = chance.randrange(len(right)), 1 << chance.randrange(8)
        out.write_bytes(right[:place] + bytes([right[place] ^ bit]) + right[place + 1 :])
        assert is_found_out(out, key), f"bit {bit} of byte {place}"


def test_it_can_be_cut_off_nowhere(ledger: Path, out: Path, key: PrivateKey) -> None:
    exported(ledger, out, key)
    right = out.read_bytes()
    ends = [place + 1 for place, byte in enumerate(right[:-1]) if byte == ord("\n")]
    for length in (0, *range(1, len(right), 17), *ends, len(right) - 1):
        out.write_bytes(right[:length])
        assert is_found_out(out, key), f"the first {length} bytes"


def is_found_out(out: Path, key: PrivateKey) -> bool:
    try:
        return not checked(out, key).sound
    except NotAnExport:
        return True


# Who signed it


def test_somebody_else_s_signature_is_named(
    ledger: Path, out: Path, key: PrivateKey, tmp_path: Path
) -> None:
    make_pair(tmp_path / "other.key")
    other = load_private(tmp_path / "other.key")
    exported(ledger, out, other)
    assert checked(out, other).sound
    assert checked(out, key).problems == (
        f"line 13: signed with the key {other.fingerprint}, not {key.fingerprint}",
        "line 13: the signature is not that of this key over this file",
    )
    out.write_bytes(out.read_bytes().replace(*named(other, key)))
    assert checked(out, key).problems == (
        "line 13: the signature is not that of this key over this file",
    )


def named(other: PrivateKey, key: PrivateKey) -> tuple[bytes, bytes]:
    return other.fingerprint.encode(), key.fingerprint.encode()


def with_balances(line: bytes, **changed: int) -> bytes:
    plain: dict[str, Any] = json.loads(line)
    plain["balances"] |= changed
    return json.dumps(plain).replace(" ", "").encode() + b"\n"


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (edited(5, b"1400000", b"1400001"), "line 5: record 4: token 3: the postings sum to 1"),
        (edited(5, b"token 3", b"token 2"), "line 5: token 2 moves money a second time"),
        (edited(7, rb"\"paid\":0", rb"\"paid\":1"), "line 7: the snapshot's balances"),
        (
            lambda lines: [*lines[:11], with_balances(lines[11], paid=1), lines[12]],
            "line 12: it says",
        ),
    ],
    ids=["postings", "identity", "snapshot", "balances"],
)
def test_what_the_house_signs_must_add_up_all_the_same(
    ledger: Path, out: Path, key: PrivateKey, done: Callable[[Lines], Lines], told: str
) -> None:
    exported(ledger, out, key)
    lines = lines_of(out)
    out.write_bytes(signed_anew(rechained(lines), key))
    assert checked(out, key).sound
    out.write_bytes(signed_anew(rechained(done(lines)), key))
    problems = checked(out, key).problems
    assert any(told in problem for problem in problems)
    assert not any("hash" in problem or "sign" in problem for problem in problems)


def test_a_jackpot_lowered_without_a_right_to_it_is_named(
    tmp_path: Path, out: Path, key: PrivateKey
) -> None:
    with closing(opened(tmp_path / "ledger")) as ledger:
        ledger.commit([entry(opening(SETTINGS))])
        ledger.commit([entry(award_pending("award", Units(10_000)))])
    exported(tmp_path / "ledger", out, key)
    lines = edited(3, b'"award_pending"', b'"reseed"')(lines_of(out))
    out.write_bytes(signed_anew(rechained(lines), key))
    assert checked(out, key).problems[0] == (
        "line 3: record 2: award: reseed may not lower the jackpot"
    )


# What is no export


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "line 1 is not the first of an export"),
        (b"\x89PNG\r\n", "line 1 is not the first of an export"),
        (b"[" * 900_000, "line 1 is not the first of an export"),
        (b'{"format":"banco-ledger-export"}\n', "line 1 is not the first of an export"),
    ],
    ids=["empty", "binary", "nested", "short"],
)
def test_what_is_no_export(out: Path, key: PrivateKey, content: bytes, told: str) -> None:
    out.write_bytes(content)
    with pytest.raises(NotAnExport, match=told):
        checked(out, key)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"version":1', b'"version":2', "it is of version 2; this program reads 1"),
        (b"banco-ledger-export", b"another", "it is of the format another"),
    ],
)
def test_another_format_and_another_version(
    ledger: Path, out: Path, key: PrivateKey, old: bytes, new: bytes, told: str
) -> None:
    exported(ledger, out, key)
    out.write_bytes(out.read_bytes().replace(old, new, 1))
    with pytest.raises(NotAnExport, match=told):
        checked(out, key)


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 2_500_000 + b"\n",
        b'{"hash":"%s","hashed":%s}\n' % (b"0" * 64, b"[" * 500_000),
        b'{"hash":"%s","hashed":[[11,1,"a",1,1,"",1,"%s"],[]]}\n' % (b"0" * 64, b"[" * 500_000),
        b'{"records":%s}\n' % (b"[" * 500_000),
        b'{"signature":%s}\n' % (b"[" * 500_000),
    ],
    ids=["endless", "nested", "nested-body", "nested-end", "nested-signature"],
)
def test_a_hostile_file_is_told_not_believed(
    ledger: Path, out: Path, key: PrivateKey, line: bytes
) -> None:
    exported(ledger, out, key)
    lines = lines_of(out)
    out.write_bytes(b"".join([*lines[:11], line, *lines[11:]]))
    assert any(problem.startswith("line 12: ") for problem in checked(out, key).problems)

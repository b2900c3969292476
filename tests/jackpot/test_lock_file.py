"""The lock beside the ledger: whatever is torn or damaged, it never reads as unlocked."""

import json
from pathlib import Path
from zlib import crc32

import pytest
from msgspec.structs import asdict

from console.rules.structs import replace
from jackpot.ledger.lock_file import SLOT_BYTES, Lock, LockFile
from jackpot.ledger.two_slots import TwoSlots

LOCK = Lock("LEDGER_FAULT", "disk full", "2026-03-01T21:00:00")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def read_torn(path: Path, before: bytes, after: bytes, at: int) -> Lock | None:
    """What is read when power goes after `at` bytes of the change from `before` to `after`."""
    path.write_bytes(after[:at] + before[at:])
    return LockFile(path).read()


def overwritten(path: Path, lock: Lock | None) -> tuple[bytes, bytes, int, int]:
    """The file before and after, and the first and last bytes between which they differ."""
    before = path.read_bytes()
    if lock is None:
        LockFile(path).clear()
    else:
        LockFile(path).set(lock)
    after = path.read_bytes()
    differing = [index for index in range(len(before)) if before[index] != after[index]]
    return before, after, differing[0], differing[-1]


def test_it_is_one_block_from_the_start_and_is_overwritten_in_place(path: Path) -> None:
    lock = LockFile(path)
    lock.make()
    made = path.stat()
    assert lock.read() is None
    lock.set(LOCK)
    assert LockFile(path).read() == LOCK
    lock.clear()
    assert LockFile(path).read() is None
    assert (path.stat().st_ino, path.stat().st_size) == (made.st_ino, 2 * SLOT_BYTES)
    assert made.st_size == 4_096
    assert made.st_blocks > 0


def test_a_lock_torn_while_it_is_set_is_a_lock(path: Path) -> None:
    LockFile(path).make()
    before, after, first, last = overwritten(path, LOCK)
    for at in range(first + 1, last + 1):
        assert read_torn(path, before, after, at) is not None, f"torn after {at} bytes"
    assert read_torn(path, before, after, last + 1) == LOCK


def test_a_lock_torn_while_it_is_cleared_stays_and_can_be_cleared_again(path: Path) -> None:
    LockFile(path).set(LOCK)
    before, after, first, last = overwritten(path, None)
    for at in range(first, last + 1):
        assert read_torn(path, before, after, at) == LOCK, f"torn after {at} bytes"
        LockFile(path).clear()
        assert LockFile(path).read() is None


@pytest.mark.parametrize("locked", [True, False])
def test_one_bit_anywhere_never_opens_a_lock(path: Path, locked: bool) -> None:
    if locked:
        LockFile(path).set(LOCK)
    else:
        LockFile(path).make()
    content = path.read_bytes()
    for index in range(len(content)):
        damaged = bytearray(content)
        damaged[index] ^= 1
        path.write_bytes(damaged)
        assert LockFile(path).read() is not None, f"byte {index}"


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 4_096, b"\xff" * 4_096, b"unlocked", b" " * 9_999]
)
def test_garbage_is_a_lock_with_a_reason_and_can_be_cleared(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    found = LockFile(path).read()
    assert found is not None
    assert (found.fault, found.why) == ("LEDGER_FAULT", "the lock file is damaged")
    LockFile(path).clear()
    assert LockFile(path).read() is None


@pytest.mark.parametrize("left", ["ledger.db", "ledger.db-wal", "ledger.owner"])
def test_a_lock_file_that_has_gone_is_a_lock_where_there_was_a_ledger(
    path: Path, left: str
) -> None:
    assert LockFile(path).read() is None, "nobody has begun a table here"
    path.with_name(left).touch()
    found = LockFile(path).read()
    assert found == Lock("LEDGER_FAULT", "the lock file is missing", "")
    LockFile(path).set(LOCK)
    assert LockFile(path).read() == LOCK
    path.unlink()
    LockFile(path).clear()
    assert LockFile(path).read() is None
    assert LockFile(path).begun


def test_a_folder_that_cannot_be_looked_into_is_a_lock(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    lock = LockFile(tmp_path / "file" / "lock")
    found = lock.read()
    assert found is not None
    assert "cannot be read: Not a directory" in found.why
    assert lock.begun


UNKNOWN: list[object] = [
    {"lock": None, "begun": True, "keys": 2},
    {"lock": None, "begun": "yes"},
    {"lock": asdict(LOCK) | {"keys": 2}, "begun": True},
    {"lock": asdict(LOCK) | {"fault": "LEDGER_ABSENT"}},
    {"lock": asdict(LOCK) | {"since": 21}},
    {"lock": "no"},
    {"lock": ["LEDGER_FAULT"]},
    {"begun": True},
]


@pytest.mark.parametrize("content", UNKNOWN, ids=json.dumps)
def test_what_another_version_has_written_is_a_lock(path: Path, content: dict[str, object]) -> None:
    TwoSlots(path).make(content)
    found = LockFile(path).read()
    assert found is not None
    assert (found.fault, found.since) == ("LEDGER_FAULT", "")
    assert "cannot be understood" in found.why
    LockFile(path).clear()
    assert LockFile(path).read() is None


@pytest.mark.parametrize("text", ["[]", "{", "null", '{"lock": null}', '{"number": "1"}'])
def test_a_slot_that_is_whole_and_no_slot_is_damage(path: Path, text: str) -> None:
    padded = text.encode().ljust(SLOT_BYTES - 10) + b"\n"
    path.write_bytes((b"%08x " % crc32(padded) + padded) * 2)
    found = LockFile(path).read()
    assert found is not None
    assert found.why == "the lock file is damaged"


# Whether the table has begun


def test_a_table_has_begun_once_that_is_noted_whatever_is_locked_and_unlocked(path: Path) -> None:
    lock = LockFile(path)
    assert not LockFile(path).begun
    lock.make()
    assert not LockFile(path).begun
    lock.set(LOCK)
    lock.clear()
    assert not LockFile(path).begun
    lock.set(LOCK)
    lock.note_begun()
    assert LockFile(path).begun
    assert lock.read() == LOCK
    lock.clear()
    lock.make()
    assert LockFile(path).begun
    assert lock.read() is None


def test_a_lock_file_that_does_not_say_that_a_table_is_new_says_that_it_has_begun(
    path: Path,
) -> None:
    LockFile(path).make()
    whole = path.read_bytes()
    for damaged in (b"", whole[:SLOT_BYTES].upper() * 2, bytes(len(whole))):
        path.write_bytes(damaged)
        assert LockFile(path).begun
    TwoSlots(path).make({"lock": None})  # as the versions before this one wrote it
    assert LockFile(path).begun
    assert LockFile(path).read() is None


@pytest.mark.parametrize("length", [0, 1, SLOT_BYTES, 2 * SLOT_BYTES])
def test_power_that_goes_while_it_is_noted_leaves_the_table_as_it_was(
    path: Path, length: int
) -> None:
    LockFile(path).make()
    new = path.read_bytes()
    LockFile(path).note_begun()
    begun = path.read_bytes()
    path.with_name("lock.new").write_bytes(begun[:length])
    path.write_bytes(new)
    assert not LockFile(path).begun
    assert LockFile(path).read() is None
    LockFile(path).note_begun()
    assert path.read_bytes() == begun


def test_the_longest_text_in_any_script_fits(path: Path) -> None:
    seats = (1, 2, 3, 4, 5, 6, 7)
    long = "\N{GRINNING FACE}" * 999
    longest = Lock("LEDGER_CORRUPT", long, long, service=True, unproved=seats)
    LockFile(path).set(longest)
    found = LockFile(path).read()
    assert found is not None
    assert found.why == "\N{GRINNING FACE}" * 100
    assert found.unproved == seats
    assert path.stat().st_size == 2 * SLOT_BYTES


def test_a_lock_of_a_version_that_knew_no_unproved_tokens_is_read(path: Path) -> None:
    content = {"fault": LOCK.fault, "why": LOCK.why, "since": LOCK.since, "service": True}
    TwoSlots(path).make({"lock": content})
    assert LockFile(path).read() == replace(LOCK, service=True)


def test_many_turns_end_as_the_last_one_says(path: Path) -> None:
    for number in range(9):
        lock = Lock("LEDGER_FAULT", f"turn {number}", "")
        LockFile(path).set(lock)
        assert LockFile(path).read() == lock
        LockFile(path).clear()
        assert LockFile(path).read() is None

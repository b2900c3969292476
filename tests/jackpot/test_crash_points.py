"""The power goes at any write and sync: what was promised is there, whole, and only that.

docs/reference/rules.md, sections 4, 7 and 11. Every point: `python -m tests.jackpot.crash_points
--all`.
"""

import dataclasses
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from jackpot.ledger.lock_file import SLOT_BYTES, Lock, LockFile
from tests.jackpot.apsw_disk import Call, Kind
from tests.jackpot.crash_points import Point, points_of, sample, try_points
from tests.jackpot.recorded_disk import SECTOR, Damage, Platter
from tests.jackpot.recorded_round import ROUNDS, Recording, record

SEED = 1
PARTS = 2

LOCK = Lock("LEDGER_FAULT", "disk full", "2026-03-01T21:00:00")


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recording]:
    """Each round, played once for all tests of this process."""
    work = tmp_path_factory.mktemp("recorded")
    return {name: record(played, work / name) for name, played in ROUNDS.items()}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ROUNDS)
def test_a_crash_loses_and_doubles_nothing(
    recordings: dict[str, Recording],
    pytestconfig: pytest.Config,
    name: str,
    part: int,
    tmp_path: Path,
) -> None:
    """Others at each commit; pytest prints how to repeat it."""
    recording = recordings[name]
    points, seed = points_of(recording), pytestconfig.getoption("hypothesis_seed")
    tried = sample(points, seed)
    share = tried[len(tried) * part // PARTS : len(tried) * (part + 1) // PARTS]
    tally = try_points(recording, share, seed, tmp_path)
    print(f"{name}: {len(share)} of {len(points)} crash points, {tally.folders} folders")
    assert tally.wrong == []
    assert sum(tally.points.values()) == len(share) > 10


@pytest.mark.parametrize("name", ["two winners", "reseeding"])
def test_a_snapshot_and_a_checkpoint_fall_within_the_round(
    recordings: dict[str, Recording], name: str
) -> None:
    recording = recordings[name]
    assert [one.seq for one in recording.journal if one.kind == "snapshot"] == [258]
    assert recording.newest_promised(recording.begin) < 258 < len(recording.journal) - 5
    cut = recording.log[recording.begin :]
    checkpoints = [
        at for at, done in enumerate(cut) if isinstance(done, Call) and done.file == "ledger.db"
    ]
    assert checkpoints[0] < len(cut) / 2 < checkpoints[-1], "one in the round, one at its end"
    decided = [str(one.body.get("decisions")) for one in recording.journal]
    for wanted in ("award-pending", "award-final", "token-accepted"):
        assert any(wanted in what for what in decided), wanted


def test_a_disk_that_does_not_sync_would_be_found_out(
    recordings: dict[str, Recording], tmp_path: Path
) -> None:
    """The harness against itself: without the syncs, what COMMIT promised is lost, all of it."""
    recording = recordings["from a new disk"]
    unsynced = [
        one for one in recording.log if not (isinstance(one, Call) and one.kind is Kind.SYNC)
    ]
    commits = [(0, seq) for _, seq in recording.commits]
    lying = dataclasses.replace(recording, log=unsynced, commits=commits)
    tally = try_points(lying, [Point(len(unsynced), Damage.LOST, 0)], SEED, tmp_path)
    assert len(tally.wrong) == 1
    assert "ledger.db is missing" in tally.wrong[0]


def test_what_is_not_synced_may_be_lost_torn_or_in_another_order() -> None:
    platter = Platter()
    platter.take(Call(Kind.OPEN, "file", creates=True))
    platter.take(Call(Kind.WRITE, "file", 0, b"a" * 1024))
    platter.take(Call(Kind.SYNC, "file", names=True))
    platter.take(Call(Kind.WRITE, "file", 0, b"b" * 512))
    platter.take(Call(Kind.WRITE, "file", 512, b"c" * 512))
    assert platter.folder_after_cut(Damage.LOST) == {"file": b"a" * 1024}
    assert platter.folder_after_cut(Damage.KEPT) == {"file": b"b" * 512 + b"c" * 512}
    torn = platter.folder_after_cut(Damage.TORN)["file"]
    assert torn[:513] == b"b" * 512 + b"c"
    assert torn[512:] != b"c" * 512
    orders = {platter.folder_after_cut(Damage.REORDERED, seed)["file"] for seed in range(20)}
    assert b"a" * 512 + b"c" * 512 in orders


# The lock beside the ledger, which Python writes


def overwritten(path: Path) -> Iterator[tuple[Lock | None, Lock | None, bytes, bytes]]:
    """What the lock was and is, and its bytes, over and over."""
    file, before = LockFile(path), None
    file.make()
    for lock in (LOCK, replace(LOCK, service=True), None, LOCK, None, None):
        content = path.read_bytes()
        if lock is None:
            file.clear()
        else:
            file.set(lock)
        yield before, lock, content, path.read_bytes()
        before = lock


def test_a_lock_of_which_only_some_sectors_are_written_never_opens(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for before, now, content, changed in overwritten(path):
        for left in sectors_left(content, changed):
            assert_no_less_locked(path, before, now, left, changed)
        path.write_bytes(changed)


def test_a_lock_torn_at_any_byte_never_opens(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for before, now, content, changed in overwritten(path):
        for at in range(0, len(content), 7):
            end = (at // SECTOR + 1) * SECTOR
            for left in (
                changed[:at] + content[at:],
                changed[:at] + bytes(end - at) + content[end:],
            ):
                assert_no_less_locked(path, before, now, left, changed)
        path.write_bytes(changed)


def sectors_left(before: bytes, after: bytes) -> Iterator[bytes]:
    """The file with some of its changed sectors written, and not the others."""
    places = range(0, len(before), SECTOR)
    changed = [at for at in places if before[at : at + SECTOR] != after[at : at + SECTOR]]
    for many in range(len(changed) + 1):
        for some in combinations(changed, many):
            left = bytearray(before)
            for at in some:
                left[at : at + SECTOR] = after[at : at + SECTOR]
            yield bytes(left)


def assert_no_less_locked(
    path: Path, before: Lock | None, now: Lock | None, left: bytes, changed: bytes
) -> None:
    path.write_bytes(left)
    found = LockFile(path).read()
    if found is None:
        assert now is None or before is None
        assert left == changed or before is None
    if now is not None and left == changed:
        assert found == now
    assert len(left) == 2 * SLOT_BYTES


@pytest.mark.parametrize("length", [0, 1, 511, SLOT_BYTES - 1, SLOT_BYTES, 2 * SLOT_BYTES])
def test_a_lock_that_was_being_made_when_power_went_is_made_again(
    tmp_path: Path, length: int
) -> None:
    path = tmp_path / "lock"
    LockFile(path).make()
    whole = path.read_bytes()
    path.unlink()
    path.with_name("lock.new").write_bytes(whole[:length])
    LockFile(path).make()
    assert LockFile(path).read() is None
    assert path.read_bytes() == whole
    assert not path.with_name("lock.new").exists()

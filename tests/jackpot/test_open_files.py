"""An open ledger's files: one look at their folder, as long as nothing in it has another name."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.open_files import SURE_AFTER_NS, OpenFiles

NAMES = ("ledger.db", "ledger.db-wal")


class Clock:
    """Nanoseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was looked at."""
    seen: list[str] = []
    stat = os.stat

    def stat_and_note(path: str) -> os.stat_result:
        seen.append(str(path))
        return stat(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", stat_and_note)
        yield seen


def files_in(folder: Path, clock: Clock) -> OpenFiles:
    for name in NAMES:
        (folder / name).write_bytes(b"1")
    return OpenFiles(folder, (*NAMES, "missing"), clock)


def test_a_folder_that_rests_is_all_that_is_looked_at(tmp_path: Path, looks: list[str]) -> None:
    clock = Clock()
    files = files_in(tmp_path, clock)
    files.check()
    clock.now = SURE_AFTER_NS
    looks.clear()
    files.check()
    (tmp_path / NAMES[0]).write_bytes(b"more")  # no name has changed
    files.check()
    assert looks == [str(tmp_path)] * 2


def test_times_too_coarse_for_two_changes_hide_none(tmp_path: Path) -> None:
    """The folder's times are those of the last look, but a file is another one."""
    clock = Clock()
    files = files_in(tmp_path, clock)
    files.check()
    found = files._listing
    (tmp_path / NAMES[1]).unlink()
    status = os.stat(tmp_path)
    files._listing = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
    assert found != files._listing
    clock.now = SURE_AFTER_NS // 2
    with pytest.raises(LedgerCorrupt, match="was removed"):
        files.check()


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_another_file_is_found_however_long_the_folder_has_rested(tmp_path: Path, how: str) -> None:
    clock = Clock()
    files = files_in(tmp_path, clock)
    files.check()
    clock.now = 1000 * SURE_AFTER_NS
    files.check()
    if how == "removed":
        (tmp_path / NAMES[0]).unlink()
    else:
        made = tmp_path / "made"
        made.write_bytes(b"1")
        made.replace(tmp_path / NAMES[0])
    for _ in range(2):
        with pytest.raises(LedgerCorrupt, match=how):
            files.check()


def test_a_folder_that_has_gone_cannot_be_seen(tmp_path: Path) -> None:
    folder = tmp_path / "ledger"
    folder.mkdir()
    files = files_in(folder, Clock())
    folder.rename(tmp_path / "taken")
    with pytest.raises(LedgerCorrupt, match="was removed"):
        files.check()

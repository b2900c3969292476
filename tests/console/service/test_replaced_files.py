"""Files of the ledger that are removed, replaced or changed under a running table lock it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.ledger.two_slots import TwoSlots
from tests.console.table import table_in

PLAYED = ("press GAME_OVER", "token 1 2", "press COIN_IN", "expect phase PLAYING")
Meddle = Callable[[Path], object]


def remove(name: str) -> Meddle:
    def remove_file(folder: Path) -> None:
        (folder / name).unlink()

    remove_file.__name__ = f"remove {name}"
    return remove_file


def replace(name: str) -> Meddle:
    """The same bytes in another file."""

    def replace_file(folder: Path) -> None:
        made = folder / "made"
        shutil.copy2(folder / name, made)
        made.replace(folder / name)

    replace_file.__name__ = f"replace {name}"
    return replace_file


def replace_folder(folder: Path) -> None:
    folder.rename(folder.with_name("taken"))
    shutil.copytree(folder.with_name("taken"), folder)


def change_lock(folder: Path) -> None:
    LockFile(folder / "lock").set(Lock("LEDGER_FAULT", "", ""))


def begin_lock_anew(folder: Path) -> None:
    TwoSlots(folder / "lock").write({"lock": None, "begun": False})


CORRUPT = (
    *(remove(name) for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.owner")),
    replace("ledger.db"),
    replace("ledger.db-wal"),
    replace_folder,
)
FAULT = (remove("lock"), replace("lock"), change_lock, begin_lock_anew)


@pytest.mark.parametrize(
    ("meddle", "fault"),
    [
        *((meddle, "LEDGER_CORRUPT") for meddle in CORRUPT),
        *((meddle, "LEDGER_FAULT") for meddle in FAULT),
    ],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_the_next_act_finds_it_and_the_lock_outlives_the_next_start(
    meddle: Meddle, fault: str, tmp_path: Path
) -> None:
    with table_in(tmp_path) as table:
        table.play(*PLAYED)
        meddle(tmp_path / "ledger")
        table.play("press FLUSH", f"expect fault {fault}", "press FLUSH", "expect refused LOCKED")
        table.play("power off", "power on", "wait 2s", f"expect fault {fault}")


def test_a_backup_that_sets_the_lock_file_s_times_locks_nothing(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*PLAYED)
        (tmp_path / "ledger" / "lock").touch()
        table.play("press FLUSH", "expect fault none", "press FLUSH", "expect fault none")


def test_a_lock_file_that_was_removed_is_cleared_by_the_technician_and_on_record(
    tmp_path: Path,
) -> None:
    with table_in(tmp_path) as table:
        table.play(*PLAYED)
        (tmp_path / "ledger" / "lock").unlink()
        table.play("press FLUSH", "expect fault LEDGER_FAULT", "key S", "clear LEDGER_FAULT")
        table.play("expect fault none", "key R", "expect phase PLAYING")
        (reopened,) = (record for record in table.records if record.kind == "reopened")
        act = reopened.body["act"]
        assert isinstance(act, dict)
        assert act["why"] == "the lock file was removed while the table ran"

"""What root writes in a ledger's folder is the folder owner's: the service must start on it."""

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from console.command_line.main import main
from console.service.table_ledger import LOCK_FILE, TableLedger
from jackpot.ledger.folder import FolderClaim
from jackpot.ledger.ledger import Ledger, verify
from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.trust.counterpart import Noted
from jackpot.trust.seal_file import SealFile
from jackpot.trust.second_copy import SecondCopy
from tests.console.real_table import ANNA, ROSSI, enrol_both, type_command
from tests.console.table import table_in

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root writes as somebody else")

SERVICE = 65_534
"""The user and group that the folders belong to."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The ledger's folder of a table that has played; second copy and seal are beside it."""
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "token 1 2", "press COIN_IN", "expect phase PLAYING")
    folder, second = tmp_path / "ledger", tmp_path / "second"
    second.mkdir()
    (tmp_path / "media").mkdir()
    with closing(Ledger.open(folder)) as ledger:
        noted = Noted(ledger.head, "")
    with closing(SecondCopy(folder, second)) as copy:
        copy.begin_anew()
        copy.compare()
        while copy.follow(noted) < noted.head.seq:
            pass
    for place in (folder, second, tmp_path / "media"):
        give(place)
    return folder


def give(folder: Path) -> None:
    """It is the service's, as its installation makes it."""
    for path in (folder, *folder.iterdir()):
        os.chown(path, SERVICE, SERVICE)
        path.chmod(0o750 if path.is_dir() else mode_of(path))


def mode_of(file: Path) -> int:
    """The claim is nobody's to read: whoever opens it could lock it."""
    return 0o600 if file.name == "ledger.owner" else 0o640


def assert_given(folder: Path) -> None:
    """Every file in it belongs to the service, and has the folder's mode."""
    for file in folder.iterdir():
        found = file.stat()
        assert (found.st_uid, found.st_gid) == (SERVICE, SERVICE), file.name
        assert stat.S_IMODE(found.st_mode) == mode_of(file), file.name


BY = ("--by", "anna", "--and", "rossi")


def repair(folder: Path, *more: str) -> int:
    second, seal = folder.with_name("second"), folder.with_name("media") / "seal"
    people = enrol_both(folder.with_name("people.toml"))
    asked = ("--mirror", second, "--seal", seal, "--people", people, "--really", *BY, *more)
    done = type_command("ledger", "repair", str(folder), *map(str, asked), typed=(ANNA, ROSSI))
    return done.status


def damage(folder: Path) -> None:
    (folder / "ledger.db").write_bytes(b"a tray is not a ledger " * 999)


def damage_to_roots_own(folder: Path) -> None:
    """As the versions before this one left it."""
    damage(folder)
    os.chown(folder / "ledger.db", 0, 0)


def loss(folder: Path) -> None:
    (folder / "ledger.db").unlink()


def loss_of_everything(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


@pytest.mark.parametrize("harm", [damage, damage_to_roots_own, loss, loss_of_everything])
def test_the_service_starts_on_what_root_has_repaired(
    harm: Callable[[Path], None], folder: Path
) -> None:
    harm(folder)
    assert repair(folder) == 0
    assert LockFile(folder / LOCK_FILE).read() is not None
    assert (folder / "ledger.db").exists()
    assert_given(folder)
    assert_given(folder.with_name("second"))


def test_a_second_copy_that_root_has_made_anew_is_the_services(folder: Path) -> None:
    damage(folder.with_name("second"))
    assert repair(folder) == 0
    assert_given(folder)
    assert_given(folder.with_name("second"))


def test_a_seal_that_root_has_begun_anew_is_the_services(folder: Path) -> None:
    media = folder.with_name("media")
    seal = SealFile(media / "seal", folder, "simulated")
    seal.begin_anew()
    seal.compare()
    give(media)
    assert repair(folder, "--accept", "backup of May put back") == 0
    assert sorted(file.name for file in media.iterdir()) == ["seal", "seal.damaged-1"]
    for place in (folder, media):
        assert_given(place)


def test_what_root_only_reads_stays_the_services(folder: Path) -> None:
    for reading in ("verify", "show", "rebuild"):
        assert main(["ledger", reading, str(folder)]) == 0
        assert_given(folder)


def test_a_service_that_root_has_started_by_hand_leaves_everything_to_its_user(
    tmp_path: Path,
) -> None:
    folder, second = tmp_path / "ledger", tmp_path / "second"
    for place in (folder, second):
        place.mkdir()
        give(place)
    with closing(
        TableLedger(folder, counterparts=lambda one: (SecondCopy(one, second),), begins=True)
    ) as table_ledger:
        table_ledger.open()
        for place in (folder, second):
            assert_given(place)
        table_ledger.last_lock = None
        LockFile(folder / LOCK_FILE).set(Lock("LEDGER_FAULT", "disk full", "21:00"))
    for place in (folder, second):
        assert {"ledger.db", "ledger.owner"} <= {file.name for file in place.iterdir()}
        assert_given(place)


def test_what_somebody_has_linked_into_the_folder_is_not_given_away(folder: Path) -> None:
    """The service's user may write there, and root must not hand over what is its own"""
    theirs = folder.with_name("shadow")
    theirs.write_text("root's")
    (folder / "ledger.owner").unlink()
    (folder / "ledger.owner").symlink_to(theirs)
    with pytest.raises(OSError, match="symbolic links"):
        FolderClaim(folder)
    assert theirs.stat().st_uid == 0


def test_without_another_owner_nothing_is_changed(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER")
    folder = tmp_path / "ledger"
    (folder / "ledger.db").chmod(0o600)
    assert main(["ledger", "verify", str(folder)]) == 0
    with closing(Ledger.open(folder)):
        assert stat.S_IMODE((folder / "ledger.db").stat().st_mode) == 0o600
    assert verify(folder).sound
    shutil.rmtree(folder)

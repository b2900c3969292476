"""What a service finds of its own files: before it opens a device, and while it plays."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

from console.release.banco_check import KEY, LIST, SIGNATURE
from console.release.running import (
    RUNS_FROM,
    describe_unfinished,
    is_release,
    look_at_program,
    watch_program,
)
from console.rules.release_marks import ProgramChanged, ReleaseFound
from systemd.debian.release_list import write_release_list
from systemd.debian.release_signing import ReleaseSigner
from tests.console.release.release_tree import FILES, ReleaseTree
from tests.console.test_run import PRODUCTION
from tests.deadlines import DEADLINE_S
from tests.house.sources import PACKAGES, ROOT


@pytest.fixture
def tree(tmp_path: Path) -> ReleaseTree:
    return ReleaseTree(tmp_path / "root", tmp_path / "keys")


def look(tree: ReleaseTree) -> ReleaseFound:
    found = look_at_program("0.0", lambda: "21:00", folder=tree.program, root=tree.root)
    assert isinstance(found, ReleaseFound)
    return found


def test_this_checkout_is_no_release() -> None:
    assert not is_release()
    assert look_at_program("0.0", lambda: "21:00", folder=RUNS_FROM) is UNSET


def test_an_installed_package_without_its_list_is_found() -> None:
    folder = Path("/usr/lib/banco/versions/none-such")
    found = look_at_program("0.1.0", lambda: "21:00", folder=folder)
    assert isinstance(found, ReleaseFound)
    assert (found.version, found.digest) == ("0.1.0", "")
    assert LIST in found.problem


def test_a_sound_release_is_named_by_version_digest_and_key(tree: ReleaseTree) -> None:
    found = look(tree)
    assert (found.version, found.key, found.problem) == ("1.2.3", tree.signer.fingerprint, "")
    assert found.digest in tree.check()[1]
    assert found.boards.keys() == {"slot rail", "sensor rail", "cctalk slots"}
    assert found.boards["slot rail"] in tree.check()[1]


@pytest.mark.parametrize("name", FILES.values())
def test_one_changed_byte_of_each_kind_is_found(name: str, tree: ReleaseTree) -> None:
    tree.change_byte(name)
    assert look(tree).problem.startswith("changed: ")


@pytest.mark.parametrize("name", [SIGNATURE, KEY])
def test_without_signature_or_key_there_is_no_digest(name: str, tree: ReleaseTree) -> None:
    (tree.program / name).unlink()
    found = look(tree)
    assert (found.digest, found.key) == ("", "")
    assert name in found.problem


def test_many_differences_are_counted(tree: ReleaseTree) -> None:
    for name in FILES.values():
        tree.change_byte(name)
    assert look(tree).problem.endswith("; and 4 more")


def test_an_installation_that_was_cut_short_is_named_with_the_one_command(tmp_path: Path) -> None:
    """The marker that the real preinst leaves; the version in force is the folder's."""
    folder = tmp_path / "versions/0.1.0.0badcafe"
    assert describe_unfinished(folder, tmp_path) == ""
    script = (ROOT / "systemd/debian/preinst").read_text("utf-8")
    subprocess.run(
        [
            *("sh", "-c", script.replace("/usr/lib/banco", str(tmp_path)), "preinst"),
            *("upgrade", "0.1.0+deb12", "0.1.1+deb12"),
        ],
        env={**os.environ, "DPKG_MAINTSCRIPT_ARCH": "arm64"},
        check=True,
    )
    warning = describe_unfinished(folder, tmp_path)
    assert "0.1.0.0badcafe runs: sudo dpkg --install ./banco_0.1.1+deb12_arm64.deb" in warning
    assert describe_unfinished(tmp_path.parent, tmp_path) == ""


@pytest.mark.parametrize("stays", [True, False])
def test_a_file_that_changes_after_the_start_is_reported_once(
    stays: bool, tree: ReleaseTree
) -> None:
    """Once it has been found twice: dpkg may just be unpacking."""

    async def watch() -> list[str]:
        loop = asyncio.get_running_loop()
        reported: list[str] = []
        seen = asyncio.Event()

        class Service:
            def report(self, act: ProgramChanged) -> None:
                reported.append(repr(act))
                seen.set()

        def look_again(each: Callable[[], None]) -> ReleaseFound:
            each()
            found = look(tree)
            if found.problem and not stays:
                tree.change_byte(FILES["a library"])  # as it was
                loop.call_soon_threadsafe(loop.call_later, 0.2, seen.set)
            return found

        with watch_program(loop, look_again, again_s=0.01, confirmed_s=0.01) as follow:
            follow(Service())
            tree.change_byte(FILES["a library"])
            async with asyncio.timeout(DEADLINE_S):
                await seen.wait()
        return reported

    acts = asyncio.run(watch())
    assert ["changed: cobs/cobs/_cobs_ext.so" in act for act in acts] == [True] * stays


def test_a_service_says_what_has_changed_before_it_opens_a_device(tmp_path: Path) -> None:
    """The real program in a folder of its own, listed and signed; then a byte is changed."""
    root = tmp_path / "root"
    program = root / "usr/lib/banco/program"
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, program / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    write_release_list(root, "1.2.3", ReleaseSigner.make(tmp_path / "keys"))
    table = tmp_path / "table.toml"
    table.write_text(PRODUCTION, "utf-8")
    assert "PROGRAM_CHANGED" not in start(program, table)
    prizes = program / "jackpot/prizes/caribbean_stud.toml"
    prizes.write_bytes(prizes.read_bytes() + b"\n")
    text = start(program, table)
    assert "PROGRAM_CHANGED: changed: jackpot/prizes/caribbean_stud.toml" in text
    assert text.index("PROGRAM_CHANGED") < text.index("the pin backend 'lgpio'")


def start(program: Path, table: Path) -> str:
    """What the service says; there are no pins here, so it ends when it opens its devices."""
    ended = subprocess.run(
        [sys.executable, "-B", "-P", "-m", "console", "run", "--config", table],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env={**os.environ, "PYTHONPATH": str(program)},
        cwd="/",
        check=False,
    )
    assert ended.returncode == 2, ended.stderr
    return ended.stderr

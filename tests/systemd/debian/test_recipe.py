"""A package's libraries, units, version and changelog, and whether it is a release."""

import re
import runpy
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from jackpot.failures import Refused
from systemd.debian.build import LINKS, OTHER_WAY, UNITS, write_drop_in
from systemd.debian.changelog import write_changelog
from systemd.debian.control import BANCO, MAINTAINER, REPORT
from systemd.debian.libraries import COMPILED, read_pins, unpack_wheel
from systemd.debian.release import check_release
from systemd.debian.source import VERSION_FILE, describe_version, name_build
from systemd.debian.target import SUITES
from tests.house.sources import ROOT

CHANGES = """\
# Changelog

## [0.2.0] - 2026-12-01

### Added

- `make deb`: a package
  of Debian.
  - For arm64, too.

## [0.1.0]{date}

- The first.
"""
BOOKWORM = SUITES["bookworm"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository of one commit, with a version and its changes."""
    version = tmp_path / "console/configuration/version.py"
    version.parent.mkdir(parents=True)
    version.write_text('VERSION = "0.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGES.format(date=" - 2026-11-01"))
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *who, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "a change")
    return git(folder, "rev-parse", "--short=7", "HEAD")


def test_a_version_is_older_than_its_release_until_it_is_tagged(checkout: Path) -> None:
    first = git(checkout, "rev-parse", "--short=7", "HEAD")
    assert describe_version(checkout) == f"0.2.0~1.g{first}"
    git(checkout, "tag", "v0.2.0")
    assert describe_version(checkout) == "0.2.0"
    second = commit(checkout)
    assert describe_version(checkout) == f"0.2.0+1.g{second}"
    (checkout / "CHANGELOG.md").write_text("")
    assert describe_version(checkout) == f"0.2.0+1.g{second}.changed"


def test_a_shallow_clone_has_no_version(checkout: Path, tmp_path: Path) -> None:
    commit(checkout)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", checkout.as_uri(), str(shallow))
    with pytest.raises(Refused, match="git fetch --unshallow"):
        describe_version(shallow)
    git(shallow, "fetch", "--quiet", "--unshallow")
    assert describe_version(shallow).startswith("0.2.0~2.g")


def test_a_package_knows_its_name(tmp_path: Path) -> None:
    module = tmp_path / VERSION_FILE
    module.parent.mkdir(parents=True)
    shutil.copy(ROOT / VERSION_FILE, module)
    name_build(tmp_path, "0.2.0+deb12")
    assert runpy.run_path(str(module))["name_program"]().endswith("(0.2.0+deb12)")
    with pytest.raises(Refused, match="has no BUILD"):
        name_build(tmp_path, "0.2.0+deb12")


def test_a_release_is_committed_and_has_its_changes(checkout: Path) -> None:
    assert check_release(checkout) == "0.2.0"
    (checkout / "a").write_text("")
    with pytest.raises(Refused, match="not committed"):
        check_release(checkout)


@pytest.mark.parametrize("heading", ["## [Unreleased]", "## [0.3.0] - 2026-12-01", "## [0.2.0]"])
def test_a_release_without_its_heading_is_refused(checkout: Path, heading: str) -> None:
    (checkout / "CHANGELOG.md").write_text(f"{heading}\n\n- A change.\n")
    commit(checkout)
    with pytest.raises(Refused, match=r"must begin with ## \[0\.2\.0\]"):
        check_release(checkout)


def test_the_changelog_is_in_debians_form() -> None:
    text = write_changelog(
        "banco", CHANGES.format(date=" - 2026-11-01"), BOOKWORM, "0.2.0+deb12", 0
    )
    assert text == (
        "banco (0.2.0+deb12) bookworm; urgency=medium\n\n"
        "  [ Added ]\n  * make deb: a package of Debian.\n    - For arm64, too.\n\n"
        f" -- {MAINTAINER}  Thu, 01 Jan 1970 00:00:00 +0000\n\n"
        "banco (0.1.0+deb12) bookworm; urgency=medium\n\n  * The first.\n\n"
        f" -- {MAINTAINER}  Sun, 01 Nov 2026 00:00:00 +0000\n"
    )


def test_an_older_version_without_its_date_is_refused() -> None:
    with pytest.raises(Refused, match=r"\[0\.1\.0\] has no date"):
        write_changelog("banco", CHANGES.format(date=""), BOOKWORM, "0.2.0+deb12", 0)


def test_a_table_gets_every_library_but_those_of_pictures() -> None:
    pins = read_pins(ROOT, BANCO.extras)
    assert {"msgspec", "aiohttp", "psycopg-binary", "cryptography", *COMPILED} <= set(pins)
    assert {"prompt-toolkit", "wcwidth", "setuptools", "fpdf2"} & set(pins) == set()
    assert all("--hash=sha256:" in line for line in pins.values())


def test_what_draws_a_pdf_is_a_package_of_its_own() -> None:
    pins = read_pins(ROOT, REPORT.extras, BANCO.extras)
    assert set(pins) == {"defusedxml", "fonttools", "fpdf2", "pillow"}


def test_a_library_pinned_twice_is_refused(tmp_path: Path) -> None:
    for number, extra in enumerate((*BANCO.extras, *REPORT.extras)):
        (tmp_path / f"requirements-{extra}.txt").write_text(
            f"aiohttp==3.{number} --hash=sha256:0\n"
        )
    with pytest.raises(Refused, match="aiohttp is pinned otherwise"):
        read_pins(tmp_path, BANCO.extras)
    with pytest.raises(Refused, match="aiohttp is pinned otherwise"):
        read_pins(tmp_path, REPORT.extras, BANCO.extras[:1])


def test_of_a_wheel_only_modules_are_unpacked(tmp_path: Path) -> None:
    wheel = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in ("a/__init__.py", "a-1.data/scripts/a"):
            archive.writestr(name, "")
    unpack_wheel(wheel, tmp_path / "out")
    found = [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert found == ["__init__.py"]
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("a-1.data/platlib/a/b.py", "")
    with pytest.raises(Refused, match="platlib"):
        unpack_wheel(wheel, tmp_path / "out")


@pytest.mark.parametrize("unit", [name for name in LINKS if name.endswith(".service")])
def test_each_unit_starts_the_program_that_the_package_replaces(unit: str) -> None:
    text = (ROOT / "systemd" / unit).read_text("utf-8")
    assert text.count(f"ExecStart={OTHER_WAY} ") == text.count("/opt/banco") == 1


@pytest.mark.parametrize("unit", UNITS)
def test_an_addition_replaces_each_command_of_the_unit_and_keeps_all_of_its_own(unit: str) -> None:
    """An empty value forgets those before it: one more would forget the unit's own first."""
    text = (ROOT / "systemd" / unit).read_text("utf-8")
    for key in ("ExecStart", "ExecStartPre", "ListenStream"):
        values = re.findall(f"^{key}=(.*)$", text, re.MULTILINE)
        added = re.findall(f"^{key}=(.*)$", write_drop_in(text), re.MULTILINE)
        assert added == ([""] if values else []) + values

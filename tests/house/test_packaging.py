"""What is installed at a table: all rooms, one command, and exactly the libraries pinned."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any

import pytest

from console.configuration.version import VERSION
from tests.deadlines import DEADLINE_S
from tests.house.sources import PACKAGES, ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WHEEL = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
PINNED = {
    "requirements.txt": [],
    "requirements-pi.txt": ["lgpio"],
    "requirements-metrics.txt": ["metrics"],
    "requirements-report.txt": ["report"],
    "requirements-audit.txt": ["audit"],
    "requirements-link.txt": ["link"],
    "requirements-web.txt": ["web", "simulation"],
    "requirements-room.txt": ["web", "simulation", "link", "room"],
    "requirements-test.txt": ["test"],
}
TOOLS = ("requirements-pip.txt", "requirements-pins.txt", "requirements-package.txt")
WITH_PICTURE = {"requirements-web.txt", "requirements-room.txt", "requirements-test.txt"}
"""Simulations and `make test` install these."""


def library(requirement: str) -> str:
    """The library's name, as the pins spell it."""
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def pins(file: str) -> dict[str, str]:
    """Each pinned library, with the rest of its entry."""
    text = re.sub(r"\s*#.*", "", (ROOT / file).read_text("utf-8"))
    entries = [entry for entry in text.replace("\\\n", " ").splitlines() if entry.strip()]
    return {library(entry): entry for entry in entries}


def test_every_module_and_every_file_of_data_is_installed(tmp_path: Path) -> None:
    """But not the board's schematic and layout, which no cabinet needs."""
    for part in (*PACKAGES, "pyproject.toml", "LICENSE"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    subprocess.run(
        [*WHEEL, "--wheel-dir", tmp_path, tmp_path],
        check=True,
        capture_output=True,
        timeout=DEADLINE_S,
    )
    (wheel,) = tmp_path.glob("banco-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.split("/")[0] in PACKAGES}
    held = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not {"__pycache__", "carrier"} & {*path.parts}
    }
    assert shipped == held


def test_one_command_and_one_version() -> None:
    (command,) = entry_points(group="console_scripts", name="banco")
    assert command.value == "console.__main__:main"
    assert version("banco") == VERSION
    assert PROJECT["project"]["dynamic"] == ["version"]


@pytest.mark.parametrize(("file", "extras"), PINNED.items())
def test_what_the_project_names_is_pinned(file: str, extras: list[str]) -> None:
    named = PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]
    for extra in extras:
        named += PROJECT["project"]["optional-dependencies"][extra]
    assert {library(requirement) for requirement in named} <= set(pins(file))


@pytest.mark.parametrize("file", sorted(PINNED.keys() - WITH_PICTURE))
def test_a_table_is_installed_without_the_picture_of_the_simulation(file: str) -> None:
    assert {"prompt-toolkit", "wcwidth"} & set(pins(file)) == set()


@pytest.mark.parametrize("file", [*PINNED, *TOOLS])
def test_every_pin_is_one_version_with_its_hashes(file: str) -> None:
    pin = re.compile(r"[\w.-]+==[\w.]+(?:\s+;[^-]+)?(?:\s+--hash=sha256:[0-9a-f]{64})+\s*")
    assert [entry for entry in pins(file).values() if not pin.fullmatch(entry)] == []


def test_all_files_pin_the_same_versions() -> None:
    everywhere = pins("requirements.txt")
    for file in PINNED:
        assert everywhere.items() <= pins(file).items(), file


def test_what_builds_the_libraries_is_pinned_and_checked_as_they_are() -> None:
    """pip is pinned on a line of its own; setuptools is in all files, at the same version"""
    builders = pins("requirements-pip.txt")
    assert set(builders) == {"pip", "setuptools"}
    assert builders["setuptools"] == pins("requirements.txt")["setuptools"]


PIP_INSTALL = re.compile(r"pip install [^`\n]*")


def test_nothing_is_fetched_without_a_hash() -> None:
    """A library without a wheel is built by what is there: in isolation pip fetches setuptools"""
    found = 0
    for page in sorted(ROOT.glob("docs/*/*.md")):
        for command in PIP_INSTALL.findall(page.read_text("utf-8")):
            found += 1
            hashed = "--require-hashes -r requirements-" in command
            ours = "--no-deps" in command
            assert hashed or ours, f"{page.name}: {command}"
            only_wheels = "-r requirements-pip.txt" in command
            assert only_wheels or "--no-build-isolation" in command, f"{page.name}: {command}"
    assert found >= 3


def test_the_licence_is_the_one_named() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License\n" in Path(ROOT, "LICENSE").read_text("utf-8")

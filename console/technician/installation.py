"""Compares the program's files with the hashes of its installed distribution."""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from pathlib import Path

from msgspec import Struct

NAME = "banco"
ROOMS = ("console", "devices", "firmware_bridge", "jackpot")
"""The packages that may contain only files of the distribution."""

ALGORITHM = "sha256"


class NotVerifiable(Exception):
    """There are no hashes to compare with. The text says why."""


class Inspection(Struct, frozen=True):
    """The result of the comparison, without the files that have no hash: pip's compiled ones."""

    version: str
    checked: int
    """How many files have the right hash."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    """Files within the program that do not belong to the distribution."""

    @property
    def sound(self) -> bool:
        """Whether every file is as installed."""
        return not (self.changed or self.missing or self.strange)


def find_program() -> tuple[Distribution, Path]:
    """Return the distribution and the folder that the program runs from. Raises NotVerifiable."""
    try:
        found = distribution(NAME)
    except PackageNotFoundError as error:
        raise NotVerifiable(f"{NAME} is not installed: it runs from its source") from error
    return found, Path(__file__).resolve().parents[2]


def inspect_files(
    installed: Distribution, folder: Path, each: Callable[[], None] = lambda: None
) -> Inspection:
    """Compare every file with its hash; `each` is called before each one.

    `folder` is where the program runs from. Raises NotVerifiable, and what `each` raises.
    """
    hashes = _read_hashes(installed)
    if _is_editable(installed):
        raise NotVerifiable("installed as editable: it runs from its source")
    places = {Path(str(file.locate())).resolve(): file for file in hashes}
    if not any(place.is_relative_to(folder) and place.suffix == ".py" for place in places):
        raise NotVerifiable(f"it runs from {folder}, which is not what was installed")
    changed: list[str] = []
    missing: list[str] = []
    checked = 0
    for place, file in places.items():
        each()
        if file.hash is None:  # RECORD itself, and what pip compiled
            continue
        if not place.is_file():
            missing.append(str(file))
        elif _has_its_hash(place, file):
            checked += 1
        else:
            changed.append(str(file))
    strange = tuple(str(place.relative_to(folder)) for place in _find_unknown(folder, places))
    return Inspection(installed.version, checked, tuple(changed), tuple(missing), strange)


def _read_hashes(installed: Distribution) -> Sequence[PackagePath]:
    files = installed.files if installed.read_text("RECORD") else None
    if not files:
        raise NotVerifiable("the installation keeps no list of hashes (RECORD)")
    return files


def _is_editable(installed: Distribution) -> bool:
    source = installed.read_text("direct_url.json")
    return bool(source) and bool(json.loads(source or "{}").get("dir_info", {}).get("editable"))


def _has_its_hash(place: Path, file: PackagePath) -> bool:
    """Return whether the file has its hash; False for a hash of another kind."""
    if file.hash is None or file.hash.mode != ALGORITHM:
        return False
    try:
        expected = base64.urlsafe_b64decode(f"{file.hash.value}==")
    except binascii.Error:
        return False
    with place.open("rb") as content:
        return hashlib.file_digest(content, ALGORITHM).digest() == expected


def _find_unknown(folder: Path, places: dict[Path, PackagePath]) -> Iterator[Path]:
    """Find files in the program's packages that were not installed with it."""
    for room in ROOMS:
        for place in sorted((folder / room).rglob("*")):
            if place.is_file() and place.suffix != ".pyc" and place.resolve() not in places:
                yield place

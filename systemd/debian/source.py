"""The state of the checkout: its version and its date."""

import os
import re
from pathlib import Path

from jackpot.failures import Refused
from systemd.debian.programs import run_program

VERSION_FILE = "console/configuration/version.py"


def read_version(root: Path) -> str:
    """The version of the program in this checkout."""
    text = (root / VERSION_FILE).read_text("utf-8")
    found = re.search(r'^VERSION = "(.+)"$', text, re.MULTILINE)
    if found is None:
        raise Refused(f"{VERSION_FILE} has no VERSION")
    return found[1]


def describe_version(root: Path) -> str:
    """The version to give a package: 0.1.0 of its tag, and otherwise with number and commit.

    Before the tag 0.1.0~412.g1a2b3c4 (older than 0.1.0), after it 0.1.0+7.g1a2b3c4 (newer). With
    changes that are not committed it ends with .changed. Raises Refused: a shallow clone has
    neither the number of commits nor, perhaps, the tag, and would be older than it is.
    """
    if _git(root, "rev-parse", "--is-shallow-repository") == "true":
        raise Refused("this clone is shallow, so its version is not known: git fetch --unshallow")
    version = read_version(root)
    tag = f"v{version}"
    commit = _git(root, "rev-parse", "--short=7", "HEAD")
    changed = "" if is_clean(root) else ".changed"
    if not _git(root, "tag", "--list", tag):
        return f"{version}~{_git(root, 'rev-list', '--count', 'HEAD')}.g{commit}{changed}"
    since = _git(root, "rev-list", "--count", f"{tag}..HEAD")
    if since == "0" and not changed:
        return version
    return f"{version}+{since}.g{commit}{changed}"


def name_build(copy: Path, build: str) -> None:
    """Write into a copy of the checkout which package it is in: `banco --version` says it."""
    file = copy / VERSION_FILE
    named, places = re.subn(
        r'^BUILD = ""$', f'BUILD = "{build}"', file.read_text("utf-8"), flags=re.M
    )
    if places != 1:
        raise Refused(f"{VERSION_FILE} has no BUILD")
    file.write_text(named, "utf-8")


def is_clean(root: Path) -> bool:
    """Whether everything is committed."""
    return not _git(root, "status", "--porcelain")


def read_date(root: Path) -> int:
    """Seconds since 1970 of the last commit, or what SOURCE_DATE_EPOCH asks for."""
    asked = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(asked if re.fullmatch(r"\d+", asked) else _git(root, "log", "-1", "--format=%ct"))


def list_files(root: Path, *folders: str) -> list[str]:
    """The files that git knows in these folders, those that were not committed yet included."""
    known = _git(root, "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders)
    return sorted(name for name in set(known.splitlines()) if (root / name).is_file())


def _git(root: Path, *words: str) -> str:
    return run_program(["git", "-C", root, *words]).strip()

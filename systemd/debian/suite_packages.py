"""Packages of another suite and architecture, from the machine's own Debian mirror."""

import re
from collections.abc import Sequence
from pathlib import Path

from systemd.debian.programs import CannotBuild, run_program
from systemd.debian.target import Suite

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
APT_SOURCES = Path("/etc/apt")


def unpack_packages(suite: Suite, arch: str, names: Sequence[str], folder: Path) -> Path:
    """Fetch the newest of these packages into the folder, and return the root they unpack to."""
    for part in ("lists/partial", "cache/archives/partial", "packages"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    source = f"deb [signed-by={KEYRING}] {find_mirror()} {suite.name} main\n"
    (folder / "sources.list").write_text(source, "utf-8")
    options = [
        f"-oDir::Etc::SourceList={folder}/sources.list",
        "-oDir::Etc::SourceParts=/dev/null",
        f"-oDir::State::Lists={folder}/lists",
        "-oDir::State::Status=/dev/null",
        f"-oDir::Cache={folder}/cache",
        f"-oAPT::Architecture={arch}",
        f"-oAPT::Architectures={arch}",
        "-oAcquire::Languages=none",
        "-oAPT::Sandbox::User=root",
    ]
    run_program(["apt-get", *options, "update"])
    run_program(["apt-get", *options, "download", *names], cwd=folder / "packages")
    for archive in sorted((folder / "packages").glob("*.deb")):
        run_program(["dpkg-deb", "--extract", archive, folder / "root"])
    return folder / "root"


def find_mirror() -> str:
    """The address of the machine's own mirror of Debian. Raises CannotBuild."""
    files = [*APT_SOURCES.glob("sources.list.d/*"), APT_SOURCES / "sources.list"]
    for file in files:
        text = file.read_text("utf-8") if file.is_file() else ""
        found = re.search(r"^(?:URIs:|deb(?: \[.*\])?) +(\S+/debian/?)(?:\s|$)", text, re.MULTILINE)
        if found is not None:
            return found[1]
    raise CannotBuild(f"no source of Debian in {APT_SOURCES}: the suite's Python is needed")

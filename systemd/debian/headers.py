"""Python's headers for another suite and architecture, from the machine's own Debian mirror."""

import re
from pathlib import Path

from systemd.debian.programs import CannotBuild, run_program
from systemd.debian.target import PackageTarget

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
APT_SOURCES = Path("/etc/apt")


def fetch_headers(target: PackageTarget, work: Path) -> Path:
    """Fetch the headers into the work folder, and return the folder to include."""
    state = work / "apt"
    for folder in ("lists/partial", "cache/archives/partial", "packages"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    source = f"deb [signed-by={KEYRING}] {find_mirror()} {target.suite.name} main\n"
    (state / "sources.list").write_text(source, "utf-8")
    options = [
        f"-oDir::Etc::SourceList={state}/sources.list",
        "-oDir::Etc::SourceParts=/dev/null",
        f"-oDir::State::Lists={state}/lists",
        "-oDir::State::Status=/dev/null",
        f"-oDir::Cache={state}/cache",
        f"-oAPT::Architecture={target.arch}",
        f"-oAPT::Architectures={target.arch}",
        "-oAcquire::Languages=none",
        "-oAPT::Sandbox::User=root",
    ]
    run_program(["apt-get", *options, "update"])
    package = f"libpython{target.python}-dev"
    run_program(["apt-get", *options, "download", package], cwd=state / "packages")
    (archive,) = (state / "packages").glob(f"{package}_*.deb")
    run_program(["dpkg-deb", "--extract", archive, state / "unpacked"])
    return state / "unpacked/usr/include"


def find_mirror() -> str:
    """The address of the machine's own mirror of Debian. Raises CannotBuild."""
    files = [*APT_SOURCES.glob("sources.list.d/*"), APT_SOURCES / "sources.list"]
    for file in files:
        text = file.read_text("utf-8") if file.is_file() else ""
        found = re.search(r"^(?:URIs:|deb(?: \[.*\])?) +(\S+/debian/?)(?:\s|$)", text, re.MULTILINE)
        if found is not None:
            return found[1]
    raise CannotBuild(f"no source of Debian in {APT_SOURCES}: its headers of Python are needed")

"""Packages of another suite and architecture, from the machine's own Debian mirror."""

from collections.abc import Sequence
from pathlib import Path

from jackpot.failures import Refused
from systemd.debian.programs import run_program
from systemd.debian.target import Suite

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


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
    """The address of the machine's own mirror of Debian. Raises Failure."""
    words = ["apt-get", "indextargets", "--format=$(REPO_URI)", "Created-By: Packages"]
    for address in run_program(words).splitlines():
        if address.rstrip("/").endswith("/debian"):
            return address
    raise Refused("apt knows no mirror of Debian here: the suite's Python is needed")

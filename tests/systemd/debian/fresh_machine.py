"""A fresh Debian in a folder, entered by chroot: dpkg, Python, users are real; no systemd runs."""

import hashlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from systemd.debian.programs import install_packages, run_program
from systemd.debian.suite_packages import KEYRING, find_mirror
from systemd.debian.target import PackageTarget

INCLUDED = "systemd,udev,python3,openssl,libstdc++6,zlib1g"
LONGEST_S = 300


@dataclass(frozen=True)
class Machine:
    """A machine that is running; its paths begin at `root`."""

    root: Path

    def run(self, *words: str, at_most_s: int = LONGEST_S) -> subprocess.CompletedProcess[str]:
        """Run a command as root; both its outputs in stdout."""
        return subprocess.run(
            self.command(*words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=at_most_s,
            check=False,
        )

    def command(self, *words: str) -> tuple[str, ...]:
        """The words that run a command in it."""
        place = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        surroundings = ("env", "-i", place, "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive")
        return ("chroot", str(self.root), *surroundings, *words)

    def place(self, path: str) -> Path:
        """Where a path of the machine is for us."""
        return self.root / path.lstrip("/")


def build_root(target: PackageTarget, folder: Path, included: str = INCLUDED) -> Path:
    """The archive of a fresh system with these packages, made once in the folder. Needs root."""
    install_packages(["mmdebstrap"])
    digest = hashlib.sha256(included.encode()).hexdigest()[:8]
    archive = folder / f"root-{target.suite.name}-{target.arch}-{digest}.tar"
    if not archive.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = archive.with_suffix(".part")
        source = f"deb [signed-by={KEYRING}] {find_mirror()} {target.suite.name} main"
        options = ["--quiet", "--variant=minbase", "--mode=root", "--format=tar"]
        options += [f"--architectures={target.arch}", f"--include={included}"]
        run_program(["mmdebstrap", *options, target.suite.name, made, source])
        made.replace(archive)
    return archive


@contextmanager
def start_machine(archive: Path, root: Path) -> Iterator[Machine]:
    """Unpack it, with its processes to be seen, until the block ends."""
    root.mkdir()
    run_program(["tar", "--extract", f"--file={archive}", f"--directory={root}"])
    run_program(["mount", "-t", "proc", "proc", root / "proc"])
    try:
        yield Machine(root)
    finally:
        run_program(["umount", root / "proc"])

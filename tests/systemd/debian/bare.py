"""What the README promises of a bare Debian: `make bare`, in a fresh chroot of each suite.

It has what the README asks for, and nothing else. `--targets test` tries `make test`, too.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from urllib.request import urlopen

from systemd.debian.build import ROOT
from systemd.debian.programs import run_program
from systemd.debian.target import MACHINES, SUITES, TARGETS, PackageTarget
from tests.systemd.debian.fresh_machine import build_root

ASKED_FOR = "ca-certificates,git,make,python3-venv"
TARGETS_TRIED = ("deb", "firmware", "run", "room")
CHECKOUT = "/srv/banco"

PASSED_ON = ("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "http_proxy", "https_proxy", "no_proxy")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""This machine's: it may reach the indexes through a proxy of its house."""

MOUNT = """
mount -t proc proc "$0/proc"
mount -t sysfs -o ro sysfs "$0/sys"
mkdir -p "$0/dev/pts" "$0/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$0/dev/pts"
ln -sf pts/ptmx "$0/dev/ptmx"
mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
exec chroot "$0" "$@"
"""
"""Processes and mounts end with the command: `unshare` has made a namespace of each for it."""

LONGEST_S = {"deb": 3600, "firmware": 1200, "run": 600, "room": 900, "test": 7200}
SERVED = {"run": "the table's page: ", "room": "  overview "}
"""What the line with a page's address begins with, of those targets that serve one until they are
ended."""


class BareMachine:
    """A Debian in a folder, with a clone of this checkout."""

    def __init__(self, target: PackageTarget, work: Path) -> None:
        archive = build_root(target, ROOT / "build/deb/roots", ASKED_FOR)
        self.root = work / target.suite.name
        self.root.mkdir()
        run_program(["tar", "--extract", f"--file={archive}", f"--directory={self.root}"])
        for file in (Path("/etc/resolv.conf"), CERTIFICATES):
            shutil.copyfile(file, self.root / file.relative_to("/"))
        run_program(["git", "clone", "--quiet", "--no-local", ROOT, self.root / CHECKOUT[1:]])

    def start(self, target: str, output: int) -> subprocess.Popen[str]:
        """Begin `make TARGET` in it."""
        passed = [f"{name}={os.environ[name]}" for name in PASSED_ON if name in os.environ]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        surroundings = ["env", "-i", path, "HOME=/root", "DEBIAN_FRONTEND=noninteractive", *passed]
        inside = [*surroundings, "make", f"--directory={CHECKOUT}", target]
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", MOUNT]
        return subprocess.Popen(
            [*enter, str(self.root), *inside],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
        )


def try_target(machine: BareMachine, target: str, log: Path) -> None:
    """Run it to its end; one that serves a page, until the page is there. Raises AssertionError."""
    begun = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        process = machine.start(target, output.fileno())
        try:
            if target in SERVED:
                _ask_page(process, SERVED[target], log, begun + LONGEST_S[target])
            else:
                status = process.wait(LONGEST_S[target])
                assert status == 0, f"exit status {status}\n{_tail(log)}"
        finally:
            process.kill()
            process.communicate()
    print(f"{machine.root.name}: make {target}: {time.monotonic() - begun:.0f} s", flush=True)


def _ask_page(process: subprocess.Popen[str], begins: str, log: Path, deadline: float) -> None:
    while not (lines := [line for line in _read(log) if begins in line]):
        assert process.poll() is None, _tail(log)
        assert time.monotonic() < deadline, _tail(log)
        Event().wait(1)
    address = lines[0].partition("http://")[2].split()[0]
    with urlopen(f"http://{address}", timeout=60) as answer:
        assert answer.status == 200, address


def _read(log: Path) -> list[str]:
    return log.read_text("utf-8", "replace").splitlines()


def _tail(log: Path) -> str:
    return "\n".join(_read(log)[-40:])


def try_suite(target: PackageTarget, names: Sequence[str], logs: Path) -> list[str]:
    """Try the targets in one machine; what was wrong."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="banco-bare-", dir=logs) as work:
        machine = BareMachine(target, Path(work))
        for name in names:
            try:
                try_target(machine, name, logs / f"{target.suite.name}-{name}.log")
            except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
                late = isinstance(error, subprocess.TimeoutExpired)
                reason = f"not within {LONGEST_S[name]} s" if late else error
                wrong.append(f"{target.suite.name}: make {name}: {reason}")
                print(wrong[-1], file=sys.stderr, flush=True)
    return wrong


def main() -> int:
    """Try the suites on this machine's architecture; 1 if something was wrong."""
    parser = argparse.ArgumentParser(prog="make bare", description=__doc__)
    parser.add_argument("--suite", choices=SUITES)
    parser.add_argument("--targets", nargs="+", default=TARGETS_TRIED, choices=LONGEST_S)
    options = parser.parse_args()
    logs = ROOT / "build/bare"
    logs.mkdir(parents=True, exist_ok=True)
    arch = run_program(["dpkg", "--print-architecture"]).strip()
    assert arch in MACHINES, arch
    wrong = []
    for target in TARGETS:
        if target.arch == arch and options.suite in {None, target.suite.name}:
            wrong += try_suite(target, options.targets, logs)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs the programs that a package is made with, and installs them where they are missing."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jackpot.failures import Unavailable

LOCK_S = 600
"""How long another installation is waited for."""


def run_program(
    words: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    typed: str | None = None,
) -> str:
    """Run a program to its end and return what it prints; `typed` is its input.

    Raises Unavailable with its errors.
    """
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        command = " ".join(map(str, words[:4]))
        raise Unavailable(f"{command} ...: exit status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def install_packages(names: Iterable[str]) -> None:
    """Install these Debian packages, as far as they are missing. Raises Unavailable.

    dpkg is asked, not PATH: a compiler may be there without the C library's headers. Only as root
    on a Debian; elsewhere the packages are named.
    """
    missing = sorted({name for name in names if not _is_installed(name)})
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise Unavailable(f"install these Debian packages first: {' '.join(missing)}")
    run_program(["apt-get", "update", "--quiet"])
    options = [f"-oDPkg::Lock::Timeout={LOCK_S}", "--yes", "--quiet", "--no-install-recommends"]
    run_program(["apt-get", "install", *options, *missing])


def _is_installed(name: str) -> bool:
    if shutil.which("dpkg-query") is None:
        return False
    query = ["dpkg-query", "--show", "--showformat=${db:Status-Status}\\n", name]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    return "installed" in done.stdout.splitlines()

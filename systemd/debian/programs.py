"""Runs the programs that a package is made with, and installs them where they are missing."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


class CannotBuild(Exception):
    """The package cannot be built here. The text says why, and what would help."""


def run_program(
    words: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run a program to its end and return what it prints. Raises CannotBuild with its errors."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        command = " ".join(map(str, words[:4]))
        raise CannotBuild(f"{command} ...: exit status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def install_programs(packages: Mapping[str, str]) -> None:
    """Install the Debian package of each program that is missing. Raises CannotBuild.

    Only as root on a Debian; elsewhere the packages are named.
    """
    missing = sorted({packages[name] for name in packages if shutil.which(name) is None})
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise CannotBuild(f"install these Debian packages first: {' '.join(missing)}")
    run_program(["apt-get", "update", "--quiet"])
    run_program(["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *missing])

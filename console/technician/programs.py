"""Runs programs of the machine with a time limit: systemd's journal."""

import shutil
import subprocess
from collections.abc import Sequence

UNIT = "banco"
"""The service's unit (systemd/banco.service)."""

JOURNAL_WITHIN_S = 5.0

LONGEST_LINE = 400


def read_journal(lines: int) -> list[str]:
    """Return the unit's last lines in systemd's journal, or one line that says why not."""
    return read_output(
        ("journalctl", "--unit", UNIT, "--lines", str(lines), "--output", "short", "--no-pager")
    )[-lines:]


def read_output(command: Sequence[str]) -> list[str]:
    """Return what a program prints within 5 s, or one line that says why not."""
    name = command[0]
    path = shutil.which(name)
    if path is None:
        return [f"{name}: not on this machine"]
    try:
        done = subprocess.run(
            (path, *command[1:]),
            check=False,  # its error messages are shown, too
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=JOURNAL_WITHIN_S,
        )
    except subprocess.TimeoutExpired:
        return [f"{name}: no answer within {JOURNAL_WITHIN_S:.0f} s"]
    except OSError as error:
        return [f"{name}: {error}"]
    lines = (done.stdout or done.stderr).decode("utf-8", "replace").splitlines()
    return [line[:LONGEST_LINE] for line in lines] or [f"{name}: nothing"]

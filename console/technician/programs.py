"""What programs of the machine tell: systemd's journal, each within its time."""

import shutil
import subprocess
from collections.abc import Sequence

UNIT = "banco"
"""The service's unit (systemd/banco.service)."""

JOURNAL_WITHIN_S = 5.0

LONGEST_LINE = 400


def read_journal(lines: int) -> list[str]:
    """The unit's last lines in systemd's journal, or one that says why there are none."""
    return read_output(
        ("journalctl", "--unit", UNIT, "--lines", str(lines), "--output", "short", "--no-pager")
    )[-lines:]


def read_output(command: Sequence[str]) -> list[str]:
    """What a program prints within 5 s, or one line that says why it has printed nothing."""
    name = command[0]
    path = shutil.which(name)
    if path is None:
        return [f"{name}: not on this machine"]
    try:
        done = subprocess.run(
            (path, *command[1:]),
            check=False,  # what it complains of is told as well
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=JOURNAL_WITHIN_S,
        )
    except subprocess.TimeoutExpired:
        return [f"{name}: no answer within {JOURNAL_WITHIN_S:.0f} s"]
    except OSError as error:
        return [f"{name}: {error}"]
    told = (done.stdout or done.stderr).decode("utf-8", "replace").splitlines()
    return [line[:LONGEST_LINE] for line in told] or [f"{name}: nothing"]

"""From the start of the process until the table is ready, and the memory it then has."""

import os
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.bench.contenders import ROOT, python_of
from tests.bench.figures import Figure, Goal, ratio

TIMES = 7
AT_MOST = 1.0
"""Times MPF's."""

MEMORY_MB = 45.0
WAIT_S = 30.0

BANCO = "import sys; from console.__main__ import main; sys.exit(main())"
"""What the installed command does."""

MPF_CONFIG = Path(__file__).with_name("mpf_machine.yaml")


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds to READY=1 (0: it does not tell) and to its first line of output; its memory then."""

    notified_s: float
    line_s: float
    resident_mb: float
    peak_mb: float


def start(command: Sequence[str], folder: Path) -> Start:
    """Start it, look at it when it says its first line, and end it by ending its input."""
    address = folder / "notices"
    address.unlink(missing_ok=True)
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices,
        (folder / "complaints").open("w") as complaints,
    ):
        notices.bind(str(address))
        began = perf_counter()
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={
                **os.environ,
                "XDG_STATE_HOME": str(folder),
                "TMPDIR": str(folder),
                "NOTIFY_SOCKET": str(address),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
        )
        notified, line = watch(process, notices)
        memory = memory_of(process.pid)
        process.communicate(timeout=WAIT_S)
    if process.returncode:
        raise RuntimeError(f"{command}: {(folder / 'complaints').read_text()}")
    return Start(max(0, notified - began), line - began, memory["VmRSS"], memory["VmHWM"])


def watch(process: subprocess.Popen[bytes], notices: socket.socket) -> tuple[float, float]:
    """When READY=1 came (0: it has not), and when the first output."""
    if process.stdout is None:
        raise ValueError("a process is watched over a pipe")
    output, notified = process.stdout.fileno(), 0.0
    while True:
        ready, _, _ = select.select([output, notices.fileno()], [], [], WAIT_S)
        now = perf_counter()
        if not ready:
            raise TimeoutError(f"{process.args!r} says nothing for {WAIT_S} s")
        if notices.fileno() in ready and notices.recv(256) == b"READY=1":
            notified = now
        if output in ready:
            return notified, now


def memory_of(process: int) -> dict[str, float]:
    """What the kernel says of a process's memory, in MB."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    sizes = (line.split() for line in lines if line.startswith("Vm"))
    return {name.rstrip(":"): int(kilobytes) / 1024 for name, kilobytes, _ in sizes}


def measure() -> Iterator[Figure]:
    """`banco run --sim` from a pipe, beside MPF's engine on its virtual platform, alternately."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mpf" / "config").mkdir(parents=True)
        shutil.copy(MPF_CONFIG, folder / "mpf" / "config" / "config.yaml")
        commands = {
            "banco": [sys.executable, "-c", BANCO, "run", "--sim"],
            "mpf": [python_of("mpf"), "-m", "tests.bench.peer_mpf_start", str(folder / "mpf")],
        }
        starts: dict[str, list[Start]] = {name: [] for name in commands}
        for turn in range(TIMES + 1):
            for who, command in commands.items():
                one = start(command, folder)
                if turn:  # the first one writes bytecode, and MPF's cache of its configuration
                    starts[who].append(one)
    ours, theirs = starts["banco"], starts["mpf"]
    line = [one.line_s for one in ours]
    yield Figure(
        "start.ready",
        median(line),
        "s to the first line of output",
        Goal(AT_MOST, "mpf"),
        {"mpf": median(one.line_s for one in theirs)},
        {"mpf": ratio(line, [one.line_s for one in theirs])},
        {"to_READY=1": round(median(one.notified_s for one in ours), 3)},
    )
    resident = [one.resident_mb for one in ours]
    yield Figure(
        "start.resident",
        median(resident),
        "MB",
        Goal(MEMORY_MB),
        {"mpf": median(one.resident_mb for one in theirs)},
        {"mpf": ratio(resident, [one.resident_mb for one in theirs])},
        {"peak": round(median(one.peak_mb for one in ours), 1)},
    )

"""Programs in MicroPython's unix port, with the board's firmware at hand."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(__file__).resolve().parent

MICROPYTHON = Path(sys.prefix) / "micropython" / "micropython"
"""Where the Makefile puts it (tests/unpack_debian_13)."""

ENVIRONMENT = {"MICROPYPATH": str(ROOT)}
"""There `import` looks for our modules."""


def command(program: str, *arguments: str) -> list[str]:
    """The command that runs this program of this folder in MicroPython, with a heap of 8 MB."""
    if not MICROPYTHON.exists():
        raise FileNotFoundError(
            f"{MICROPYTHON} is missing: make {Path(sys.prefix).name}/micropython/micropython"
        )
    return [str(MICROPYTHON), "-X", "heapsize=8m", str(FOLDER / program), *arguments]


def run_program(program: str, lines: Iterable[str], within_s: float) -> list[str]:
    """The lines that this program answers to these; it ends without a complaint."""
    run = subprocess.run(
        command(program),
        input="".join(f"{line}\n" for line in lines),
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()

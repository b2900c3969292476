"""A signal that comes while `banco run` starts, at random instants.

docs/reference/exit-status.md.
"""

import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.service.supervision.stop_signals import SIGNALS
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    configuration,
)
from tests.deadlines import DEADLINE_S

SOME, THOROUGH = 12, 1_000
RUN = ("run", "--sim", "--json", "--config", "table.toml")


@pytest.fixture(autouse=True)
def default_signals() -> Iterator[None]:
    """What nohup, or a shell's `&`, has had ignored would be lost until `env` has begun."""
    before = [(number, signal.signal(number, signal.SIG_DFL)) for number in SIGNALS]
    yield
    for number, handler in before:
        signal.signal(number, handler)


def start(folder: Path) -> "subprocess.Popen[bytes]":
    """`banco run` in this folder, started as systemd/debian/banco.sh does."""
    return subprocess.Popen(
        ["env", "--default-signal", "--block-signal=INT,TERM,HUP", *BANCO, *RUN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=ENVIRONMENT,
    )


def start_time_s(folder: Path) -> float:
    """How long it takes until the table is there."""
    began = time.monotonic()
    with start(folder) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        took = time.monotonic() - began
        process.communicate(timeout=DEADLINE_S)
    return took


def send_after(
    process: "subprocess.Popen[bytes]", number: signal.Signals, after_s: float, *, ends_input: bool
) -> tuple[int, str]:
    """Send the signal to a start; its exit status, and what it complained of."""
    assert process.stdin is not None
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    if ends_input:
        process.stdin.close()
        process.stdin = None
    try:
        process.wait(DEADLINE_S)
    except subprocess.TimeoutExpired:
        process.kill()
    assert process.stderr is not None
    return process.returncode, process.stderr.read().decode()


def test_a_signal_ends_a_start_as_documented(tmp_path: Path, thorough: bool) -> None:
    configuration(tmp_path / "table.toml")
    seed = random.randrange(10**6)
    chance, longest_s = random.Random(seed), 1.2 * start_time_s(tmp_path)
    for _ in range(THOROUGH if thorough else SOME):
        number, after_s = chance.choice(SIGNALS), chance.uniform(0, longest_s)
        with start(tmp_path) as process:
            status, complaint = send_after(
                process, number, after_s, ends_input=chance.random() < 0.3
            )
        case = f"seed {seed}: {number.name} after {after_s * 1000:.0f} ms: {status}: {complaint}"
        assert "Traceback" not in complaint, case
        assert status == 0 or (status == -number and not complaint), case  # `env` itself was ended

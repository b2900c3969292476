"""Processes that a SIGKILL does not end at once, as one that waits for a disk in the kernel."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

import pytest

STUCK_S = 30.0
"""How long a killed one goes on: longer than anybody waits for it."""


def end(process: "subprocess.Popen[Any]") -> None:
    """Kill it really."""
    with suppress(ProcessLookupError):  # it has ended
        os.kill(process.pid, signal.SIGKILL)


@contextmanager
def let_processes_be_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[list["subprocess.Popen[Any]"]]:
    """In the block a killed process goes on for `STUCK_S`. Gives those that were killed.

    They end with the block; whoever has started them waits for them.
    """
    killed: list[subprocess.Popen[Any]] = []
    timers: list[Timer] = []

    def kill(process: "subprocess.Popen[Any]") -> None:
        killed.append(process)
        timers.append(Timer(STUCK_S, end, (process,)))
        timers[-1].start()

    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "kill", kill)
        try:
            yield killed
        finally:
            for timer, process in zip(timers, killed, strict=True):
                timer.cancel()
                end(process)

"""Contenders: each in a process of its own, kept running, and asked again and again.

So that ours and its peers can be measured alternately in one run (A B A B), each with the
Python and the packages it needs. This module needs nothing but Python.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".venv" / "bench-peers"

END_S = 30.0

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


def python_of(peer: str) -> str:
    """The interpreter of a peer's own environment, made by `make bench`."""
    return str(PEERS / peer / "bin" / "python")


class Contender:
    """A module of `tests.bench`, run by an interpreter and asked over its pipes."""

    def __init__(self, module: str, *arguments: str, python: str = sys.executable) -> None:
        self._module = module
        self._process = subprocess.Popen(
            [python, "-m", f"tests.bench.{module}", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **question: Any) -> dict[str, Any]:
        """Its answer. Raises RuntimeError when it has ended instead."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("a contender is asked over pipes")
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._module} ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End it, by ending its input."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # it has ended before
                self._process.stdin.close()
        self._process.wait(END_S)
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def running(**contenders: Contender) -> Iterator[dict[str, Contender]]:
    """These contenders, by their names, until the end of the block."""
    try:
        yield dict(contenders)
    finally:
        for contender in contenders.values():
            contender.close()


def alternately(
    contenders: dict[str, Contender], times: int, **question: Any
) -> dict[str, list[dict[str, Any]]]:
    """Ask each in turn, again and again; the first answers are warm-up and left out."""
    answers: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
    for turn in range(times + 1):
        for name, contender in contenders.items():
            answer = contender.ask(**question)
            if turn:
                answers[name].append(answer)
    return answers


def column(answers: Sequence[dict[str, Any]], key: str) -> list[float]:
    """One value of every answer."""
    return [answer[key] for answer in answers]


def join_group(process: int, group: str) -> None:
    """Put a process into a control group; "": it stays where it is."""
    if group:
        (Path(group) / "cgroup.procs").write_text(str(process), "ascii")


async def serve(answer: Answer) -> None:
    """In the contender: answer until the input ends. The event loop runs on while it waits."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await answer(json.loads(line))), flush=True)

"""A primary and its standby for a test; a server of theirs that stands still."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from console.simulation.room.postgres_server import PostgresServer, ServerPair, list_children


@contextmanager
def run_pair(
    folder: Path, ports: tuple[int, int], settings: Mapping[str, str] | None = None
) -> Iterator[ServerPair]:
    """A pair that ends with the block. Raises Unavailable."""
    pair = ServerPair(folder, ports, settings)
    try:
        pair.start()
        yield pair
    finally:
        pair.stop()


@contextmanager
def freeze(server: PostgresServer) -> Iterator[None]:
    """In the block it stands still: it holds its connections and answers nothing."""
    first = int((server.folder / "data/postmaster.pid").read_text("utf-8").split()[0])
    os.kill(first, signal.SIGSTOP)  # it starts no more processes
    frozen = [*list_children(first), first]
    try:
        _signal_all(frozen, signal.SIGSTOP)
        yield
    finally:
        _signal_all(frozen, signal.SIGCONT)


def _signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)

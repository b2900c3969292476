"""A thousand light members, in a few processes of a few threads each, which are told what to do."""

import gc
import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat, takewhile
from multiprocessing.connection import Connection
from random import Random
from typing import Any

from console.rules.link import AnyCall
from tests.console.link.light_member import LightMember

THREADS = 25
"""Of each process: so many of its members' calls may wait at once."""

AGAIN_S = 0.05
"""Between two tries of a thread, when the first came to nothing."""

ENDS_WITHIN_S = 60.0
SPAWN = multiprocessing.get_context("spawn")
TOKENS = 7


@dataclass
class Joining:
    """Connect, join, open a round.

    Without `opens` it is played to its end, and a beat follows: each session has then compiled what
    it calls, as that of a table has that has been there for a while.
    """

    opens: bool


@dataclass
class Staking:
    """One token after the other at every member, without a pause, until `Ending`.

    `busy`: after so many answers in this process it says so.
    """

    busy: int


@dataclass
class Ending:
    """Each member has a last token answered; then the answers are told, and when that was."""


@dataclass
class Playing:
    """A round each `round_s` and a beat each `beat_s` at every member, for so many seconds.

    With `rows` each call and beat is one bare row instead.
    """

    seconds: float
    round_s: float
    beat_s: float
    seed: int
    rows: bool = False


@dataclass
class Preparing:
    """Do what comes in a round before each member's first move of this night."""

    night: Playing


@dataclass
class Played:
    """Milliseconds from when a call was due until its answer, by what was asked."""

    latencies: dict[str, list[float]] = field(default_factory=dict)


@dataclass
class Ended:
    """`at`: of `time.monotonic`, which is one clock for all processes."""

    answers: dict[str, dict[int, str]]
    at: float


Order = Joining | Staking | Ending | Preparing | Playing


class Share:
    """The members of one process."""

    def __init__(self, pipe: Connection, names: Sequence[str], ports: tuple[int, ...]) -> None:
        self._pipe = pipe
        self._members = [LightMember(name, ports) for name in names]
        self._threads = ThreadPoolExecutor(THREADS)
        self._ends = threading.Event()
        self._answered = threading.Semaphore(0)

    def serve(self) -> None:
        """Do what is told, until the pipe is closed."""
        while True:
            try:
                order: Order = self._pipe.recv()
            except EOFError:
                return
            match order:
                case Joining(opens):
                    list(self._threads.map(self._join, self._members, repeat(opens)))
                    self._pipe.send(None)
                case Staking(busy):
                    self._stake_until_told(busy)
                case Preparing(night):
                    self._prepare_for(night)
                    self._pipe.send(None)
                case Playing():
                    with pause_garbage_collection():
                        played = self._play(order)
                    self._pipe.send(Played(played))
                case Ending():
                    raise ValueError("nothing is being staked")

    def _join(self, member: LightMember, opens: bool) -> None:
        member.ask(member.join)
        self._send(member)
        if opens:
            member.ask(member.open_round)
            self._send(member)
        else:
            self._warm_up(member)

    def _warm_up(self, member: LightMember) -> None:
        """A round and a beat: the session has then compiled all that it calls."""
        for what in MOVES.values():
            member.ask(partial(what, member))
            self._send(member)
        member.beat()

    def _prepare_for(self, night: Playing) -> None:
        if night.rows:
            list(self._threads.map(self._prepare_rows, self._members))
            return
        first = {
            member.name: what for _, what, member in reversed(self._plan(night)) if what != BEAT
        }
        moves = [first.get(member.name, "open") for member in self._members]
        list(self._threads.map(self._prepare, self._members, moves))

    def _prepare(self, member: LightMember, first: str) -> None:
        """Play a round to its end, and what comes in the next before this member's first move.

        The centre doubts a table whose tokens come after their round was closed.
        """
        self._warm_up(member)
        for what in takewhile(lambda move: move != first, MOVES):
            member.ask(partial(MOVES[what], member))
            self._send(member)

    def _prepare_rows(self, member: LightMember) -> None:
        member.close()
        member.write_row()

    def _send(self, member: LightMember) -> None:
        while not member.send():
            threading.Event().wait(AGAIN_S)

    def _stake_until_told(self, busy: int) -> None:
        self._ends.clear()
        futures = [
            self._threads.submit(self._stake, self._members[number::THREADS])
            for number in range(min(THREADS, len(self._members)))
        ]
        for _ in range(busy):
            self._answered.acquire()
        self._pipe.send(None)
        assert isinstance(self._pipe.recv(), Ending)
        self._ends.set()
        for future in futures:
            future.result()
        answers = {member.name: member.answers for member in self._members}
        self._pipe.send(Ended(answers, time.monotonic()))

    def _stake(self, members: Sequence[LightMember]) -> None:
        while not self._ends.is_set():
            for member in members:
                if member.pending is None:
                    member.ask(member.stake_or_open)
                if member.send():
                    self._answered.release()
                else:
                    self._ends.wait(AGAIN_S)
        for member in members:
            if member.pending is None:
                member.ask(member.stake_or_open)
            self._send(member)

    def _play(self, night: Playing) -> dict[str, list[float]]:
        """Each call at its time; one that begins late, as the one before it does, is late."""
        latencies: dict[str, list[float]] = {what: [] for what in (*MOVES, BEAT)}
        locks = {member.name: threading.Lock() for member in self._members}
        due = self._plan(night)
        began = time.monotonic()

        def do(at: float, what: str, member: LightMember) -> None:
            with locks[member.name]:
                if night.rows:
                    member.write_row()
                elif what == BEAT:
                    member.beat()
                else:
                    member.ask(partial(MOVES[what], member))
                    assert member.send(), f"{member.name}: {what} was not answered"
            latencies[what].append((time.monotonic() - began - at) * 1000)

        futures = []
        for at, what, member in due:
            self._ends.wait(max(0.0, began + at - time.monotonic()))
            futures.append(self._threads.submit(do, at, what, member))
        for future in futures:
            future.result()
        return latencies

    def _plan(self, night: Playing) -> list[tuple[float, str, LightMember]]:
        """When which member does what, in seconds from the beginning; in that order."""
        return sorted(self._draw(night, Random(night.seed)), key=lambda one: one[0])

    def _draw(self, night: Playing, chance: Random) -> Iterator[tuple[float, str, LightMember]]:
        for member in self._members:
            first = chance.random() * night.round_s
            for part, what in enumerate(MOVES):
                begins = (first + part * night.round_s / len(MOVES)) % night.round_s
                for at in count_up(begins, night.round_s, night.seconds):
                    yield at, what, member
            for at in count_up(chance.random() * night.beat_s, night.beat_s, night.seconds):
                yield at, BEAT, member


MOVES: dict[str, Callable[[LightMember, int], AnyCall]] = {
    "open": LightMember.open_round,
    "deliver": partial(LightMember.stake, tokens=TOKENS),
    "close": LightMember.close_round,
}
BEAT = "beat"


def count_up(first: float, step: float, end: float) -> Iterator[float]:
    """first, first + step, ... below the end."""
    while first < end:
        yield first
        first += step


def serve_share(pipe: Connection, names: Sequence[str], ports: tuple[int, ...]) -> None:
    """In the process."""
    Share(pipe, names, ports).serve()


class Crowd:
    """The members of all processes, each with a share of them."""

    def __init__(self, shares: Sequence[Sequence[str]], ports: tuple[int, ...]) -> None:
        self._pipes: list[Connection] = []
        self._processes = []
        for names in shares:
            ours, theirs = SPAWN.Pipe()
            process = SPAWN.Process(target=serve_share, args=(theirs, names, ports))
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def tell(self, order: Order, *shares: int) -> list[Any]:
        """Tell these shares, or all, and wait for the answers. Raises EOFError if one has ended."""
        pipes = [self._pipes[number] for number in shares] or self._pipes
        for pipe in pipes:
            pipe.send(order)
        return [pipe.recv() for pipe in pipes]

    def play(self, night: Playing, *shares: int) -> list[Played]:
        """The night of these shares, or all: it begins when every one of them is prepared."""
        self.tell(Preparing(night), *shares)
        return self.tell(night, *shares)

    def close(self) -> None:
        """End all."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(ENDS_WITHIN_S)
            process.kill()


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """A collection would hold up all of a process's members, for 0.1 s, as no centre does."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def run_crowd(shares: Sequence[Sequence[str]], ports: tuple[int, ...]) -> Iterator[Crowd]:
    """A crowd that ends with the block."""
    crowd = Crowd(shares, ports)
    try:
        yield crowd
    finally:
        crowd.close()

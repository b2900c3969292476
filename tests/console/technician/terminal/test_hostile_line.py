"""What hangs on a cable: noise without end, lines without end, terminals that do not read.

No crash, no growth, and the round in play at the same time knows nothing of it.
"""

import os
import select
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from console.technician.talk import Interrupted
from console.technician.terminal.session import LONGEST_UNDECODED, TYPED_AHEAD
from console.technician.terminal.terminal import Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.programs import (
    PortUser,
    TableProcess,
    running_table,
    serving_pty,
    wait_for_ended_sessions,
)
from tests.console.technician.terminal.typist import CTRL_C, CTRL_U, Typist, typist
from tests.deadlines import DEADLINE_S

pytestmark = pytest.mark.sampled(of=2)

MEGABYTE = 1_000_000
PIECE_S = 0.0222
"""256 bytes at 115200 baud."""


MOST_MORE = 100
"""Floods until three rounds are played."""


async def prompt() -> Sequence[str]:
    return ("cs-1 PAUSED key R", "banco> ")


async def parrot(terminal: Terminal) -> None:
    """Says each command again; an `exit` in the noise is a command like any other."""
    while True:
        try:
            line = await terminal.command(prompt, lambda typed: [f"{typed}{n}" for n in range(9)])
            await terminal.say(f"you said {line!r}")
        except Interrupted:
            continue


def noise(size: int, seed: int = 1) -> bytes:
    return Random(seed).randbytes(size)


def send_paced(somebody: Typist, data: bytes) -> None:
    """At the pace of a wire of 115200 baud; nobody looks at what is answered."""
    for at in range(0, len(data), 256):
        somebody.wire.send(data[at : at + 256])
        somebody.loop.run_for(PIECE_S)
        somebody.sent = b""


def still_works(somebody: Typist) -> None:
    somebody.screen.forget()
    somebody.wait(1)
    somebody.type(CTRL_C)
    somebody.type(CTRL_C)
    somebody.type("status\r")
    somebody.wait(1)
    assert "you said 'status'" in somebody.screen.text


def test_noise_costs_no_memory_and_afterwards_it_works(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        send_paced(anna, noise(30_000))
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            for seed in range(5):
                anna.screen.forget()
                send_paced(anna, noise(10_000, seed))
            anna.screen.forget()
            after, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert after - before < 100_000
        assert peak - before < 1_000_000
        still_works(anna)


MOST_CALLS_A_TURN = 20_000
"""A few milliseconds of a Raspberry Pi's processor."""


@contextmanager
def count_calls(loop: VirtualLoop) -> Iterator[list[int]]:
    """How many calls each turn of the loop makes: its work, whatever the machine's load."""
    turns: list[int] = []
    selector = vars(loop)["_selector"]
    select_of_loop, calls = selector.select, 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    def select(timeout: float | None = None) -> Any:
        nonlocal calls
        turns.append(calls)
        events = select_of_loop(timeout)
        calls = 0
        return events

    selector.select = select
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield turns
    finally:
        sys.setprofile(before)
        selector.select = select_of_loop


def test_noise_does_not_hold_the_loop(loop: VirtualLoop) -> None:
    """However much arrives at once, it is looked at in pieces: no turn of the loop takes long."""
    with typist(loop, parrot) as anna:
        send_paced(anna, noise(10_000))
        with count_calls(loop) as turns:
            for seed in range(10):
                anna.wire.send(noise(4_000, seed))
                anna.wait(0.2)
                anna.screen.forget()
    assert len(turns) > 250
    assert sorted(turns)[int(len(turns) * 0.99)] < MOST_CALLS_A_TURN


def test_enters_without_end_are_twenty_commands_a_second(loop: VirtualLoop) -> None:
    """Each may ask the table something: noise does not decide how often."""
    asked: list[float] = []

    async def counting(terminal: Terminal) -> None:
        while True:
            await terminal.command(prompt, lambda _: ())
            asked.append(loop.time())

    with typist(loop, counting) as anna:
        began = loop.time()
        send_paced(anna, b"\r" * 10_000)
        assert 10 < len(asked) <= 20 * (loop.time() - began) + 2


def test_a_line_without_end(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        anna.type("x" * 300)
        tracemalloc.start()
        try:
            for _ in range(20):
                send_paced(anna, b"x" * 2_000)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 500_000
        assert anna.screen.bells > 30_000
        anna.type(CTRL_U, "\r")
        still_works(anna)


def test_a_flood_that_nobody_asked_for_is_dropped(loop: VirtualLoop) -> None:
    """While a command runs at most 1 KB is kept; a Ctrl-C within the flood is still seen."""
    ended: list[str] = []

    async def busy(terminal: Terminal) -> None:
        try:
            while True:
                await terminal.say("busy")
                await terminal.key(0.05)
        except Interrupted:
            ended.append("interrupted")

    somebody = Typist(loop)
    somebody.terminal.session.open()
    loop.run_for(0)
    line = somebody.terminal.session
    line.line_received(b"x" * MEGABYTE)
    kept = vars(vars(line)["_input"])
    assert len(kept["_undecoded"]) <= LONGEST_UNDECODED
    loop.run_for(1)
    assert len(kept["_presses"]) <= TYPED_AHEAD
    somebody.terminal.session.close()

    with typist(loop, busy) as anna:
        anna.terminal.session.line_received(b"x" * MEGABYTE + CTRL_C.encode())
        anna.wait(0.1)
        assert ended == ["interrupted"]


def test_noise_amid_a_pin_is_no_pin(loop: VirtualLoop) -> None:
    """Each line of it is one wrong PIN at most; Ctrl-C gives a clean question again."""
    pins: list[str] = []

    async def door(terminal: Terminal) -> None:
        while True:
            try:
                pins.append(await terminal.ask("PIN: ", hidden=True))
            except Interrupted:
                continue

    with typist(loop, door) as anna:
        anna.type("25", noise(5_000), CTRL_C)
        anna.type(CTRL_C)
        guessed = len(pins)
        assert guessed < 200
        assert all(len(pin) <= 200 and pin.isascii() for pin in pins)
        anna.type("2580\r")
        assert pins[guessed:] == ["2580"]
        assert "2580" not in anna.screen.text


def test_noise_ends_no_session_by_force(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        for seed in range(50):
            send_paced(anna, noise(2_000, seed))
            anna.screen.forget()
        still_works(anna)


# With real processes: a table that plays, and its technician's line


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("line")


class RoundsThread(Thread):
    """Plays rounds until told to stop; writes down how long each took, and what was wrong."""

    def __init__(self, table: TableProcess) -> None:
        super().__init__(daemon=True)
        self.table = table
        self.rounds: list[float] = []
        self.complaints: list[str] = []
        self.goes_on = True

    def run(self) -> None:
        while self.goes_on:
            began = time.monotonic()
            # At other seats each time: a sensor that moves so often is unsteady.
            seats = (str(1 + len(self.rounds) % 7), str(1 + (len(self.rounds) + 3) % 7))
            play = ("press GAME_OVER", f"token {' '.join(seats)}", "press COIN_IN")
            jackpot = self.table.until(lambda state: state["phase"] == "PLAYING", *play)
            self.rounds.append(time.monotonic() - began)
            if set(jackpot["seats"]) != set(seats) or jackpot["faults"]:
                self.complaints.append(str(jackpot))
            self.table.do("wait 500ms")  # as people play, not as a contact that flaps

    def stop(self) -> None:
        self.goes_on = False
        self.join(DEADLINE_S)
        assert not self.is_alive()


def resident_kb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def processor_s(process: int) -> float:
    words = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def flood(user: PortUser, data: bytes, at_most_s: float) -> None:
    """Write it all as fast as it is taken; throw away what is answered."""
    at, end = 0, time.monotonic() + at_most_s
    while at < len(data) and time.monotonic() < end:
        readable, writable, _ = select.select([user.terminal], [user.terminal], [], 1)
        if readable:
            os.read(user.terminal, 65536)
        if writable:
            at += os.write(user.terminal, data[at : at + 4096])
    assert at >= len(data), f"{at} bytes taken in {at_most_s} s"


def start_session(user: PortUser) -> None:
    user.until("Enter")
    user.type("\r")
    user.wait_for_prompt("SIMULATION")


def test_megabytes_of_noise_while_rounds_are_played(folder: Path, thorough: bool) -> None:
    with (
        running_table(folder) as table,
        serving_pty(folder) as (path, process),
        PortUser.of(path) as noisy,
    ):
        start_session(noisy)
        flood(noisy, noise(200_000, seed=99), DEADLINE_S)
        croupier = RoundsThread(table)
        croupier.start()
        before_kb, before_s = resident_kb(process), processor_s(process)
        flood(noisy, noise((10 if thorough else 1) * MEGABYTE), 300)
        for _ in range(MOST_MORE):  # a fast machine takes the megabyte within two rounds
            if len(croupier.rounds) >= 3:
                break
            flood(noisy, noise(100_000), DEADLINE_S)
        grown_kb, taken_s = resident_kb(process) - before_kb, processor_s(process) - before_s
        croupier.stop()
        assert croupier.complaints == []
        assert len(croupier.rounds) >= 3
        assert sorted(croupier.rounds)[len(croupier.rounds) // 2] < 5.0
        assert grown_kb < 4096
        assert taken_s < 120
    with running_table(folder), serving_pty(folder) as (path, _), PortUser.of(path) as anna:
        start_session(anna)
        anna.type("status\r")
        assert "faults    none" in anna.wait_for_prompt("phase")


def test_after_noise_the_same_line_works_again(folder: Path) -> None:
    with running_table(folder), serving_pty(folder) as (path, _):
        with PortUser.of(path) as noisy:
            start_session(noisy)
            flood(noisy, noise(300_000), DEADLINE_S)
        wait_for_ended_sessions(folder, 1)
        with PortUser.of(path) as anna:
            start_session(anna)
            anna.type("status\r")
            anna.wait_for_prompt("phase")


def test_a_program_that_reads_nothing_disturbs_nobody(folder: Path) -> None:
    """It types commands without end and reads no answer; another terminal is served meanwhile."""
    with running_table(folder) as table, serving_pty(folder) as (path, process):
        with PortUser.of(path) as deaf:
            start_session(deaf)
            before_kb = resident_kb(process)
            sent = 0
            for _ in range(300):
                _, writable, _ = select.select([], [deaf.terminal], [], 0.01)
                if writable:
                    sent += os.write(deaf.terminal, b"help\rq\r status\r" * 50)
                table.do("wait 1ms")
            assert sent > 10_000
            assert resident_kb(process) - before_kb < 4096
            table.until(lambda state: state["refused"] == "NOT_OPEN", "press JPOT")
        wait_for_ended_sessions(folder, 1)
        with PortUser.of(path) as anna:
            start_session(anna)
            anna.type("status\r")
            anna.wait_for_prompt("phase")

"""The host's side of a ccTalk line: one command at a time, its echo, its answer.

docs/reference/cctalk.md.

Whenever the line is free the owner is asked for the next command, so there is no queue.
"""

import asyncio
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from firmware_bridge.cctalk.protocol import GAP_MS, HOST, CcTalkHeader, Frame, FrameParser
from firmware_bridge.frame_trace import LONGEST_KEPT, FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.line_statistics import RoundTrips

ANSWER_S = 0.2
"""An answer starts within 100 ms after the command's last byte; twice that is allowed."""

BYTE_S = 10 / 9600
QUIET_S = (GAP_MS + 10) / 1000
"""After bytes that fit nothing the line must be quiet for so long: then every parser on it is at
the beginning of a frame."""

TRIES = 3
"""How often a command is sent in all while its echo or answer is garbled."""

REOPEN_S = 3.0
"""A port without an answer is opened again after so long, because the adapter may have hung."""

_SLACK_S = 0.0005  # a timer may fire slightly early


@dataclass(frozen=True, slots=True)
class CcTalkCommand:
    """A command to one acceptor, with the least and most data bytes of its answer."""

    address: int
    header: CcTalkHeader
    data: bytes = b""
    least: int = 0
    most: int = 0
    frame: bytes = field(init=False)

    def __post_init__(self) -> None:
        """Make the frame once. Raises ProtocolError if it cannot be expressed."""
        frame = Frame(self.address, HOST, self.header, self.data).to_bytes()
        object.__setattr__(self, "frame", frame)


class BusOwner(Protocol):
    """The owner of a `CcTalkBus`; called on the event loop's thread."""

    def bus_up(self, now: float) -> None:
        """The port is open; which acceptors are on the line is not known."""

    def next_command(self, now: float) -> CcTalkCommand | float:
        """The command to send now, or when to ask again."""

    def on_answer(self, command: CcTalkCommand, data: bytes, now: float, /) -> None:
        """The acceptor has acknowledged, with this data."""

    def on_no_answer(self, command: CcTalkCommand, why: str, now: float, /) -> None:
        """The acceptor has not acknowledged: it is silent, its answer is garbled, or it refuses."""

    def bus_down(self, why: str) -> None:
        """The port is gone; no command is requested until it is back."""


@dataclass(slots=True)
class BusStatistics:
    """A line's figures since the start.

    `round_trips`: from a command's first byte to its answer.
    """

    sent: int = 0
    repeated: int = 0  # of those, sent again after a garbled echo or answer
    answered: int = 0
    silent: int = 0
    refused: int = 0  # NAK, BUSY
    collisions: int = 0  # the line did not carry the sent bytes
    garbled: int = 0  # invalid answers
    noise: int = 0  # unexpected bytes
    reopened: int = 0
    round_trips: RoundTrips = field(default_factory=RoundTrips)

    @property
    def retries(self) -> int:
        """Commands sent again; after a silence the owner sends them again later."""
        return self.repeated + self.silent


class _State(Enum):
    DOWN = "no port"
    FREE = "nothing is under way"
    ASKING = "a command is under way"
    RESTING = "waiting until the line is quiet"


class CcTalkBus:
    """A ccTalk line with the host at one end; a `LineUser`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, line: Line, owner: BusOwner) -> None:
        self.statistics = BusStatistics()
        self.trace = FrameTrace(loop.time)
        self._loop = loop
        self._line = line
        self._owner = owner
        self._state = _State.DOWN
        self._parser = FrameParser()
        self._command: CcTalkCommand | None = None
        self._tries = 0
        self._echo = b""  # bytes of the command that must still be echoed
        self._heard = b""  # the first part of an answer
        self._answers: dict[
            bytes, tuple[bytes, bytes]
        ] = {}  # by command: the last answer, and its data
        self._sent_at = 0.0
        self._due_at = 0.0
        self._good_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Open the line, now and whenever it is gone, until `close`."""
        self._line.start(self)

    def close(self) -> None:
        """Release the line at once; the acceptors stop accepting by themselves after 1 s."""
        self._halt()
        self._line.close()

    def wake(self) -> None:
        """The owner has a command: ask for it as soon as the line is free."""
        if self._state is _State.FREE:
            self._wake_at(0.0)

    # The line

    def line_up(self) -> None:
        """See `LineUser`."""
        self._good_at = self._loop.time()
        self._state = _State.FREE
        self._owner.bus_up(self._good_at)
        self._go_on(self._good_at)

    def line_down(self, why: str) -> None:
        """See `LineUser`."""
        self._halt()
        self._owner.bus_down(why)

    def line_received(self, data: bytes) -> None:
        """See `LineUser`."""
        now = self._loop.time()
        if self._state is not _State.ASKING or self._command is None:
            self.statistics.noise += len(data)
            self.trace.note_received(data, False, now)
            self._rest(now)
            return
        if self._echo:
            heard = data[: len(self._echo)]
            if not self._echo.startswith(heard):
                self.statistics.collisions += 1
                self.trace.note_received(data, False, now)
                self._retry_garbled("the line does not carry what is sent", now)
                return
            self._echo = self._echo[len(heard) :]
            data = data[len(heard) :]
            if not self._echo:
                self._due_at = now + ANSWER_S
        if data:
            self._hear_answer(self._command, data, now)

    def _hear_answer(self, command: CcTalkCommand, data: bytes, now: float) -> None:
        parser = self._parser
        last = self._answers.get(command.frame)
        if last is not None and data == last[0] and parser.idle:
            self.trace.note_received(data, True, now)
            self._take(command, last[1], now)  # most answers equal the one before
            return
        frames = parser.feed(data, int(now * 1000))
        heard = self._heard + data
        if not frames and parser.waiting:
            self._heard = heard[:LONGEST_KEPT]
            self._due_at = max(self._due_at, now + QUIET_S)
            return
        good = len(frames) == 1 and parser.idle and _is_answer_to(frames[0], command)
        self.trace.note_received(heard, good, now)
        self._heard = b""
        if not good:
            self.statistics.garbled += 1
            self._retry_garbled("the answer is garbled", now)
        elif frames[0].header != CcTalkHeader.ACK:
            self.statistics.refused += 1
            self._good_at = now
            self._state = _State.FREE
            self._owner.on_no_answer(command, f"answers {CcTalkHeader(frames[0].header).name}", now)
            self._go_on(now)
        else:
            self._answers[command.frame] = (frames[0].to_bytes(), frames[0].data)
            self._take(command, frames[0].data, now)

    def _take(self, command: CcTalkCommand, data: bytes, now: float) -> None:
        statistics = self.statistics
        statistics.answered += 1
        statistics.round_trips.took((now - self._sent_at) * 1000)
        self._good_at = now
        self._state = _State.FREE
        self._owner.on_answer(command, data, now)
        self._go_on(now)

    # What comes next

    def _go_on(self, now: float) -> None:
        if self._state is not _State.FREE:
            return  # the owner has closed the line
        step = self._owner.next_command(now)
        if isinstance(step, CcTalkCommand):
            self._command, self._tries = step, 1
            self._send(step, now)
        else:
            self._command = None
            self._wake_at(step)

    def _send(self, command: CcTalkCommand, now: float) -> None:
        self._state = _State.ASKING
        self._parser.reset()
        self._heard = b""
        self._echo = command.frame
        self._sent_at = now
        self._due_at = now + len(command.frame) * BYTE_S + ANSWER_S
        if self._line.send(command.frame):
            self.statistics.sent += 1
            self.trace.note_sent(command.frame, now)
        self._wake_at(self._due_at)

    def _retry_garbled(self, why: str, now: float) -> None:
        if self._tries < TRIES:
            self._rest(now)  # and then send it again
            return
        command, self._command = self._command, None
        self._rest(now)
        if command is not None:
            self._give_up(command, why, now)

    def _give_up(self, command: CcTalkCommand, why: str, now: float) -> None:
        self._owner.on_no_answer(command, why, now)
        if now - self._good_at >= REOPEN_S and self._state is not _State.DOWN:
            self.statistics.reopened += 1
            self._halt()
            self._line.drop(f"nobody answers: {why}")

    def _rest(self, now: float) -> None:
        self._state = _State.RESTING
        self._due_at = now + QUIET_S
        self._wake_at(self._due_at)

    def _halt(self) -> None:
        self._state = _State.DOWN
        self._command = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _note_cut_answer(self, now: float) -> None:
        if self._heard:
            self.trace.note_received(self._heard, False, now)
            self._heard = b""

    # Deadlines: one timer, moved only when something falls due before it

    def _wake_at(self, when: float) -> None:
        if self._timer is not None:
            if self._timer.when() <= when:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._do_due)

    def _do_due(self) -> None:
        self._timer = None
        now = self._loop.time()
        if self._state is _State.FREE:
            self._go_on(now)
        elif now < self._due_at - _SLACK_S:
            self._wake_at(self._due_at)
        elif self._command is None:
            self._state = _State.FREE
            self._go_on(now)
        elif self._state is _State.RESTING:
            self._tries += 1
            self.statistics.repeated += 1
            self._send(self._command, now)
        else:
            self.statistics.silent += 1
            self._note_cut_answer(now)
            self._state = _State.FREE
            self._give_up(self._command, "no echo" if self._echo else "silent", now)
            self._go_on(now)


def _is_answer_to(answer: Frame, command: CcTalkCommand) -> bool:
    """Whether a frame answers this command: from its acceptor to the host, with a valid length."""
    if answer.destination != HOST or answer.source != command.address:
        return False
    if answer.header == CcTalkHeader.ACK:
        return command.least <= len(answer.data) <= command.most
    return answer.header in (CcTalkHeader.NAK, CcTalkHeader.BUSY) and not answer.data

"""Commands to an Angel Eye II-EX, one after another (docs/reference/angel-eye.md, "Commands").

command = 02 'O' 'P' TYPE TYPE DATA DATA 03 BCC BCC
"""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from firmware_bridge.angel_eye.framing import ETX, AngelEyeAnswer, block_check
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.line_statistics import RoundTrips

STX = b"\x02"
NO_DATA = "00"

ANSWER_S = 1.0
RETRIES = 3

WRONG_CHECK = 2
HOPELESS = frozenset((11, 12, 13, 14))
"""Answers for a wrong format: repeating the command would get the same answer."""

MOST_WAITING = 8


class CommandType(Enum):
    """The commands of the shoe."""

    LOCK = "LK"
    CLEAR_ERROR = "EC"
    CONFIRM_GAME = "GP"


class AngelEyeCommand(Struct, frozen=True):
    """One command; `data` is `02` for lock, `01` for unlock, otherwise `00`."""

    type: CommandType
    data: str = NO_DATA

    def to_bytes(self, *, check_from_stx: bool = True) -> bytes:
        """The bytes of the command.

        The published example includes the first byte in the check; the published text does not.
        """
        checked = b"OP" + self.type.value.encode("ascii") + self.data.encode("ascii") + ETX
        return STX + checked + block_check(STX + checked if check_from_stx else checked)


LOCK = AngelEyeCommand(CommandType.LOCK, "02")
UNLOCK = AngelEyeCommand(CommandType.LOCK, "01")
CLEAR_ERROR = AngelEyeCommand(CommandType.CLEAR_ERROR)

OnAnswer = Callable[[AngelEyeAnswer | None], None]
"""Takes the shoe's final answer to a command; None: there was none."""


class CommandQueue:
    """Commands on a line; each waits for the answer to the one before.

    A command without an answer for 1 s, or answered as wrong or untimely, is sent again up to three
    times. A command answered with "wrong check" is sent again at once, but only once, with the
    other kind of check, which is kept if it is accepted.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, line: Line, trace: FrameTrace) -> None:
        """`trace` notes what is sent."""
        self.check_from_stx = True  # as the published example has it
        self.sent = 0
        self.retried = 0  # of those: sent again
        self.round_trips = RoundTrips()
        self._trace = trace
        self._sent_at = 0.0
        self._loop = loop
        self._line = line
        self._waiting: deque[tuple[AngelEyeCommand, OnAnswer]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._retries = 0
        self._other = False  # whether the present command has the other check
        self._tried_other = False
        self._refused: AngelEyeAnswer | None = None

    def give(self, command: AngelEyeCommand, on_answer: OnAnswer) -> None:
        """Send a command in its turn; `on_answer` is called once.

        Raises RuntimeError if eight commands wait already.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise RuntimeError(f"{MOST_WAITING} commands wait for the shoe already")
        self._waiting.append((command, on_answer))
        if len(self._waiting) == 1:
            self._begin()

    def on_answer(self, answer: AngelEyeAnswer) -> None:
        """Take the shoe's answer."""
        if not self._waiting:
            return
        self.round_trips.took((self._loop.time() - self._sent_at) * 1000)
        if answer.accepted or answer.code in HOPELESS:
            self._finish(answer)
        elif answer.code == WRONG_CHECK and not self._tried_other:
            self._other = self._tried_other = True
            self._send_again()
        else:
            self._refused = answer  # sent again when the second is over
            self._other = False

    def drop_all(self) -> None:
        """Answer all waiting commands with None: the line is gone."""
        self._stop_timer()
        waiting, self._waiting = self._waiting, deque()
        for _, on_answer in waiting:
            on_answer(None)

    def close(self) -> None:
        """Forget the waiting commands without an answer."""
        self._stop_timer()
        self._waiting.clear()

    def _begin(self) -> None:
        self._retries = RETRIES
        self._other = self._tried_other = False
        self._refused = None
        self._send()

    def _send_again(self) -> None:
        self.retried += 1
        self._send()

    def _send(self) -> None:
        self._stop_timer()
        command, _ = self._waiting[0]
        data = command.to_bytes(check_from_stx=self.check_from_stx is not self._other)
        self._sent_at = self._loop.time()
        if self._line.send(data):
            self.sent += 1
            self._trace.note_sent(data, self._sent_at)
        self._timer = self._loop.call_later(ANSWER_S, self._on_timeout)

    def _on_timeout(self) -> None:
        if self._retries == 0:
            self._finish(self._refused)
        else:
            self._retries -= 1
            self._send_again()

    def _finish(self, answer: AngelEyeAnswer | None) -> None:
        self._stop_timer()
        if self._other and answer is not None and answer.accepted:
            self.check_from_stx = not self.check_from_stx
        _, on_answer = self._waiting.popleft()
        if self._waiting:
            self._begin()
        on_answer(answer)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

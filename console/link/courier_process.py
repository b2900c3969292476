"""Runs the courier and asks it one thing at a time (docs/reference/link-rules.md, section 1)."""

import logging
import signal
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

from msgspec import Struct

from console.child_process.child_process import ChildListener, ChildProcess, ChildProgram
from console.database.conninfo import CONNECT_S
from console.link.courier_messages import (
    CALL_S,
    LONGEST_MESSAGE,
    AskClock,
    CourierAnswer,
    CourierOpening,
    CourierStarted,
    Request,
    SayHello,
    decode_from_courier,
    encode_message,
)

log = logging.getLogger(__name__)

COURIER = ChildProgram(
    what="the courier",
    module="console.link.courier",
    longest_line=LONGEST_MESSAGE,
    most_waiting=4 * LONGEST_MESSAGE,
    first_again_s=0.05,
    latest_again_s=0.8,
)

LATER_S = 1.0
"""How much later than it must have ended itself the courier is killed: it was stopped, or stuck."""

STARTED_WITHIN_S = 60.0
"""From its start until it has read its opening, on a machine that is busy."""

CONNECTING = (SayHello, AskClock)
"""Requests before which the courier may have to connect."""

TIME_IS_OVER = -signal.SIGALRM


class CourierListener(Struct, frozen=True):
    """Callbacks for what comes of a request; one of the last three, once, for each."""

    on_ready: Callable[[], None]
    """A courier has started and may be asked."""
    on_answer: Callable[[CourierAnswer], None]
    on_time_over: Callable[[], None]
    """No answer within the call's time."""
    on_ended: Callable[[int], None]
    """The courier has ended, with this exit status, whether it was asked something or not."""


class CourierProcess:
    """The courier, started again whenever it has ended."""

    def __init__(
        self, loop: AbstractEventLoop, opening: CourierOpening, listener: CourierListener
    ) -> None:
        self._loop = loop
        self._opening = encode_message(opening)
        self._listener = listener
        self._deadline: TimerHandle | None = None
        self._child = ChildProcess(
            loop, COURIER, ChildListener(self._on_line), self._open, self._on_ended
        )

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._child.pid

    def start(self) -> None:
        """Start it; if that fails, again and again."""
        self._child.start_or_retry()

    def ask(self, request: Request) -> None:
        """Ask the next thing. Raises ValueError for one that is too long for the pipe."""
        self._child.send(encode_message(request))
        within_s = CALL_S + LATER_S + (CONNECT_S if isinstance(request, CONNECTING) else 0)
        self._deadline = self._loop.call_later(within_s, self._on_late)

    def close(self) -> None:
        """End it at once, and do not start it again."""
        self._stop_deadline()
        self._child.end_at_once()

    def _open(self) -> None:
        self._child.send(self._opening)
        self._deadline = self._loop.call_later(STARTED_WITHIN_S, self._on_late_start)

    def _on_line(self, line: bytes) -> None:
        try:
            answer = decode_from_courier(line)
        except ValueError as error:
            log.error("the courier has sent an invalid message: %s", error)
            self._child.kill()
            return
        if self._deadline is None:
            log.error("the courier answers what nobody asked")
            self._child.kill()
            return
        self._stop_deadline()
        if isinstance(answer, CourierStarted):
            self._listener.on_ready()
        else:
            self._listener.on_answer(answer)

    def _on_late_start(self) -> None:
        self._deadline = None
        log.error("the courier has not started within %.0f s; it is killed", STARTED_WITHIN_S)
        self._child.kill()

    def _on_late(self) -> None:
        self._deadline = None
        log.error("the courier neither answers nor ends itself; it is killed")
        self._child.kill()
        self._listener.on_time_over()

    def _on_ended(self, status: int, again_s: float) -> None:
        log.warning(
            "the courier has ended with status %d; started again in %.2f s", status, again_s
        )
        self._stop_deadline()
        if status == TIME_IS_OVER:
            self._listener.on_time_over()
        self._listener.on_ended(status)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

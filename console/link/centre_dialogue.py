"""A table's questions to a centre: by one courier, one at a time, the centre's hosts in turn.

Runs the courier, and asks it (docs/reference/link-rules.md, section 1).
"""

import logging
import signal
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

from msgspec import Struct

from console.child_process import ChildListener, ChildProcess, ChildProgram
from console.database.addresses import CONNECT_S, ServerAddress
from console.link.courier_messages import (
    CALL_TIMEOUT_S,
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
from console.link.link_figures import LinkCounts

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

log = logging.getLogger(__name__)


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
        within_s = CALL_TIMEOUT_S + LATER_S + (CONNECT_S if isinstance(request, CONNECTING) else 0)
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


class DialogueListener(Struct, frozen=True):
    """Callbacks of a dialogue; each runs on the event loop."""

    ask_next: Callable[[], None]
    """A courier owes nothing now, or the time of `ask_at` has come."""
    on_answer: Callable[[CourierAnswer], None]
    on_time_over: Callable[[], None]
    """No answer within the call's time; the next host is asked next."""
    on_ended: Callable[[int], None]
    """The courier has ended, with this exit status, whether it was asked something or not."""
    on_silence: Callable[[], None]
    """No answer within the time of `expect_answer`."""


class CentreDialogue:
    """Asks a centre; all its methods run on the event loop."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        centre: str,
        opening: CourierOpening,
        hosts: tuple[ServerAddress, ...],
        listener: DialogueListener,
    ) -> None:
        """`centre`: what the log calls it."""
        self.is_free = False
        """Whether a courier runs, and owes no answer."""
        self.why = "the centre has not answered yet"
        """Why there is no answer, as far as is known."""
        self.asked_at = 0.0
        self.counts = LinkCounts()
        self._loop = loop
        self._centre = centre
        self._hosts = hosts
        self._turn = 0
        self._listener = listener
        self._next: TimerHandle | None = None
        self._silence: TimerHandle | None = None
        self._courier = CourierProcess(
            loop,
            opening,
            CourierListener(self.go_on, self._on_answer, self._on_time_over, self._on_ended),
        )

    @property
    def host(self) -> ServerAddress:
        """The host that is asked now."""
        return self._hosts[self._turn]

    @property
    def pid(self) -> int | None:
        """The courier's process id; None while there is none."""
        return self._courier.pid

    def start(self) -> None:
        """Start a courier, and again whenever it has ended."""
        self._courier.start()

    def close(self) -> None:
        """End the courier at once; nothing more is called."""
        for timer in (self._next, self._silence):
            if timer is not None:
                timer.cancel()
        self._courier.close()

    def ask(self, request: Request) -> None:
        """Ask the next thing. Raises ValueError for one that is too long for the pipe."""
        self.is_free = False
        self.asked_at = self._loop.time()
        self.counts.sent += 1
        self._courier.ask(request)

    def ask_at(self, when: float) -> None:
        """Call `ask_next` at this time of the loop's clock, instead of at the one before."""
        if self._next is not None:
            self._next.cancel()
        self._next = self._loop.call_at(when, self._listener.ask_next)

    def expect_answer(self, within_s: float) -> None:
        """Call `on_silence` unless this is called again within this time."""
        if self._silence is not None:
            self._silence.cancel()
        self._silence = self._loop.call_later(within_s, self._listener.on_silence)

    def go_on(self) -> None:
        """Nothing is owed any more: ask the next thing."""
        self.is_free = True
        self._listener.ask_next()

    def note_no_answer(self, why: str) -> None:
        """The host could not answer: the next one is asked next."""
        if why != self.why:
            log.warning("%s has not answered: %s", self._centre, why)
        self.why = why
        self.counts.bad += 1
        self._turn_to_next_host()

    def _on_answer(self, answer: CourierAnswer) -> None:
        self.is_free = True
        self.counts.note_answer((self._loop.time() - self.asked_at) * 1000)
        self._listener.on_answer(answer)

    def _on_time_over(self) -> None:
        self.why = "a call's time was over"
        self._turn_to_next_host()
        self._listener.on_time_over()

    def _on_ended(self, status: int) -> None:
        self.is_free = False
        self.why = f"the courier has ended with status {status}"
        self._listener.on_ended(status)

    def _turn_to_next_host(self) -> None:
        self._turn = (self._turn + 1) % len(self._hosts)

"""A table's questions to a centre: by one courier, one at a time, the centre's hosts in turn."""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

from msgspec import Struct

from console.database.addresses import ServerAddress
from console.link.courier_messages import CourierAnswer, CourierOpening, Request
from console.link.courier_process import CourierListener, CourierProcess
from console.link.link_counts import LinkCounts

log = logging.getLogger(__name__)


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

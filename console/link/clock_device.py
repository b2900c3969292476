"""The centre of a tournament's clock as a device of a table (docs/poker-rules.md, section 16).

It asks for the row at once when the table has something to tell, else five times a second.
"""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

from msgspec import Struct

from console.configuration.sections import ClockSection
from console.database.addresses import ServerAddress, credentials_of, hosts_of
from console.link.courier_messages import (
    AskClock,
    ClockAnswered,
    CourierAnswer,
    CourierOpening,
    Unanswered,
)
from console.link.courier_process import CourierListener, CourierProcess
from console.link.link_counts import LinkCounts
from console.rules.acts import Act
from console.rules.poker.acts import ClockShown
from console.rules.poker.clock_orders import ClockOrders
from console.rules.poker.clock_row import ASKED_EVERY_S, LOST_AFTER_S, ClockRow
from devices.device import Device
from devices.figures import DeviceFigures
from devices.roles import LinkLost, LinkUp

log = logging.getLogger(__name__)

LONGEST_TRIP_S = 0.4
"""An answer that took longer shows the clock by more than 200 ms wrong at worst: it is left out."""


class ClockPlan(Struct, frozen=True):
    """The centre's hosts, and how to log in there."""

    opening: CourierOpening
    hosts: tuple[ServerAddress, ...]


def plan_clock(table: str, section: ClockSection) -> ClockPlan:
    """The clock's centre; the table's role is its name. Raises HostUnusable."""
    return ClockPlan(
        CourierOpening(section.database, table, credentials_of(section)), hosts_of(section)
    )


class ClockDevice:
    """The driver of `Device.CLOCK`; all its methods run on the event loop."""

    def __init__(self, loop: AbstractEventLoop, plan: ClockPlan) -> None:
        self._loop = loop
        self._plan = plan
        self._listener: Callable[[Act], None] = lambda _: None
        self._orders: ClockOrders | None = None
        self._host = 0
        self._up: bool | None = None
        self._why = "the centre has not answered yet"
        self._ready = False  # a courier runs, and owes no answer
        self._asked_at = self._due = 0.0
        self._counts = LinkCounts()
        self._next: TimerHandle | None = None
        self._loss: TimerHandle | None = None
        self._courier = CourierProcess(
            loop,
            plan.opening,
            CourierListener(self._on_ready, self._on_answer, self._on_time_over, self._on_ended),
        )

    def start(self, listener: Callable[[Act], None]) -> None:
        """Search for the centre without end; report what it shows, LinkUp and LinkLost."""
        self._listener = listener
        self._courier.start()
        self._expect_answer()

    def show(self, orders: ClockOrders | None) -> None:
        """Tell this from now on, at once if the centre does not know it yet."""
        before, self._orders = self._orders, orders
        if orders is not None and (before is None or _has_news(orders, before)):
            self._due = 0.0
            self._ask_next()

    def close(self) -> None:
        """End the courier at once."""
        for timer in (self._next, self._loss):
            if timer is not None:
                timer.cancel()
        self._listener = lambda _: None
        self._courier.close()

    def figures(self, _frames: int = 0) -> tuple[DeviceFigures, ...]:
        """The figures at any time."""
        at = self._plan.hosts[self._host]
        return (
            DeviceFigures(
                device=Device.CLOCK,
                line=Device.CLOCK.value,
                driver="courier",
                up=bool(self._up),
                why_down="" if self._up else self._why,
                identity={"host": f"{at.host}:{at.port}", "role": self._plan.opening.role},
                state={},
                link=self._counts.figures(),
            ),
        )

    def _on_ready(self) -> None:
        self._ready = True
        self._ask_next()

    def _ask_next(self) -> None:
        orders, now = self._orders, self._loop.time()
        if orders is None or not self._ready:
            return
        if now < self._due:
            self._ask_at(self._due)
            return
        self._ready = False
        self._asked_at, self._due = now, now + ASKED_EVERY_S
        self._counts.sent += 1
        call = orders.call_at(round(now * 1000))
        self._courier.ask(AskClock(self._plan.hosts[self._host], call))

    def _ask_at(self, when: float) -> None:
        if self._next is not None:
            self._next.cancel()
        self._next = self._loop.call_at(when, self._ask_next)

    def _on_answer(self, answer: CourierAnswer) -> None:
        self._ready = True
        now = self._loop.time()
        self._counts.note_answer((now - self._asked_at) * 1000)
        match answer:
            case ClockAnswered(row):
                self._take_row(row, now)
            case Unanswered(why):
                if why != self._why:
                    log.warning("the centre of the clock has not answered: %s", why)
                self._why = why
                self._counts.bad += 1
                self._turn_to_next_host()
            case _:
                log.error("the courier answers the clock's question with %s", answer)
        self._ask_next()

    def _take_row(self, row: ClockRow, now: float) -> None:
        self._expect_answer()
        if not self._up:
            self._up = True
            self._counts.connections += 1
            self._listener(LinkUp(Device.CLOCK))
        trip = now - self._asked_at
        if trip <= LONGEST_TRIP_S:
            held_at = round((now - trip / 2) * 1000) - row.age_ms
            self._listener(ClockShown(row, held_at))

    def _turn_to_next_host(self) -> None:
        self._host = (self._host + 1) % len(self._plan.hosts)

    def _on_time_over(self) -> None:
        self._why = "a call's time was over"
        self._turn_to_next_host()

    def _on_ended(self, status: int) -> None:
        self._ready = False
        self._why = f"the courier has ended with status {status}"

    def _expect_answer(self) -> None:
        if self._loss is not None:
            self._loss.cancel()
        self._loss = self._loop.call_later(LOST_AFTER_S, self._lose)

    def _lose(self) -> None:
        if self._up is not False:
            self._up = False
            self._listener(LinkLost(Device.CLOCK, f"nothing for {LOST_AFTER_S:g} s: {self._why}"))


def _has_news(orders: ClockOrders, before: ClockOrders) -> bool:
    """Whether the centre is to be told something else, and not only that time has passed."""
    now, then = orders.call, before.call
    return (now.n, now.playing) != (then.n, then.playing)

"""The centre of a tournament's clock as a device of a table.

docs/reference/poker-rules.md, section 16.

It asks for the row at once when the table has something to tell, else five times a second.
"""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable

from msgspec import Struct

from console.configuration.sections import ClockSection
from console.database.addresses import ServerAddress, credentials_of, hosts_of
from console.link.centre_dialogue import CentreDialogue, DialogueListener
from console.link.courier_messages import (
    AskClock,
    ClockAnswered,
    CourierAnswer,
    CourierOpening,
    Unanswered,
)
from console.link.link_figures import describe_centre
from console.rules.acts import Act
from console.rules.centre_orders import ClockOrders
from console.rules.poker_acts import ClockShown
from console.rules.poker_clock import ASKED_EVERY_S, LOST_AFTER_S, ClockRow
from devices.device import Device
from devices.figures import DeviceFigures
from devices.roles import DeviceLost, DeviceUp

log = logging.getLogger(__name__)

LONGEST_TRIP_S = 0.4
"""An answer that took longer shows the clock by more than 200 ms wrong at worst: it is left out."""


class ClockPlan(Struct, frozen=True):
    """The centre's hosts, and how to log in there."""

    opening: CourierOpening
    hosts: tuple[ServerAddress, ...]


def plan_clock(table: str, section: ClockSection) -> ClockPlan:
    """The clock's centre; the table's role is its name. Raises ValueError."""
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
        self._up: bool | None = None
        self._due = 0.0
        self._dialogue = CentreDialogue(
            loop,
            "the centre of the clock",
            plan.opening,
            plan.hosts,
            DialogueListener(
                ask_next=self._ask_next,
                on_answer=self._on_answer,
                on_time_over=lambda: None,
                on_ended=lambda _: None,
                on_silence=self._lose,
            ),
        )

    def start(self, listener: Callable[[Act], None]) -> None:
        """Search for the centre without end; report what it shows, DeviceUp and DeviceLost."""
        self._listener = listener
        self._dialogue.start()
        self._dialogue.expect_answer(LOST_AFTER_S)

    def show(self, orders: ClockOrders | None) -> None:
        """Tell this from now on, at once if the centre does not know it yet."""
        before, self._orders = self._orders, orders
        if orders is not None and (before is None or _has_news(orders, before)):
            self._due = 0.0
            self._ask_next()

    def close(self) -> None:
        """End the courier at once."""
        self._listener = lambda _: None
        self._dialogue.close()

    def figures(self, _frames: int = 0) -> tuple[DeviceFigures, ...]:
        """The figures at any time."""
        return (
            DeviceFigures(
                device=Device.CLOCK,
                line=Device.CLOCK.value,
                driver="courier",
                up=bool(self._up),
                why_down="" if self._up else self._dialogue.why,
                identity=describe_centre(self._dialogue.host, self._plan.opening.role, None),
                state={},
                counts=self._dialogue.counts.figures(),
            ),
        )

    def _ask_next(self) -> None:
        orders, now = self._orders, self._loop.time()
        if orders is None or not self._dialogue.is_free:
            return
        if now < self._due:
            self._dialogue.ask_at(self._due)
            return
        self._due = now + ASKED_EVERY_S
        call = orders.call_at(round(now * 1000))
        self._dialogue.ask(AskClock(self._dialogue.host, call))

    def _on_answer(self, answer: CourierAnswer) -> None:
        match answer:
            case ClockAnswered(row):
                self._take_row(row, self._loop.time())
            case Unanswered(why):
                self._dialogue.note_no_answer(why)
            case _:
                log.error("the courier answers the clock's question with %s", answer)
        self._ask_next()

    def _take_row(self, row: ClockRow, now: float) -> None:
        self._dialogue.expect_answer(LOST_AFTER_S)
        if not self._up:
            self._up = True
            self._dialogue.counts.connections += 1
            self._listener(DeviceUp(Device.CLOCK))
        trip = now - self._dialogue.asked_at
        if trip <= LONGEST_TRIP_S:
            held_at = round((now - trip / 2) * 1000) - row.age_ms
            self._listener(ClockShown(row, held_at))

    def _lose(self) -> None:
        if self._up is not False:
            self._up = False
            why = f"nothing for {LOST_AFTER_S:g} s: {self._dialogue.why}"
            self._listener(DeviceLost(Device.CLOCK, why))


def _has_news(orders: ClockOrders, before: ClockOrders) -> bool:
    """Whether the centre is to be told something else, and not only that time has passed."""
    now, then = orders.call, before.call
    return (now.n, now.playing) != (then.n, then.playing)

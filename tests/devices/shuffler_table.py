"""A cabinet with a shuffler or mixer and the driver on it, in virtual time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec.structs import replace

from devices.card_reports import Back, DeckState, ShufflerOrders, ShufflerSeen
from devices.device import Device
from devices.neutral_shuffler import NeutralShuffler
from devices.roles import Event, Shuffler
from devices.sim.cabinet import SHUFFLERS, SimulatedCabinet
from devices.sim.memory import CabinetMemory
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.line import LineUser
from firmware_bridge.memory_line import MemoryLine

E = TypeVar("E")

KINDS = tuple(SHUFFLERS)
CARIBBEAN = (5,) * 8
"""Seven seats and the croupier."""


@dataclass
class LineTap:
    """A line that writes down what passes, and on which a stranger can talk in between.

    `dead`: the host is gone, and only the stranger is heard. `deaf`: the wire to the host is
    broken, and its port is none the wiser.
    """

    line: MemoryLine
    sent: list[bytes] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)
    user: LineUser | None = None
    dead: bool = False
    deaf: bool = False

    def start(self, user: LineUser) -> None:
        self.user = user
        self.line.start(self)

    def send(self, data: bytes) -> bool:
        if self.dead:
            return False
        self.sent.append(data)
        return self.line.send(data)

    def drop(self, why: str) -> None:
        if not self.dead:
            self.line.drop(why)

    def close(self) -> None:
        self.line.close()

    def line_up(self) -> None:
        assert self.user is not None
        self.user.line_up()

    def line_down(self, why: str) -> None:
        assert self.user is not None
        self.user.line_down(why)

    def line_received(self, data: bytes) -> None:
        assert self.user is not None
        self.heard.append(data)
        if not self.deaf:
            self.user.line_received(data)


class ShufflerTable:
    """The cabinet, and the shuffler's driver once started; `events` is all it reported."""

    def __init__(self, kind: str = "dealer", *, memory: CabinetMemory | None = None) -> None:
        self.loop = VirtualLoop()
        self.kind = kind
        self.cabinet = SimulatedCabinet(
            self.loop, rail=None, inspector_fitted=False, shuffler=kind, memory=memory
        )
        self.events: list[Event] = []
        self.tap: LineTap | None = None
        self.driver: Shuffler | None = None

    def start(self) -> Shuffler:
        line = self.cabinet.shuffler.cable.line()
        assert isinstance(line, MemoryLine)
        self.tap = LineTap(line)
        self.driver = NeutralShuffler(self.loop, self.tap, SHUFFLERS[self.kind])
        self.driver.start(self.events.append)
        self.run()
        return self.driver

    def run(self, seconds: float = 0.05) -> None:
        self.loop.run_for(seconds)

    def show(
        self,
        hand: int,
        *,
        deal: bool = True,
        begin: bool = True,
        packets: tuple[int, ...] = CARIBBEAN,
    ) -> None:
        assert self.driver is not None
        self.driver.show(ShufflerOrders(deal, begin, hand, packets))
        self.run()

    def ready(self, back: Back = Back.RED, cards: int | None = None) -> None:
        """A deck is put in, shuffled and counted."""
        self.cabinet.shuffler.load_deck(back, cards)
        self.run(61)
        assert self.preparing() is DeckState.READY

    def take(self, packets: int = 1) -> int:
        """The croupier takes packets; how many cards."""
        cards = 0
        for _ in range(packets):
            cards += self.cabinet.take_packet()
            self.run(0.02)
        return cards

    def unload(self) -> None:
        self.cabinet.shuffler.unload_deck()
        self.run()

    def cut_power(self) -> None:
        """The whole table's; the controller that is then started is another one."""
        self.cabinet.cut_power()
        self.run(2)
        self.cabinet.restore_power()
        self.start()

    @property
    def seen(self) -> ShufflerSeen:
        return self.events_of(ShufflerSeen)[-1]

    def expect_seen(self, *fields: Any) -> ShufflerSeen:
        """A report with these fields; a deck shuffler's also has its presses, none."""
        seen = ShufflerSeen(*fields)
        return replace(seen, presses=0, late_presses=0) if self.kind == "deck" else seen

    def preparing(self) -> DeckState:
        return self.seen.preparing

    def events_of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def unplug(self) -> None:
        self.cabinet.unplug(Device.SHUFFLER)

    def plug(self) -> None:
        self.cabinet.plug(Device.SHUFFLER)

    def close(self) -> None:
        self.cabinet.close()
        self.loop.close()


def ready_shuffler_table(
    make_table: Callable[[], ShufflerTable] = ShufflerTable,
) -> Iterator[ShufflerTable]:
    """A red deck is ready, and dealing was never allowed."""
    table = make_table()
    table.start()
    table.ready(Back.RED)
    yield table
    table.close()

"""A simulated table with a ccTalk rail."""

from collections.abc import Callable

from devices.cctalk.rail import CcTalkRail
from devices.roles import SEATS, DeviceUp, Event, RailOrders, RailSeen
from devices.sim.cctalk import SimulatedAcceptor, SimulatedCcTalkRail
from devices.sim.memory import CabinetMemory
from tests.devices.table import Table

OPEN = RailOrders(accepting=frozenset(SEATS))
CLOSED = RailOrders()


class CcTalkTable(Table):
    """A table with a ccTalk rail; `rail` is its driver, once started."""

    def __init__(self, memory: CabinetMemory | None = None) -> None:
        super().__init__("cctalk", memory=memory)
        self.on_up: Callable[[], None] = lambda: None

    def on_event(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, DeviceUp):
            self.on_up()

    def start(
        self,
        serials: tuple[int | None, ...] | None = None,
        *,
        resume: RailSeen | None = None,
        orders: RailOrders = OPEN,
    ) -> CcTalkRail:
        rail = CcTalkRail(
            self.loop, self.cabinet.cctalk_line(), self.cabinet.rail.cable.line(), serials=serials
        )
        rail.resume(resume)
        rail.show(orders)
        rail.start(self.on_event)
        self.run()
        return rail

    @property
    def physics(self) -> SimulatedCcTalkRail:
        assert self.cabinet.cctalk is not None
        return self.cabinet.cctalk

    def acceptor(self, seat: int) -> SimulatedAcceptor:
        return self.physics.acceptors[seat]

    def put(self, *seats: int) -> None:
        for seat in seats:
            self.cabinet.rail.put_token(seat)
            self.run()

    @property
    def drops(self) -> tuple[int, ...]:
        return self.rail_seen.drops


def credits(**by_seat: int) -> tuple[int, ...]:
    return tuple(by_seat.get(f"seat{seat}", 0) for seat in range(1, 8))

"""A cabinet with a shoe and the driver on it, in virtual time."""

from collections.abc import Callable
from typing import TypeVar

from devices.angel_eye_shoe import AngelEyeShoe
from devices.card_reports import CardBurnt, CardDrawn, CutCardOut, ShoeLoaded, ShoeSeen
from devices.counting_shoe import CountingShoe
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp, Event, Shoe
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.memory import CabinetMemory
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.line import Line

E = TypeVar("E")

SHOES: dict[str, Callable[[VirtualLoop, Line], Shoe]] = {
    "counting": CountingShoe,
    "reading": AngelEyeShoe,
}
"""Each kind of shoe, and how its driver is made."""


class ShoeTable:
    """The cabinet, and the shoe's driver once started; `events` is all it reported."""

    def __init__(self, kind: str, *, memory: CabinetMemory | None = None) -> None:
        self.loop = VirtualLoop()
        self.kind = kind
        self.cabinet = SimulatedCabinet(
            self.loop, rail=None, inspector_fitted=False, shoe=kind, memory=memory
        )
        self.events: list[Event] = []

    def start(self) -> Shoe:
        shoe = SHOES[self.kind](self.loop, self.cabinet.shoe.cable.line())
        shoe.start(self.events.append)
        self.run()
        return shoe

    def run(self, seconds: float = 0.05) -> None:
        self.loop.run_for(seconds)

    def events_of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def remaining(self) -> int:
        """The cards left in the shoe by what its driver has reported."""
        if self.kind == "counting":
            seen = self.events_of(ShoeSeen)[-1]
            return seen.cards - seen.draws
        (load,) = self.events_of(ShoeLoaded)
        assert load.cards is not None
        return load.cards - len(self.events_of(CardDrawn)) - len(self.events_of(CardBurnt))

    def cut_card_is_out(self) -> bool:
        if self.kind == "counting":
            return self.events_of(ShoeSeen)[-1].cut_after is not None
        return CutCardOut() in self.events

    def came(self) -> list[type[Event]]:
        return [type(event) for event in self.events if isinstance(event, DeviceUp | DeviceLost)]

    def unplug(self) -> None:
        self.cabinet.unplug(Device.SHOE)

    def plug(self) -> None:
        self.cabinet.plug(Device.SHOE)

    def close(self) -> None:
        self.cabinet.close()
        self.loop.close()

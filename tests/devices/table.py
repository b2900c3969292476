"""A cabinet and the drivers of its devices, in virtual time, as the tests need them."""

from collections.abc import Callable
from typing import TypeVar

from devices.board_rail import BoardRail
from devices.cctalk.rail import CcTalkRail
from devices.device import Device
from devices.escpos_display import ESCPOS
from devices.gpio_panel import GpioPanel
from devices.line_display import LineDisplay
from devices.panel_wiring import PanelWiring
from devices.roles import Button, CoinRail, DeviceUp, Event, RailSeen
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.memory import CabinetMemory
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board_session.protocol import BoardKind

E = TypeVar("E")

MakeBench = Callable[[VirtualLoop, SimulatedCabinet], CoinRail]

RAILS: dict[str, MakeBench] = {
    "slot": lambda loop, cabinet: BoardRail(loop, cabinet.rail.cable.line(), BoardKind.SLOT_RAIL),
    "sensor": lambda loop, cabinet: BoardRail(
        loop, cabinet.rail.cable.line(), BoardKind.SENSOR_RAIL
    ),
    "cctalk": lambda loop, cabinet: CcTalkRail(
        loop, cabinet.cctalk_line(), cabinet.rail.cable.line()
    ),
}
"""Each kind of rail, and how its driver is made: another one is one more line."""


class Table:
    """The cabinet, and whatever drivers a test starts; `events` is all they reported."""

    def __init__(
        self,
        rail: str | None = "slot",
        *,
        inspector_fitted: bool = False,
        memory: CabinetMemory | None = None,
    ) -> None:
        self.loop = VirtualLoop()
        self.cabinet = SimulatedCabinet(
            self.loop, rail=rail, inspector_fitted=inspector_fitted, memory=memory
        )
        self.rail_kind = rail
        self.inspector_fitted = inspector_fitted
        self.events: list[Event] = []

    def start_panel(self, settle_ms: int = 5) -> GpioPanel:
        panel = GpioPanel(
            self.loop,
            PanelWiring(),
            self.cabinet.pin_factory,
            inspector_fitted=self.inspector_fitted,
            settle_ms=settle_ms,
        )
        panel.start(self.events.append)
        return panel

    def start_rail(self) -> CoinRail:
        assert self.rail_kind is not None
        rail = RAILS[self.rail_kind](self.loop, self.cabinet)
        rail.start(self.events.append)
        self.run(0.05)
        return rail

    def start_display(self) -> LineDisplay:
        display = LineDisplay(self.loop, self.cabinet.display_cable.line(), ESCPOS)
        display.start(self.events.append)
        return display

    def run(self, seconds: float = 0.05) -> None:
        self.loop.run_for(seconds)

    def press(self, button: Button) -> None:
        self.cabinet.panel.press(button)
        self.run()

    def events_of(self, kind: type[E]) -> list[E]:
        """The events of one kind, in their order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def rail_seen(self) -> RailSeen:
        return self.events_of(RailSeen)[-1]

    def is_up(self, device: Device) -> bool:
        return DeviceUp(device) in self.events

    def close(self) -> None:
        self.cabinet.close()
        self.loop.close()

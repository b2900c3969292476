"""A cabinet and the driver of one of its devices, whichever, as a technician looks at them."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from devices.angel_eye_shoe import AngelEyeShoe
from devices.board_rail import BoardRail
from devices.cctalk.rail import CcTalkRail
from devices.counting_shoe import CountingShoe
from devices.device import Device
from devices.escpos_display import ESCPOS
from devices.figures import DeviceFigures, InputFigures
from devices.gpio_panel import GpioPanel
from devices.line_display import LineDisplay
from devices.neutral_shuffler import NeutralShuffler
from devices.panel_wiring import PanelWiring
from devices.roles import SEATS, CoinRail, DealerPanel, Display, Event, RailOrders, Shoe, Shuffler
from devices.sim.cabinet import SHUFFLERS, SimulatedCabinet
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.line import Line
from firmware_bridge.memory_line import MemoryLine, WireFaults

AnyDriver = DealerPanel | CoinRail | Display | Shuffler | Shoe
T = TypeVar("T")

DEVICES = {
    "panel": Device.PANEL,
    "slot": Device.RAIL,
    "sensor": Device.RAIL,
    "cctalk": Device.RAIL,
    "display": Device.DISPLAY,
    "dealer": Device.SHUFFLER,
    "mixer": Device.SHUFFLER,
    "deck": Device.SHUFFLER,
    "counting": Device.SHOE,
    "reading": Device.SHOE,
}
"""Every driver, by its kind; another one is one more line, and one in `DeviceBench`."""

ON_A_LINE = tuple(kind for kind in DEVICES if kind != "panel")
BOARDS = ("slot", "sensor", "cctalk", "dealer", "mixer", "deck", "counting")


class MakeBench(Protocol):
    """Makes a `DeviceBench` that is closed when the test ends (the fixture `fit`)."""

    def __call__(self, kind: str, *, inspector_fitted: bool = True) -> "DeviceBench": ...


class DeviceBench:
    """One driver, not started yet; `events` is what it reports, `lines` its lines in memory."""

    def __init__(self, kind: str, *, inspector_fitted: bool = True) -> None:
        self.kind = kind
        self.device = DEVICES[kind]
        self.loop = VirtualLoop()
        self.cabinet = SimulatedCabinet(
            self.loop,
            rail=kind if self.device is Device.RAIL else None,
            inspector_fitted=inspector_fitted,
            shuffler=kind if self.device is Device.SHUFFLER else None,
            shoe=kind if self.device is Device.SHOE else None,
        )
        self._inspector_fitted = inspector_fitted
        self.lines: list[MemoryLine] = []
        self.events: list[Event] = []
        self.driver = self._fit()

    def _fit(self) -> AnyDriver:
        cabinet, loop = self.cabinet, self.loop
        fits: dict[str, Callable[[], AnyDriver]] = {
            "panel": self._panel,
            "display": lambda: LineDisplay(loop, self._on(cabinet.display_cable.line()), ESCPOS),
            "slot": lambda: BoardRail(
                loop, self._on(cabinet.rail.cable.line()), BoardKind.SLOT_RAIL
            ),
            "sensor": lambda: BoardRail(
                loop, self._on(cabinet.rail.cable.line()), BoardKind.SENSOR_RAIL
            ),
            "cctalk": lambda: CcTalkRail(
                loop, self._on(cabinet.cctalk_line()), self._on(cabinet.rail.cable.line())
            ),
            "counting": lambda: CountingShoe(loop, self._on(cabinet.shoe.cable.line())),
            "reading": lambda: AngelEyeShoe(loop, self._on(cabinet.shoe.cable.line())),
            **dict.fromkeys(SHUFFLERS, self._shuffler),
        }
        return fits[self.kind]()

    def _shuffler(self) -> NeutralShuffler:
        line = self._on(self.cabinet.shuffler.cable.line())
        return NeutralShuffler(self.loop, line, SHUFFLERS[self.kind])

    def _panel(self) -> GpioPanel:
        pins = self.cabinet.pin_factory
        return GpioPanel(self.loop, PanelWiring(), pins, inspector_fitted=self._inspector_fitted)

    def _on(self, line: Line) -> Line:
        assert isinstance(line, MemoryLine)
        self.lines.append(line)
        return line

    def start(self) -> None:
        self.driver.start(self.events.append)
        self.run(0.5)

    def run(self, seconds: float = 0.05) -> None:
        self.loop.run_for(seconds)

    def unplug(self) -> None:
        self.cabinet.unplug(self.device)
        self.run(1.5)

    def plug(self) -> None:
        self.cabinet.plug(self.device)
        self.run(5)

    def inject(
        self, *, to_host: WireFaults | None = None, to_device: WireFaults | None = None
    ) -> None:
        """Faults of the wire, on each of its lines."""
        for line in self.lines:
            line.device.inject(to_host=to_host, to_device=to_device)

    def play(self) -> None:
        """What this kind of device does of itself, so that its line carries something."""
        if self.kind == "reading":
            self.cabinet.shoe.load()
            self.cabinet.shoe.burn()
            self.cabinet.shoe.draw()
        if isinstance(self.driver, CcTalkRail):
            self.driver.show(RailOrders(accepting=frozenset(SEATS)))

    def read_figures(self, frames: int = 0) -> tuple[DeviceFigures, ...]:
        return self.driver.figures(frames)

    @property
    def figures(self) -> DeviceFigures:
        """Of its first line."""
        return self.read_figures(40)[0]

    @property
    def says(self) -> list[str]:
        """The last frames of all its lines, in words."""
        return [frame.says for line in self.read_figures(40) for frame in line.frames]

    @property
    def inputs(self) -> dict[str, InputFigures]:
        if not isinstance(self.driver, GpioPanel | BoardRail | CcTalkRail):
            return {}
        return {figures.name: figures for figures in self.driver.inputs()}

    def driver_as(self, kind: type[T]) -> T:
        assert isinstance(self.driver, kind)
        return self.driver

    def close(self) -> None:
        self.cabinet.close()
        self.loop.close()

"""The host's rail and the slot rail's image on an emulated RP2040, in virtual time."""

from collections.abc import Callable

from devices.board_rail import BoardRail
from devices.boards import BoardFound, BoardImage
from devices.roles import DeviceLost, DeviceUp, Lamp, RailOrders, RailSeen
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board import pins
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.flashing.images import image_name
from firmware_bridge.memory_line import memory_wire
from tests.firmware_bridge.emulated_chip.chip import IMAGES, ChipOnLine, EmulatedChip

IMAGE = IMAGES / image_name(BoardKind.SLOT_RAIL)


class Table:
    """The host's rail and the chip, linked."""

    def __init__(self, chip: EmulatedChip, key: SessionKey | None = None) -> None:
        """With a key of version 2 the board is not believed before it is given that key."""
        self.chip = chip
        self.loop = VirtualLoop()
        self.events: list[object] = []
        line, end = memory_wire(self.loop)
        self.board = ChipOnLine(self.loop, end, chip)
        self.rail = BoardRail(self.loop, line, BoardKind.SLOT_RAIL, key)
        self.rail.start(self.events.append)
        self.session_ms = self.wait_for(lambda: self.is_up or self.strangers != [])

    @property
    def is_up(self) -> bool:
        seen = [event for event in self.events if isinstance(event, (DeviceUp, DeviceLost))]
        return bool(seen) and isinstance(seen[-1], DeviceUp)

    @property
    def strangers(self) -> list[str]:
        """The serial numbers of boards that did not prove themselves."""
        found = [event.boards[0] for event in self.events if isinstance(event, BoardFound)]
        return [board.serial for board in found if board.unproven is True]

    @property
    def images(self) -> list[str]:
        """What the board has said that its flash holds."""
        return [event.image for event in self.events if isinstance(event, BoardImage)]

    @property
    def boot(self) -> int:
        assert self.rail.session.identity is not None
        return self.rail.session.identity.boot

    @property
    def seen(self) -> RailSeen:
        return next(event for event in reversed(self.events) if isinstance(event, RailSeen))

    def wait_for(self, ready: Callable[[], bool], seconds: float = 5.0) -> int:
        """The milliseconds that it took."""
        start = self.loop.time()
        while not ready():
            assert self.loop.time() < start + seconds, f"not within {seconds} s: {self.events[-3:]}"
            self.loop.run_for(0.001)
        return round((self.loop.time() - start) * 1000)

    def open_gate(self, seat: int, turn: int) -> int:
        orders = RailOrders((Lamp.ON,) * 7, frozenset({seat}), turn=turn, boot=self.boot)
        self.rail.show(orders)
        return self.wait_for(lambda: self.chip.state(pins.GATES[seat - 1]) == "High")

    def boot_anew(self) -> int:
        """Power off and on; the new boot number, once the session has it."""
        boot = self.boot
        self.chip.cycle_power()
        self.wait_for(lambda: self.boot != boot)
        return self.boot

    def cut_power_in_the_boot(self, written: int) -> None:
        """Power off and on, and off again after so many bytes of flash."""
        self.chip.cut_power_after(written)
        self.chip.cycle_power()
        self.wait_for(lambda: self.chip.off)

    def fill_page(self, pages: int) -> None:
        """Power off and on, until the boot number's first sector is erased and has these pages."""
        self.chip.cycle_power()
        self.wait_for(lambda: self.chip.written == 4096 + pages * 256)

    def close(self) -> None:
        self.rail.close()
        self.loop.close()

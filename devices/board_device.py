"""A device that is one board: what the board's session tells goes to the device's reporter."""

import asyncio
from typing import Generic, TypeVar

from devices.boards import Boards
from devices.device import Device
from devices.figures import DeviceFigures
from devices.line_figures import board_of, with_board
from devices.reporter import Reporter
from devices.roles import Listener
from firmware_bridge.board_session.protocol import Identity
from firmware_bridge.board_session.session import BoardSession

State = TypeVar("State")

BOARD_NUMBERS = 1 << 32
"""A board's boot and its memory have a number of 32 bits. Each time that its counters run backwards
this is added to the number, as if it were another boot, or another memory."""


class BoardDevice(Generic[State]):
    """The part that every such driver shares: it owns `session`, which its class makes."""

    session: BoardSession[State]

    def __init__(self, device: Device, loop: asyncio.AbstractEventLoop) -> None:
        self._device = device
        self._loop = loop
        self._reporter = Reporter(device, loop)
        self._boards: Boards | None = None  # that answered last

    def start(self, listener: Listener) -> None:
        """Report to `listener` from now on."""
        self._reporter.start(listener)
        self.session.start()

    def close(self) -> None:
        """Report nothing any more; the board's outputs are at rest after 1 s."""
        self._reporter.stop()
        self.session.close()

    def board_up(self, identity: Identity) -> None:
        """See `BoardOwner`."""
        self._reporter.begin_connection()
        self._boards = (board_of(identity),)
        self._reporter.report_boards(self._boards)

    def board_settled(self) -> None:
        """See `BoardOwner`."""
        self._reporter.report_up()

    def board_image(self, identity: Identity, digest: str) -> None:
        """See `BoardOwner`."""
        self._reporter.report_image(board_of(identity), digest)

    def board_unproven(self, identity: Identity) -> None:
        """See `BoardOwner`."""
        self._reporter.report_boards((board_of(identity, unproven=True),))

    def board_lost(self, why: str) -> None:
        """See `BoardOwner`."""
        self._reporter.report_lost(why)

    def describe(self, driver: str, state: dict[str, str], frames: int) -> DeviceFigures:
        """The figures for people, with the board's and the last `frames` frames in words."""
        figures = DeviceFigures(
            self._device,
            self._device.value,
            driver,
            self._reporter.up,
            self._reporter.why_down,
            state=state,
            flood=self._reporter.flood,
        )
        return with_board(figures, self.session, frames)

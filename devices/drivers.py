"""The driver of each role: the only place that knows their names and the speeds of their lines.

A driver is imported only when it is used. A new device needs one module and one line here.
"""

from asyncio import AbstractEventLoop
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from devices.roles import (
    ACCEPTOR_ADDRESSES,
    CoinRail,
    Display,
    Shoe,
    Shuffler,
)
from firmware_bridge.line import Line

if TYPE_CHECKING:
    from devices.line_display import DisplayCommands
    from firmware_bridge.board_session.session_key import SessionKey

LineFor = Callable[[str, int], Line]
"""Makes the line of a port such as `rail`, at this baud rate, 8N1."""

BOARD_BAUD = 115200
DISPLAY_BAUD = 9600
ANGEL_EYE_BAUD = 4800
CCTALK_BAUD = 9600


class Acceptors(Struct, frozen=True):
    """Addresses and serial numbers of a rail's coin acceptors, from seat 1."""

    addresses: tuple[int, ...] = ACCEPTOR_ADDRESSES
    serials: tuple[int, ...] | None = None


class DeviceOptions(Struct, frozen=True):
    """What a configuration says of the drivers, besides what kind of table it is."""

    acceptors: Acceptors = Acceptors()
    display: str = "escpos"
    """The commands that the display takes."""


def create_rail(
    loop: AbstractEventLoop,
    kind: str,
    line_for: LineFor,
    acceptors: Acceptors,
    key: "SessionKey | None" = None,
) -> CoinRail:
    """The coin rail of this kind; one with acceptors has a second port, `rail board`."""
    if kind == "cctalk":
        from devices.cctalk.rail import CcTalkRail

        bus, board = line_for("rail", CCTALK_BAUD), line_for("rail board", BOARD_BAUD)
        return CcTalkRail(loop, bus, board, acceptors.addresses, acceptors.serials, key=key)
    from devices.board_rail import BoardRail
    from firmware_bridge.board_session.protocol import BoardKind

    boards = {"slot": BoardKind.SLOT_RAIL, "sensor": BoardKind.SENSOR_RAIL}
    return BoardRail(loop, line_for("rail", BOARD_BAUD), boards[kind], key)


def create_shuffler(
    loop: AbstractEventLoop, kind: str, line_for: LineFor, key: "SessionKey | None" = None
) -> Shuffler:
    """The shuffler of this kind: a `dealer` of packets, a `mixer`, or of whole `deck`s."""
    from devices.neutral_shuffler import NeutralShuffler
    from firmware_bridge.board_session.protocol import BoardKind

    boards = {
        "dealer": BoardKind.SHUFFLER,
        "mixer": BoardKind.MIXER,
        "deck": BoardKind.DECK_SHUFFLER,
    }
    return NeutralShuffler(loop, line_for("shuffler", BOARD_BAUD), boards[kind], key)


def create_shoe(
    loop: AbstractEventLoop, kind: str, line_for: LineFor, key: "SessionKey | None" = None
) -> Shoe:
    """The shoe of this kind: `counting` or `reading`."""
    if kind == "reading":
        from devices.angel_eye_shoe import AngelEyeShoe

        return AngelEyeShoe(loop, line_for("shoe", ANGEL_EYE_BAUD))
    from devices.counting_shoe import CountingShoe

    return CountingShoe(loop, line_for("shoe", BOARD_BAUD), key)


def create_display(loop: AbstractEventLoop, kind: str, line_for: LineFor) -> Display:
    """The two-line customer display that takes the commands of this kind."""
    from devices.line_display import LineDisplay

    return LineDisplay(loop, line_for("display", DISPLAY_BAUD), _display_commands(kind))


def _display_commands(kind: str) -> "DisplayCommands":
    match kind:
        case "escpos":
            from devices.escpos_display import ESCPOS

            return ESCPOS
    raise KeyError(kind)

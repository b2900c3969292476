"""The figures of a ccTalk rail's acceptors and their line."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from devices.board_rail import slot_state
from devices.boards import BoardLabel, Boards
from devices.cctalk.acceptor import KNOWN, Acceptor
from devices.device import Device
from devices.figures import DeviceFigures, LineCounts
from devices.line_figures import board_driver, describe_frames, with_board, with_trips
from devices.roles import RailSeen
from devices.sensor_steadiness import SensorSteadiness
from firmware_bridge.board_session.rail_messages import RailState, unpack_seats
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.cctalk.bus import CcTalkBus
from firmware_bridge.cctalk.words import describe_line
from firmware_bridge.seat_words import format_name, plain_ascii


def boards_of(slots: BoardLabel | None, acceptors: Sequence[Acceptor]) -> Boards:
    """The slot board, then the acceptors from seat 1, as they go on record."""
    board = () if slots is None else (slots,)
    return (*board, *(_acceptor_board(one) for one in acceptors))


def see_rail(
    boot: int,
    credits_lost: int,
    acceptors: Sequence[Acceptor],
    slots: RailState | None,
    steadiness: SensorSteadiness,
    notices: frozenset[int] | UnsetType,
) -> RailSeen:
    """The whole rail's state; `credits_lost`: those lost before this start."""
    return RailSeen(
        boot=boot,
        occupied=steadiness.believed,
        drops=tuple(one.drops for one in acceptors),
        dead_lamps=unpack_seats(0 if slots is None else slots.dead_lamps),
        credits_lost=credits_lost + sum(one.credits_lost for one in acceptors),
        changed=frozenset(one.seat for one in acceptors if one.foreign),
        marks=tuple(one.mark or 0 for one in acceptors),
        unsteady=steadiness.unsteady or UNSET,
        notices=notices,
    )


def _acceptor_board(acceptor: Acceptor) -> BoardLabel:
    identity = acceptor.identity
    names = (identity.manufacturer, identity.product)
    return BoardLabel(
        f"acceptor of seat {acceptor.seat}",
        "" if identity.serial is None else str(identity.serial),
        " ".join(plain_ascii(name) for name in names if name),
        configured=acceptor.enrolled is not None,
    )


def acceptors_figures(
    acceptors: Sequence[Acceptor],
    bus: CcTalkBus,
    ended: str,
    frames: int,
    flood: int | None,
) -> DeviceFigures:
    """The figures of all acceptors together, up if all answer.

    `ended`: why their line is not used, or "".
    """
    missing = [one for one in acceptors if one.stage not in KNOWN]
    why = ended or "; ".join(f"acceptor of seat {one.seat}: {one.why}" for one in missing[:1])
    traced = bus.trace.last(frames)
    return DeviceFigures(
        Device.RAIL,
        Device.RAIL.value,
        "ccTalk acceptors",
        not why,
        why,
        identity={f"seat {one.seat}": _identity(one) for one in acceptors},
        state={f"seat {one.seat}": _state(one) for one in acceptors},
        counts=_counts(acceptors, bus),
        frames=describe_frames(traced, describe_line(traced)),
        flood=flood,
    )


def slot_board_figures(
    session: BoardSession[RailState],
    slots: RailState | None,
    steadiness: SensorSteadiness,
    why_down: str,
    frames: int,
) -> DeviceFigures:
    """The figures of the board beside the acceptors; `slots`: its last state."""
    figures = DeviceFigures(
        Device.RAIL,
        "rail board",
        board_driver("slot board", session),
        not why_down,
        why_down,
        state={} if slots is None else slot_state(slots) | steadiness.state,
    )
    return with_board(figures, session, frames)


def _identity(acceptor: Acceptor) -> str:
    identity = acceptor.identity
    if identity.serial is None:
        return f"address {acceptor.address}, not known yet"
    names = (identity.manufacturer, identity.product)
    name = " ".join(plain_ascii(name) for name in names if name)
    enrolled = f", {acceptor.enrolled} is enrolled" if acceptor.foreign else ""
    return f"address {acceptor.address}, {name or 'no name'}, serial {identity.serial}{enrolled}"


def _state(acceptor: Acceptor) -> str:
    gate = {None: "", True: ", open", False: ", closed"}[acceptor.is_accepting]
    stage = f"{format_name(acceptor.stage)}{gate}, credits {acceptor.drops}"
    counter = "" if acceptor.mark is None else f", counter {acceptor.mark}"
    lost = f", credits lost {acceptor.credits_lost} times" if acceptor.credits_lost else ""
    found = f", found {acceptor.found} times" if acceptor.found > 1 else ""
    resets = f", began anew {acceptor.resets} times" if acceptor.resets else ""
    return f"{stage}{counter}{lost}{found}{resets}"


def _counts(acceptors: Sequence[Acceptor], bus: CcTalkBus) -> LineCounts:
    """`connections` of the acceptor found most often, `boots` of all acceptors together."""
    counted = bus.statistics
    counts = LineCounts(
        received=counted.answered + counted.refused + bus.trace.bad,
        bad=bus.trace.bad,
        sent=counted.sent,
        retries=counted.retries,
        connections=max(one.found for one in acceptors),
        boots=sum(one.resets for one in acceptors),
    )
    return with_trips(counts, counted.round_trips)

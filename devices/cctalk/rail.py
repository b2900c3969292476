"""The coin rail of ccTalk acceptors: one for each seat on one line, and a board for the slots.

An acceptor swallows the token that it takes; this is the drop that the rail counts. Slot lamps and
the sensors for changed cards are on a board of ours. The figures of acceptors and line are for the
technician.
"""

import asyncio
import logging
import secrets
from collections.abc import Collection, Sequence

from msgspec import UNSET, UnsetType

from devices.board_rail import ORDER_OF, slot_state
from devices.boards import BoardLabel, Boards, KnownBoards
from devices.cctalk.acceptor import (
    AT_ONCE,
    KNOWN,
    SLACK_S,
    Acceptor,
    AcceptorStage,
    next_to_ask,
    note_lone_resets,
)
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures, LineCounts
from devices.line_figures import (
    board_driver,
    board_of,
    describe_frames,
    find_notices,
    list_counted,
    with_board,
    with_trips,
)
from devices.rail_inputs import AcceptorInputs
from devices.reporter import Reporter
from devices.roles import (
    ACCEPTOR_ADDRESSES,
    ACCEPTOR_TRAITS,
    ALL_DARK,
    SEATS,
    Listener,
    RailOrders,
    RailSeen,
)
from devices.sensor_steadiness import SensorSteadiness
from firmware_bridge.board_session.protocol import BoardKind, Identity
from firmware_bridge.board_session.rail_messages import (
    RailState,
    RailWant,
    pack_lamps,
    unpack_seats,
)
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.cctalk.bus import CcTalkBus, CcTalkCommand
from firmware_bridge.cctalk.words import describe_line
from firmware_bridge.counter import CYCLE
from firmware_bridge.line import Line
from firmware_bridge.seat_words import format_name, plain_ascii

log = logging.getLogger(__name__)

TOKENS = (1,)
"""The coin numbers of the token, as the acceptors are programmed."""

SILENCE_S = 1.0
"""The rail is lost when one acceptor is silent for so long (docs/reference/rules.md, section 7)."""


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
        state={f"seat {one.seat}": _state(one) for one in acceptors} | _bus_troubles(bus),
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


def _bus_troubles(bus: CcTalkBus) -> dict[str, str]:
    counted = bus.statistics
    troubles = {
        "collisions": counted.collisions,
        "garbled answers": counted.garbled,
        "stray bytes": counted.noise,
        "times reopened": counted.reopened,
    }
    return list_counted(troubles)


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


class CcTalkRail:
    """`CoinRail` on two lines.

    `bus_line` leads to the acceptors, 9600 baud; `board_line` to the slot board, 115200 baud.
    `addresses` and `serials` are in the order of the seats; without an enrolled serial number any
    acceptor is accepted. Tokens are taken only while the whole rail is there.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        bus_line: Line,
        board_line: Line,
        addresses: Sequence[int] = ACCEPTOR_ADDRESSES,
        serials: Sequence[int | None] | None = None,
        tokens: Collection[int] = TOKENS,
        key: SessionKey | None = None,
    ) -> None:
        self.traits = ACCEPTOR_TRAITS
        enrolled = serials or (None,) * len(SEATS)
        self.acceptors = tuple(
            Acceptor(seat, address, serial, frozenset(tokens))
            for seat, address, serial in zip(SEATS, addresses, enrolled, strict=True)
        )
        self.bus = CcTalkBus(loop, bus_line, self)
        self._reporter = Reporter(Device.RAIL, loop)
        self.board = BoardSession(
            board_line,
            BoardKind.CCTALK_SLOTS,
            RailWant(),
            RailState.from_bytes,
            self,
            loop=loop,
            key=key,
        )
        self._loop = loop
        self._of = dict(zip(addresses, self.acceptors, strict=True))
        self._ended = "not started"  # why the line is not used
        self._inputs: AcceptorInputs | None = None
        self._board_why = "not found yet"
        self._boot = secrets.randbits(32)
        self._credits_lost = 0  # before this start
        self._orders = RailOrders()
        self._known = KnownBoards()
        self._slots: RailState | None = None
        self._board_settled = False
        self._whole = False  # everything is there, until it was lost for 1 s
        self._lost = False
        self._judged = False
        self._check: asyncio.TimerHandle | None = None
        self._steadiness = SensorSteadiness()
        self._rest: asyncio.TimerHandle | None = None  # until an unsteady sensor has rested

    def resume(self, seen: RailSeen | None) -> None:
        """See `CoinRail.resume`."""
        if seen is None:
            return
        self._boot, self._credits_lost = seen.boot, seen.credits_lost
        marks = seen.marks or (None,) * len(SEATS)
        for acceptor, drops, mark in zip(self.acceptors, seen.drops, marks, strict=True):
            acceptor.resume(drops, mark)

    def start(self, listener: Listener) -> None:
        """See `CoinRail.start`."""
        self._reporter.start(listener)
        self._ended = ""
        now = self._loop.time()
        self._inputs = AcceptorInputs(now)
        for acceptor in self.acceptors:
            acceptor.good_at = now
        self._check_at(now + SILENCE_S)
        self.bus.start()
        self.board.start()

    def show(self, orders: RailOrders) -> None:
        """See `CoinRail.show`."""
        self._orders = orders
        self._want()
        self._open_or_inhibit_acceptors()

    def close(self) -> None:
        """See `CoinRail.close`."""
        self._reporter.stop()
        self._ended = "closed"
        for timer in (self._check, self._rest):
            if timer is not None:
                timer.cancel()
        self.bus.close()
        self.board.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """See `CoinRail.inputs`: the slots as last reported, and the credits."""
        return () if self._inputs is None else self._inputs.figures(self._loop.time())

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `CoinRail.figures`: the acceptors' line, and the slot board's."""
        ended = self._ended
        board_why = ended or ("" if self._board_settled else self._board_why)
        return (
            acceptors_figures(self.acceptors, self.bus, ended, frames, self._reporter.flood),
            slot_board_figures(self.board, self._slots, self._steadiness, board_why, frames),
        )

    # The acceptors' line

    def bus_up(self, now: float) -> None:
        """See `BusOwner`."""
        for acceptor in self.acceptors:
            acceptor.begin(now)

    def bus_down(self, why: str) -> None:
        """See `BusOwner`."""
        for acceptor in self.acceptors:
            acceptor.lose(why)

    def next_command(self, now: float) -> CcTalkCommand | float:
        """See `BusOwner`."""
        return next_to_ask(self.acceptors, now)

    def on_answer(self, command: CcTalkCommand, data: bytes, now: float) -> None:
        """See `BusOwner`."""
        acceptor = self._of[command.address]
        drops = acceptor.drops
        if acceptor.on_answer(command, data, now):
            if self._inputs is not None:
                self._inputs.credit(acceptor.seat, (acceptor.drops - drops) % CYCLE, now)
            self._settle()

    def on_no_answer(self, command: CcTalkCommand, why: str, now: float) -> None:
        """See `BusOwner`."""
        if self._of[command.address].on_no_answer(why, now):
            self._settle()

    # The board

    def board_up(self, identity: Identity) -> None:
        """See `BoardOwner`; who answers and the next state are reported."""
        self._reporter.begin_connection()
        self._known.begin_session(board_of(identity))
        self._want()
        self._board_settled, self._board_why = False, "its outputs are not written yet"

    def board_state(self, _boot: int, slots: RailState) -> None:
        """See `BoardOwner`."""
        if self._slots is not None:
            self._ask_after_passage(unpack_seats(self._slots.occupied & ~slots.occupied))
        self._slots = slots
        self._steadiness.take(unpack_seats(slots.occupied), self._loop.time())
        if self._inputs is not None:
            self._inputs.take(slots, self._loop.time())
        self._settle()

    def board_settled(self) -> None:
        """See `BoardOwner`."""
        self._board_settled = True
        self._settle()

    def board_image(self, identity: Identity, digest: str) -> None:
        """See `BoardOwner`."""
        self._reporter.report_image(board_of(identity), digest)

    def board_unproven(self, identity: Identity) -> None:
        """See `BoardOwner`; it is reported with the acceptors."""
        self._known.begin_session(board_of(identity, unproven=True))
        self._settle()

    def board_lost(self, why: str) -> None:
        """See `BoardOwner`."""
        self._board_settled, self._board_why = False, why
        self._lose(f"slot board: {why}")

    def _ask_after_passage(self, seats: frozenset[int]) -> None:
        """A token has left these slots, perhaps into the acceptor: ask that one at once."""
        for seat in seats:
            acceptor = self.acceptors[seat - 1]
            if acceptor.stage is AcceptorStage.READY:
                acceptor.due_at = AT_ONCE
                self.bus.wake()

    # The whole rail

    def _settle(self) -> None:
        """Something has changed: order, report and come up, as far as possible."""
        acceptors_known = all(one.stage in KNOWN for one in self.acceptors)
        known = self._board_settled and acceptors_known
        if known and not self._whole:
            self._whole = True
            if not self._judged:
                self._judged = True
                note_lone_resets(self.acceptors)
        if self._whole or (self._known.is_strange and acceptors_known):
            self._note_boards()
        self._open_or_inhibit_acceptors()
        if self._whole:
            self._report()
        if known and not self._reporter.up and all(one.settled for one in self.acceptors):
            self._lost = False
            self._check_at(self._loop.time() + SILENCE_S)
            self._reporter.report_up()

    def _open_or_inhibit_acceptors(self) -> None:
        """Let the acceptors of open seats take tokens, while the whole rail is there."""
        takes = self._whole and self._known.are(self._orders.boards)
        for acceptor in self.acceptors:
            acceptor.set_accepting(takes and acceptor.seat in self._orders.accepting)
        self.bus.wake()

    def _report(self) -> None:
        self._reporter.report_state(
            see_rail(
                self._boot,
                self._credits_lost,
                self.acceptors,
                self._slots,
                self._steadiness,
                find_notices(self.board),
            )
        )
        if self._rest is None and self._steadiness.deadline is not None:
            self._rest = self._loop.call_at(self._steadiness.deadline, self._settle_sensors)

    def _settle_sensors(self) -> None:
        self._rest = None
        for steady in self._steadiness.settle(self._loop.time()):
            self._reporter.report_beside(steady)
        if self._whole:  # otherwise when it is
            self._report()

    def _want(self) -> None:
        lit = self._orders.lamps if self._known.are(self._orders.boards) else ALL_DARK
        self.board.want(RailWant(pack_lamps(ORDER_OF[lamp] for lamp in lit)))

    def _note_boards(self) -> None:
        """Report who answers, once in each connection and when one was exchanged."""
        boards = boards_of(self._known.board, self.acceptors)
        if self._known.note(boards):
            self._reporter.begin_connection()
            self._reporter.report_boards(boards)
            self._want()

    def _lose(self, why: str) -> None:
        self._whole = False
        self._known.end_session()
        self._reporter.begin_connection()
        self._open_or_inhibit_acceptors()
        if not self._lost:
            self._lost = True
            self._reporter.report_lost(why)

    # Silence: one timer, which is moved when it fires and not at every answer

    def _check_at(self, when: float) -> None:
        if self._check is not None:
            self._check.cancel()
        self._check = self._loop.call_at(when, self._check_silence)

    def _check_silence(self) -> None:
        self._check = None
        quietest = min(self.acceptors, key=lambda one: one.good_at)
        due = quietest.good_at + SILENCE_S
        if self._loop.time() < due - SLACK_S:
            self._check_at(due)
        else:
            self._lose(f"acceptor of seat {quietest.seat}: {quietest.why}")

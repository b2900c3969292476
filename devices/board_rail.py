"""The coin rail behind our own board, with slots or with sensors only, over a `BoardSession`."""

import asyncio
import logging
from collections.abc import Sequence
from functools import lru_cache

from msgspec import UNSET

from devices.board_device import BOARD_NUMBERS, BoardDevice
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from devices.line_figures import board_driver, find_notices
from devices.rail_inputs import RailInputs
from devices.roles import (
    NO_COUNTS,
    SEATS,
    SENSOR_TRAITS,
    SLOT_TRAITS,
    Lamp,
    RailOrders,
    RailSeen,
)
from devices.sensor_steadiness import SensorSteadiness
from firmware_bridge.board_session.protocol import BoardKind, Identity
from firmware_bridge.board_session.rail_messages import (
    LampOrder,
    RailState,
    RailWant,
    pack_lamps,
    pack_seats,
    unpack_seats,
)
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.counter import CYCLE, HALF_CYCLE
from firmware_bridge.line import Line
from firmware_bridge.seat_words import format_seats

JUDGED_WITHIN_S = 1.0
"""A gate opened by an order no older than this cannot have closed by itself, which takes 2 s."""

NO_SEATS: frozenset[int] = frozenset()


class GateTurns:
    """Follows the gates of one board, from when it is found until it boots."""

    def __init__(self) -> None:
        self._turn = 0
        self._ordered_at = 0.0
        self._drops: Sequence[int] = ()  # when the turn was ordered
        self._judged = True
        self._closed = NO_SEATS  # seats whose gate did not open in this turn
        self._opened = NO_SEATS  # seats whose gate has opened in a turn of this ledger

    def begin_connection(self) -> None:
        """A new connection: the board closes its gates, which says nothing about the turn."""
        self._judged = True

    def order(self, orders: RailOrders, drops: Sequence[int], now: float) -> None:
        """Note that these gates are ordered; `drops` are the board's last counts."""
        if orders.turn != self._turn:
            self._turn, self._ordered_at, self._drops = orders.turn, now, drops
            self._judged, self._closed = False, NO_SEATS

    def on_obeyed(
        self, orders: RailOrders, open_gates: frozenset[int], drops: Sequence[int], now: float
    ) -> None:
        """Note that the board has applied the last order, and which gates are open."""
        if self._judged:
            return
        self._judged = True
        if now - self._ordered_at < JUDGED_WITHIN_S:
            counted = zip(SEATS, self._drops, drops, strict=True)
            fallen = frozenset(seat for seat, before, after in counted if before != after)
            self._closed = orders.gates - open_gates - fallen - self._opened
            self._opened |= orders.gates - self._closed

    @property
    def rests(self) -> bool:
        """Whether no gate has been ordered that a state of the board may tell something about."""
        return self._judged and not self._closed

    def find_served_turn(self, orders: RailOrders, open_gates: frozenset[int]) -> int:
        """The ordered turn if gates stay closed because it was served before; otherwise 0.

        Also 0 while another gate of the turn is open, because that gate would open again in the
        next turn.
        """
        waits = self._closed & orders.gates and not open_gates & orders.gates
        return self._turn if waits else 0


log = logging.getLogger(__name__)

TRAITS = {
    BoardKind.SLOT_RAIL: SLOT_TRAITS,
    BoardKind.SENSOR_RAIL: SENSOR_TRAITS,
}

ORDER_OF = {
    Lamp.DARK: LampOrder.DARK,
    Lamp.INVITE: LampOrder.INVITE,
    Lamp.ON: LampOrder.ON,
    Lamp.ALERT: LampOrder.ALERT,
}


class BoardRail(BoardDevice[RailState]):
    """`CoinRail` on a line.

    The counters of a board must not run backwards within one boot. If they do, the driver reports
    the boot number with another, higher part from then on, as if the board had booted: its earlier
    counts prove nothing.

    A turn is valid for the boot of the board at the time of the order; under another boot the gates
    stay closed until the next turn (docs/reference/rules.md, section 2).
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        line: Line,
        kind: BoardKind,
        key: SessionKey | None = None,
    ) -> None:
        super().__init__(Device.RAIL, loop)
        self.traits = TRAITS[kind]
        self.session = BoardSession(
            line,
            kind,
            RailWant(),
            RailState.from_bytes,
            self,
            loop=loop,
            key=key,
        )
        self._orders = RailOrders()
        self._boot: int | None = None
        self._counts: tuple[int, RailState] | None = None
        self._inputs: RailInputs | None = None
        self._ran_backwards = 0  # how often its counters did
        self._told: tuple[int, RailState, int] | None = None  # last, in this connection
        self._turns = GateTurns()
        self._steadiness = SensorSteadiness()
        self._rest: asyncio.TimerHandle | None = None  # until an unsteady sensor has rested

    def resume(self, seen: RailSeen | None) -> None:
        """See `CoinRail.resume`: there is nothing to do, the board itself continues to count."""

    def show(self, orders: RailOrders) -> None:
        """See `CoinRail.show`."""
        if orders == self._orders:
            return
        self._orders = orders
        self._want()

    def close(self) -> None:
        """See `CoinRail.close`."""
        super().close()
        if self._rest is not None:
            self._rest.cancel()

    def inputs(self) -> tuple[InputFigures, ...]:
        """See `CoinRail.inputs`: as last reported, also while the board is lost."""
        return () if self._inputs is None else self._inputs.figures(self._loop.time())

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `CoinRail.figures`."""
        state = {} if self._counts is None else self._state(self._counts[1])
        return (self.describe(board_driver("board rail", self.session), state, frames),)

    def _state(self, state: RailState) -> dict[str, str]:
        texts = slot_state(state)
        if self.traits.gates:
            texts |= {
                "open gates": format_seats(unpack_seats(state.gates)),
                "drops": " ".join(map(str, state.drops)),
                "tray": str(state.tray),
            }
        texts |= self._steadiness.state
        if self._ran_backwards:
            texts["counters ran backwards"] = str(self._ran_backwards)
        return texts

    # The session

    def board_up(self, identity: Identity) -> None:
        """See `BoardOwner`."""
        super().board_up(identity)
        self._told = None
        if identity.boot != self._boot:
            self._boot, self._turns = identity.boot, GateTurns()
        self._turns.begin_connection()
        self._want()

    def board_state(self, boot: int, state: RailState) -> None:
        """See `BoardOwner`. One that says nothing new only confirms the last WANT."""
        if self._told == (boot, state, self.session.notices) and self._turns.rests:
            return
        self._check_counts(boot, state)
        now = self._loop.time()
        if self._inputs is None:
            self._inputs = RailInputs(boot, state, now, gates=self.traits.gates)
        else:
            self._inputs.take(boot, state, now)
        self._steadiness.take(unpack_seats(state.occupied), now)
        self._report(boot, state, now)

    def _report(self, boot: int, state: RailState, now: float) -> None:
        served = self._find_served_turn(state, now)
        self._told = None if served else (boot, state, self.session.notices)
        self._reporter.report_state(
            RailSeen(
                boot=boot + self._ran_backwards * BOARD_NUMBERS,
                occupied=self._steadiness.believed,
                drops=state.drops,
                tray=state.tray,
                dead_lamps=unpack_seats(state.dead_lamps),
                served=served,
                unsteady=self._steadiness.unsteady or UNSET,
                notices=find_notices(self.session),
            )
        )
        if self._rest is None and self._steadiness.deadline is not None:
            self._rest = self._loop.call_at(self._steadiness.deadline, self._settle_sensors)

    def _settle_sensors(self) -> None:
        self._rest = None
        now = self._loop.time()
        for steady in self._steadiness.settle(now):
            self._reporter.report_beside(steady)
        if self._counts is not None and self._reporter.up:
            self._report(*self._counts, now)

    def board_settled(self) -> None:
        """See `BoardOwner`."""
        super().board_settled()
        if self._counts is not None:  # a sensor may have rested meanwhile
            self._report(*self._counts, self._loop.time())

    def _want(self) -> None:
        orders = self._orders
        if orders.boards not in (None, self._boards):
            self.session.want(RailWant())
            return
        lamps = pack_slot_lamps(orders.lamps)
        boot = self._boot
        if boot is None or orders.boot != boot + self._ran_backwards * BOARD_NUMBERS:
            self.session.want(RailWant(lamps))
            return
        if orders.gates:
            drops = NO_COUNTS if self._counts is None else self._counts[1].drops
            self._turns.order(orders, drops, self._loop.time())
        self.session.want(RailWant(lamps, pack_seats(orders.gates), orders.turn))

    def _find_served_turn(self, state: RailState, now: float) -> int:
        gates = unpack_seats(state.gates)
        if self.session.obeyed:
            self._turns.on_obeyed(self._orders, gates, state.drops, now)
        return self._turns.find_served_turn(self._orders, gates)

    def _check_counts(self, boot: int, state: RailState) -> None:
        before, self._counts = self._counts, (boot, state)
        if before is None or before[0] != boot:
            return
        last = before[1]
        if last.drops == state.drops and last.tray == state.tray:
            return
        counters = zip((*last.drops, last.tray), (*state.drops, state.tray), strict=True)
        if max([(new - old) % CYCLE for old, new in counters]) >= HALF_CYCLE:
            self._ran_backwards += 1
            log.error(
                "the board's counters ran backwards within boot %#x: drops %s, tray %d to %s, %d",
                boot, last.drops, last.tray, state.drops, state.tray,
            )  # fmt: skip


@lru_cache(maxsize=128)
def pack_slot_lamps(lamps: tuple[Lamp, ...]) -> int:
    """The lamp bits of WANT; a table shows the same few patterns again and again."""
    return pack_lamps(ORDER_OF[lamp] for lamp in lamps)


def slot_state(state: RailState) -> dict[str, str]:
    """The slots' state, common to all rail boards, in words."""
    return {
        "occupied": format_seats(unpack_seats(state.occupied)),
        "dead lamps": format_seats(unpack_seats(state.dead_lamps)),
    }

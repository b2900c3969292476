"""Shuffler, mixer or deck shuffler with our neutral protocol, over a `BoardSession`."""

import asyncio
from collections.abc import Callable, Mapping

from msgspec import UNSET

from devices.board_device import BoardDevice
from devices.card_reports import Back, DeckState, ShufflerOrders, ShufflerSeen
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from devices.line_figures import board_driver, find_notices
from firmware_bridge.board_session.protocol import BoardKind, Identity
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.board_session.shuffler_messages import (
    BackCode,
    DeckCode,
    DeckShufflerState,
    DeckShufflerWant,
    ShufflerState,
    ShufflerWant,
)
from firmware_bridge.counter import CYCLE, HALF_CYCLE
from firmware_bridge.line import Line

DECK_OF = {
    DeckCode.EMPTY: DeckState.EMPTY,
    DeckCode.SHUFFLING: DeckState.SHUFFLING,
    DeckCode.READY: DeckState.READY,
    DeckCode.JAMMED: DeckState.JAMMED,
}

BACK_OF = {BackCode.NONE: None, BackCode.RED: Back.RED, BackCode.BLUE: Back.BLUE}


READS: Mapping[BoardKind, Callable[[bytes], ShufflerState]] = {
    BoardKind.SHUFFLER: ShufflerState.from_bytes,
    BoardKind.MIXER: ShufflerState.from_bytes,
    BoardKind.DECK_SHUFFLER: DeckShufflerState.from_bytes,
}
"""What reads the STATE of each kind of machine."""


GREEN = "GREEN"


class GreenButton:
    """A deck shuffler's green button: its presses since the machine reported first."""

    def __init__(self, counter: int, now: float) -> None:
        self._counter, self._since = counter, now
        self._presses = 0
        self.late = 0
        """Presses that were made while no STATE was heard, modulo `CYCLE`."""

    def take(self, counter: int, now: float, *, late: bool) -> None:
        """Take the machine's counter; one that ran backwards tells no press."""
        more = (counter - self._counter) % CYCLE
        if 0 < more < HALF_CYCLE:
            self._presses += more
            self._since = now
            self.late = (self.late + more * late) % CYCLE
        self._counter = counter

    def figures(self, now: float) -> InputFigures:
        """The figures for people; each press is one edge."""
        return InputFigures(GREEN, False, round((now - self._since) * 1000), self._presses)


class NeutralShuffler(BoardDevice[ShufflerState]):
    """`Shuffler` on a line: a machine of this kind, one of `READS`."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        line: Line,
        kind: BoardKind,
        key: SessionKey | None = None,
    ) -> None:
        super().__init__(Device.SHUFFLER, loop)
        self.session = BoardSession(
            line, kind, ShufflerWant(), READS[kind], self, loop=loop, key=key
        )
        self._orders: ShufflerOrders | None = None
        self._last: ShufflerState | None = None
        self._green: GreenButton | None = None

    def show(self, orders: ShufflerOrders) -> None:
        """See `Shuffler.show`. Raises ProtocolError for more than 9 packets."""
        if orders == self._orders:
            return
        self._want(orders)
        self._orders = orders

    def inputs(self) -> tuple[InputFigures, ...]:
        """See `Shuffler.inputs`: as last reported, also while the board is lost."""
        return () if self._green is None else (self._green.figures(self._loop.time()),)

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `Shuffler.figures`."""
        state = {} if self._last is None else self._last.facts()
        driver = board_driver("neutral shuffler", self.session)
        return (self.describe(driver, state, frames),)

    # The session

    def board_up(self, identity: Identity) -> None:
        """See `BoardOwner`."""
        super().board_up(identity)
        if self._orders is not None:
            self._want(self._orders)

    def board_state(self, boot: int, seen: ShufflerState) -> None:
        """See `BoardOwner`."""
        self._last = seen
        green = self._count_presses(seen.presses) if isinstance(seen, DeckShufflerState) else None
        self._reporter.report_state(
            ShufflerSeen(
                boot=boot,
                preparing=DECK_OF[seen.preparing],
                prepared_back=BACK_OF[seen.prepared_back],
                counted=seen.counted,
                playing_back=BACK_OF[seen.playing_back],
                hand=seen.hand,
                dealt=seen.dealt,
                packets=seen.packets,
                unloaded=seen.unloaded,
                waiting=seen.waiting,
                presses=seen.presses if isinstance(seen, DeckShufflerState) else UNSET,
                late_presses=UNSET if green is None else green.late,
                notices=find_notices(self.session),
            )
        )

    def _count_presses(self, counter: int) -> GreenButton:
        now = self._loop.time()
        if self._green is None:
            self._green = GreenButton(counter, now)
        self._green.take(counter, now, late=self.session.missed_states)
        return self._green

    def _want(self, orders: ShufflerOrders) -> None:
        known = orders.boards in (None, self._boards)
        may_deal, may_begin = known and orders.may_deal, known and orders.may_begin
        hand = orders.hand % CYCLE
        if self.session.kind is not BoardKind.DECK_SHUFFLER:
            self.session.want(ShufflerWant(may_deal, may_begin, hand, orders.packets))
            return
        lit = known and orders.ready_light
        self.session.want(DeckShufflerWant(may_deal, may_begin, hand, orders.packets, lit))

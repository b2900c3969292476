"""The shoe of Black Jack, which counts the cards that leave it, over a `BoardSession`."""

import asyncio
import logging

from devices.card_reports import ShoeSeen
from devices.device import Device
from devices.figures import DeviceFigures
from devices.line_figures import board_of, find_notices, with_board
from devices.reporter import Reporter
from devices.roles import Listener
from firmware_bridge.board_session.protocol import BoardKind, Identity
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.board_session.shoe_messages import ShoeState, ShoeWant
from firmware_bridge.line import Line

log = logging.getLogger(__name__)

BROKEN_PROMISE = 1 << 32
"""Added to the shoe's memory number, which has 32 bits, each time its counts run backwards."""


class CountingShoe:
    """`Shoe` on a line.

    The shoe keeps its counts without power: `boot` of ShoeSeen is the number of its memory. The
    counts must not run backwards. If they do, the driver reports the memory with another, higher
    part from then on, as if it were another shoe.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, line: Line, key: SessionKey | None = None
    ) -> None:
        self.session: BoardSession[ShoeState] = BoardSession(
            line,
            BoardKind.COUNTING_SHOE,
            ShoeWant(),
            ShoeState.from_bytes,
            self,
            loop=loop,
            key=key,
        )
        self._reporter = Reporter(Device.SHOE, loop)
        self._last: ShoeState | None = None
        self._broken = 0

    def start(self, listener: Listener) -> None:
        """See `Shoe.start`."""
        self._reporter.start(listener)
        self.session.start()

    def close(self) -> None:
        """See `Shoe.close`."""
        self._reporter.stop()
        self.session.close()

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `Shoe.figures`."""
        state = {} if self._last is None else self._last.facts()
        if self._broken:
            state["took back what it had counted"] = str(self._broken // BROKEN_PROMISE)
        figures = DeviceFigures(
            Device.SHOE,
            Device.SHOE.value,
            "counting shoe",
            self._reporter.up,
            self._reporter.why_down,
            state=state,
            flood=self._reporter.flood,
        )
        return (with_board(figures, self.session, frames),)

    # The session

    def board_up(self, identity: Identity) -> None:
        """See `BoardOwner`."""
        self._reporter.begin_connection()
        self._reporter.report_boards((board_of(identity),))

    def board_state(self, _boot: int, state: ShoeState) -> None:
        """See `BoardOwner`."""
        last, self._last = self._last, state
        if last is not None and _takes_back(last, state):
            self._broken += BROKEN_PROMISE
            log.error("the shoe takes back what it has counted: %s, then %s", last, state)
        self._reporter.report_state(
            ShoeSeen(
                boot=state.memory + self._broken,
                loads=state.loads,
                cards=state.cards,
                draws=state.draws,
                cut_after=state.cut_after,
                notices=find_notices(self.session),
            )
        )

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


def _takes_back(old: ShoeState, new: ShoeState) -> bool:
    if (old.memory, old.loads) != (new.memory, new.loads):
        return False
    cut_changed = old.cut_after is not None and old.cut_after != new.cut_after
    return cut_changed or new.cards != old.cards or new.draws < old.draws

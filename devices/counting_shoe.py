"""The shoe of Black Jack, which counts the cards that leave it, over a `BoardSession`."""

import asyncio
import logging

from devices.board_device import BOARD_NUMBERS, BoardDevice
from devices.card_reports import ShoeSeen
from devices.device import Device
from devices.figures import DeviceFigures
from devices.line_figures import find_notices
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.board_session.shoe_messages import ShoeState, ShoeWant
from firmware_bridge.line import Line

log = logging.getLogger(__name__)


class CountingShoe(BoardDevice[ShoeState]):
    """`Shoe` on a line.

    The shoe keeps its counts without power: `boot` of ShoeSeen is the number of its memory. The
    counts must not run backwards. If they do, the driver reports the memory with another, higher
    part from then on, as if it were another shoe.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, line: Line, key: SessionKey | None = None
    ) -> None:
        super().__init__(Device.SHOE, loop)
        self.session = BoardSession(
            line,
            BoardKind.COUNTING_SHOE,
            ShoeWant(),
            ShoeState.from_bytes,
            self,
            loop=loop,
            key=key,
        )
        self._last: ShoeState | None = None
        self._ran_backwards = 0  # how often its counts did

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `Shoe.figures`."""
        state = {} if self._last is None else self._last.facts()
        if self._ran_backwards:
            state["took back what it had counted"] = str(self._ran_backwards)
        return (self.describe("counting shoe", state, frames),)

    def board_state(self, _boot: int, state: ShoeState) -> None:
        """See `BoardOwner`."""
        last, self._last = self._last, state
        if last is not None and _takes_back(last, state):
            self._ran_backwards += 1
            log.error("the shoe takes back what it has counted: %s, then %s", last, state)
        self._reporter.report_state(
            ShoeSeen(
                boot=state.memory + self._ran_backwards * BOARD_NUMBERS,
                loads=state.loads,
                cards=state.cards,
                draws=state.draws,
                cut_after=state.cut_after,
                notices=find_notices(self.session),
            )
        )


def _takes_back(old: ShoeState, new: ShoeState) -> bool:
    if (old.memory, old.loads) != (new.memory, new.loads):
        return False
    cut_changed = old.cut_after is not None and old.cut_after != new.cut_after
    return cut_changed or new.cards != old.cards or new.draws < old.draws

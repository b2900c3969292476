"""Who is the board on this port? It is asked by the table's own session."""

import asyncio

from firmware_bridge.board_session.protocol import PROVED_VERSION, BoardKind, Identity
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.serial_line import SerialLine

BAUD_RATE = 115200
ANSWER_S = 10.0
"""A board starts in less than 1 s; a USB adapter may need some more."""


class EnrolmentError(Exception):
    """The board did not answer as it should; the text says why."""


class _Asker:
    """Waits for the first IDENTITY of the right kind."""

    def __init__(self, answered: asyncio.Future[Identity]) -> None:
        self._answered = answered
        self.why = "nobody answers"

    def board_up(self, identity: Identity) -> None:
        if not self._answered.done():
            self._answered.set_result(identity)

    def board_unproven(self, identity: Identity) -> None:
        self.board_up(identity)

    def board_lost(self, why: str) -> None:
        self.why = why

    def board_settled(self) -> None: ...

    def board_state(self, boot: int, seen: RailState) -> None: ...


async def ask_identity(port: str, kind: BoardKind, seconds: float = ANSWER_S) -> Identity:
    """The IDENTITY of the rail's board on this port. Raises EnrolmentError."""
    loop = asyncio.get_running_loop()
    asker = _Asker(loop.create_future())
    line = SerialLine(port, BAUD_RATE, loop=loop)
    key = SessionKey(PROVED_VERSION)  # a board that has one answers, too
    session = BoardSession(line, kind, RailWant(), RailState.from_bytes, asker, loop=loop, key=key)
    session.start()
    try:
        async with asyncio.timeout(seconds):
            return await asker._answered
    except TimeoutError:
        raise EnrolmentError(f"{port}: {asker.why}") from None
    finally:
        session.close()

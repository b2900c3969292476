"""Counting shoes' boards in MicroPython, in the place of the board in `devices.sim.shoe`."""

from firmware_bridge.board.shoe import NOT_YET
from firmware_bridge.board_session.protocol import BoardKind
from tests.firmware_bridge.micropython.board_process import BoardPower, SteppedProcess


class SteppedShoe:
    """One boot of a board, a `devices.sim.shoe.CountingBoard`; its time is handed in.

    What it kept without power is set before the first `advance`; what it keeps is known after each.
    """

    def __init__(self, boot: int) -> None:
        self.memory = 0
        self.loads = self.cards = self.draws = 0
        self.cut_after = NOT_YET
        self._kept = ""
        self._counts = [0, 0, 0, 0]
        self._process = SteppedProcess(BoardKind.COUNTING_SHOE, boot)

    def count_load(self, cards: int) -> None:
        """Put so many cards in."""
        self._counts[0] += 1
        self._counts[1] = cards

    def count_draw(self) -> None:
        """Let a card pass the draw sensor."""
        self._counts[2] += 1

    def note_cut_card(self) -> None:
        """Let the cut card pass."""
        self._counts[3] += 1

    def receive(self, data: bytes, now_ms: int) -> None:
        """Put bytes on its line."""
        del now_ms
        self._process.receive(data)

    def advance(self, now_ms: int) -> bytes:
        """Let it do what is due; what it has sent."""
        if not self._kept:
            kept = (self.memory, self.loads, self.cards, self.draws, self.cut_after)
            self._kept = " ".join(map(str, kept))
        sent = self._process.run(f"{self._kept} {' '.join(map(str, self._counts))}", now_ms)
        self.loads, self.cards, self.draws, self.cut_after = self._process.outputs
        return sent

    def next_wake(self, now_ms: int) -> int:
        """When the board is due next, if nothing happens before."""
        return self._process.next_wake(now_ms)

    def close(self) -> None:
        """Take its power."""
        self._process.close()


ShoePower = BoardPower[SteppedShoe]

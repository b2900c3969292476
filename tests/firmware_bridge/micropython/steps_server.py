"""The board's firmware, step by step: one line in, one line out. For CPython and MicroPython.

A step is `WHAT MILLISECONDS VALUE` (tests/firmware_bridge/firmware_deeds.py makes them). The answer
has the bytes that the board sends, its outputs, and when it is due next.
"""

import sys
from binascii import hexlify, unhexlify

from firmware_bridge.board.firmware import Firmware
from firmware_bridge.board.interlock import Machine
from firmware_bridge.board.proof import KeyKeeper
from firmware_bridge.board.rail import CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board.shoe import ShoeBoard
from firmware_bridge.board.shuffler import DeckShufflerBoard, MixerBoard, ShufflerBoard

BOARDS: dict[int, type[Firmware]] = {
    board.KIND: board
    for board in (
        SlotRail,
        SensorRail,
        ShufflerBoard,
        MixerBoard,
        ShoeBoard,
        CcTalkSlots,
        DeckShufflerBoard,
    )
}

BLOCK = 8192
"""Characters read at once."""


class StepKeeper(KeyKeeper):
    """A key that lasts until the next boot."""

    def __init__(self, key: bytes | None) -> None:
        self.key = key
        self.closed = False

    def read_key(self) -> bytes | None:
        """See `KeyKeeper`."""
        return self.key

    def write_key(self, key: bytes) -> None:
        """See `KeyKeeper`."""
        self.key = key

    def jumper_is_closed(self) -> bool:
        """See `KeyKeeper`."""
        return self.closed


def boot_board(value: str, keeper: StepKeeper) -> Firmware:
    """A board of `KIND,BOOT,COUNT[,KEY]` whose counters stand at COUNT already.

    KEY 1: it speaks version 2 and has no key; 2: it has the first one.
    """
    numbers = [int(number) for number in value.split(",")]
    kind, boot, count = numbers[:3]
    board = BOARDS[kind](boot, "BOARD-07", (1, 2, 3))
    board._number = count
    if len(numbers) > 3:
        keeper.key = bytes(range(16)) if numbers[3] == 2 else None
        board.use_key(keeper)
    if isinstance(board, Rail):
        board.drops = [count] * 7
        board.tray = count
    elif isinstance(board, ShoeBoard):
        board.memory, board.loads, board.draws = boot, count, min(count, 65534)
    return board


def read_machine(value: str) -> Machine:
    """The machine of twelve numbers."""
    machine = Machine()
    numbers = [int(number) for number in value.split(",")]
    machine.preparing, machine.prepared_back, machine.counted = numbers[:3]
    machine.playing_back, machine.left, machine.hand, machine.dealt = numbers[3:7]
    machine.packets, machine.unloaded, machine.waiting = numbers[7:10]
    machine.unloading, machine.presses = bool(numbers[10]), numbers[11]
    return machine


def move_rail(rail: Rail, what: str, value: str) -> None:
    """A sensor of a rail has changed."""
    if what == "sense":
        rail.sense(int(value))
    elif what == "drop":
        rail.count_drop(int(value))
    elif what == "tray":
        rail.count_in_tray()
    elif what == "dead":
        rail.set_dead_lamps(int(value))


def move_shoe(shoe: ShoeBoard, what: str, value: str) -> None:
    """A sensor of a shoe has changed."""
    if what == "load":
        shoe.count_load(int(value))
    elif what == "draw":
        shoe.count_draw()
    elif what == "cut":
        shoe.note_cut_card()


class StepServer:
    """A board that takes steps."""

    def __init__(self) -> None:
        self.board: Firmware = SlotRail(0)
        self.keeper = StepKeeper(None)

    def answer(self, line: str) -> str:
        """Take a step; what the board does then."""
        what, at, value = line.split()
        now = int(at)
        if what == "boot":
            self.keeper = StepKeeper(None)
            self.board = boot_board(value, self.keeper)
        board = self.board
        if what == "line":
            board.receive(unhexlify(value), now)
        elif what == "jumper":
            self.keeper.closed = value == "1"
        elif what == "notices":
            board.set_notices(int(value))
        elif what == "image":
            board.tell_image(unhexlify(value))
        elif what == "machine" and isinstance(board, ShufflerBoard):
            board.set_machine(read_machine(value))
        elif isinstance(board, Rail):
            move_rail(board, what, value)
        elif isinstance(board, ShoeBoard):
            move_shoe(board, what, value)
        out = board.advance(now)
        sent = hexlify(out).decode() or "-"
        return f"{sent} {self._outputs()} {board.next_wake(now)}"

    def _outputs(self) -> str:
        board = self.board
        if isinstance(board, Rail):
            return f"{board.lamps},{board.gates}"
        if isinstance(board, ShufflerBoard):
            light = int(board.ready_light())
            return f"{board.packet_due()},{int(board.exit_is_open())},{light}"
        return "-"


def main() -> None:
    """Answer the steps on standard input, to its end.

    In blocks: MicroPython reads and writes a line byte by byte, with a system call for each.
    """
    server = StepServer()
    rest = ""
    while True:
        block = sys.stdin.read(BLOCK)
        lines = (rest + block).split("\n")
        rest = lines.pop()
        sys.stdout.write("".join([server.answer(line) + "\n" for line in lines]))
        if not block:
            break


if __name__ == "__main__":
    main()

"""A board in MicroPython's unix port: its line is a terminal, its pins are lines of text.

    board_program.py KIND BOOT SERIAL LINE_FD KEY_FILE             with a clock of its own
    board_program.py KIND BOOT SERIAL LINE_FD KEY_FILE by-hand     its time is handed in

KEY_FILE is the key's sector of flash, and KEY_FILE.jumper is there while the jumper is closed. With
- for it, the board speaks version 1 only.

PINS are numbers: of a rail the masks of slots, drops, tray, dead lamps and notices; of a shuffler
the twelve of `machine_of`; of a shoe the five that it kept without power, and how many loads, cards
of the last load, draws and cut cards there were since. OUTPUTS are `LAMPS GATES`; `DUE OPEN HAND
LIGHT`, the packet that is due at the exit, whether that is open, the hand of the host's orders, and
the green light; or what the shoe keeps.

By its own clock it takes `MILLISECONDS PINS` whenever one changes, and answers `OUTPUTS` whenever
they change. By hand it takes `MILLISECONDS COUNT PINS`, without PINS if none has changed, reads
COUNT bytes from its line, and answers `SENT WAKE OUTPUTS`: the bytes that it wrote there, and when
it is due next. It ends with its standard input.
"""

import io
import os
import select
import sys
from array import array

from utime import ticks_ms

from firmware_bridge.board.boot_number import ERASE, PAGE_SIZE, PAGES, Flash
from firmware_bridge.board.clock import TickClock
from firmware_bridge.board.firmware import Firmware
from firmware_bridge.board.interlock import Machine
from firmware_bridge.board.key_sector import read_key, write_key
from firmware_bridge.board.passes import RING_SAMPLES, TRAY_BIT, PassCounter
from firmware_bridge.board.proof import KeyKeeper
from firmware_bridge.board.rail import CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board.sensors import RailSensors
from firmware_bridge.board.shoe import ShoeBoard
from firmware_bridge.board.shuffler import DeckShufflerBoard, MixerBoard, ShufflerBoard

RAILS: dict[int, type[Rail]] = {rail.KIND: rail for rail in (SlotRail, SensorRail, CcTalkSlots)}
SHUFFLERS: dict[int, type[ShufflerBoard]] = {
    shuffler.KIND: shuffler for shuffler in (ShufflerBoard, MixerBoard, DeckShufflerBoard)
}
PERIOD = 1 << 30
"""Of the clock: unix has a longer one, of which this is a part."""

READ_SIZE = 256
STDIN_FD = 0
HELD_MS = 12
"""What a token takes to pass a sensor: see `passing_tokens`."""
NO_KEY_FILE = "-"


class FileFlash(Flash):
    """A sector of flash in a file."""

    def __init__(self, path: str) -> None:
        self._path = path
        if not exists(path):
            self.ioctl(ERASE, 0)

    def readblocks(self, sector: int, buffer: bytearray, offset: int) -> None:
        """See `Flash`."""
        del sector
        with open(self._path, "rb") as file:
            file.seek(offset)
            buffer[:] = file.read(len(buffer))

    def writeblocks(self, sector: int, buffer: bytes, offset: int) -> None:
        """See `Flash`: bits only become low."""
        there = bytearray(len(buffer))
        self.readblocks(sector, there, offset)
        with open(self._path, "r+b") as file:
            file.seek(offset)
            file.write(bytes([there[at] & new for at, new in enumerate(buffer)]))

    def ioctl(self, request: int, argument: int) -> int | None:
        """See `Flash`."""
        del argument
        if request == ERASE:
            with open(self._path, "wb") as file:
                file.write(b"\xff" * (PAGES * PAGE_SIZE))
        return 0


class FiledKey(KeyKeeper):
    """The key in a file, and the jumper as another file beside it."""

    def __init__(self, path: str) -> None:
        self._flash = FileFlash(path)
        self._jumper = path + ".jumper"

    def read_key(self) -> bytes | None:
        """See `KeyKeeper`."""
        return read_key(self._flash)

    def write_key(self, key: bytes) -> None:
        """See `KeyKeeper`."""
        write_key(self._flash, key)

    def jumper_is_closed(self) -> bool:
        """See `KeyKeeper`."""
        return exists(self._jumper)


def exists(path: str) -> bool:
    """Whether there is a file; MicroPython has no os.path."""
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def machine_of(numbers: list[int]) -> Machine:
    """The machine of twelve numbers."""
    machine = Machine()
    machine.preparing, machine.prepared_back, machine.counted = numbers[:3]
    machine.playing_back, machine.left, machine.hand, machine.dealt = numbers[3:7]
    machine.packets, machine.unloaded, machine.waiting = numbers[7:10]
    machine.unloading, machine.presses = bool(numbers[10]), numbers[11]
    return machine


class WiredShuffler:
    """A shuffler's board and the machine around it."""

    def __init__(self, kind: int, boot: int, serial: str) -> None:
        self._shuffler = SHUFFLERS[kind](boot, serial)
        self.board: Firmware = self._shuffler

    def read(self, pins: list[int], now_ms: int) -> None:
        """Take the pins as they are now."""
        del now_ms
        if pins:
            self._shuffler.set_machine(machine_of(pins))

    def outputs(self) -> str:
        """What the machine may do."""
        shuffler = self._shuffler
        exit_, light = int(shuffler.exit_is_open()), int(shuffler.ready_light())
        return f"{shuffler.packet_due()} {exit_} {shuffler.orders.hand} {light}"

    def next_wake(self, now_ms: int) -> int:
        """When the board is due next, if nothing happens before."""
        return self.board.next_wake(now_ms)


class WiredShoe:
    """A counting shoe's board, its memory and what passes its sensors."""

    def __init__(self, kind: int, boot: int, serial: str) -> None:
        del kind
        self._shoe = ShoeBoard(boot, serial)
        self.board: Firmware = self._shoe
        self._counts: list[int] = []

    def read(self, pins: list[int], now_ms: int) -> None:
        """Take the pins as they are now."""
        del now_ms
        if not pins:
            return
        shoe, counts = self._shoe, pins[5:]
        if not self._counts:
            shoe.memory, shoe.loads, shoe.cards, shoe.draws, shoe.cut_after = pins[:5]
            self._counts = [0, 0, 0, 0]
        if counts[0] != self._counts[0]:
            shoe.count_load(counts[1])
        for _ in range(counts[2] - self._counts[2]):
            shoe.count_draw()
        if counts[3] != self._counts[3]:
            shoe.note_cut_card()
        self._counts = counts

    def outputs(self) -> str:
        """What it keeps without power, but for the memory's number."""
        shoe = self._shoe
        return f"{shoe.loads} {shoe.cards} {shoe.draws} {shoe.cut_after}"

    def next_wake(self, now_ms: int) -> int:
        """When the board is due next, if nothing happens before."""
        return self.board.next_wake(now_ms)


class SampledTokens:
    """A ring of samples as the chip's hardware makes it, of levels that are told when they change.

    Each level lasts until the next one is told.
    """

    def __init__(self, rail: SlotRail) -> None:
        self._ring = array("I", [0] * RING_SAMPLES)
        self._counter = PassCounter(rail, memoryview(self._ring), 0, 0)
        self._end = 0
        self._sampled_at = 0
        self._levels = 0

    def read(self, drops: int, tray: int, now_ms: int) -> None:
        """Take the mask of the drop sensors that a token covers, and the tray's level."""
        for _ in range(min(now_ms - self._sampled_at, RING_SAMPLES - 2)):
            self._sample()
        self._sampled_at = now_ms
        levels = drops | tray << TRAY_BIT
        if levels != self._levels:
            self._levels = levels
            self._sample()
        self._counter.take(self._end, now_ms)

    def _sample(self) -> None:
        self._ring[self._end] = self._levels
        self._end = (self._end + 1) % RING_SAMPLES

    def open_lines(self) -> int:
        """See `PassCounter.open_lines`."""
        return self._counter.open_lines()

    def next_wake(self, now_ms: int) -> int | None:
        """When `read` is due though no level changes; None: not at all."""
        return None if self._counter.rests() else now_ms + 1


class WiredRail:
    """A rail's board with its sensors."""

    def __init__(self, kind: int, boot: int, serial: str) -> None:
        self._rail = RAILS[kind](boot, serial)
        self.board: Firmware = self._rail
        self._slots = RailSensors(self._rail, 0)
        self._passing = None
        if isinstance(self._rail, SlotRail):
            self._passing = SampledTokens(self._rail)

    def read(self, pins: list[int], now_ms: int) -> None:
        """Take the pins as they are now."""
        slots, drops, tray, dead, notices = pins or [0, 0, 0, 0, 0]
        self._slots.read(slots, now_ms)
        if self._passing:
            self._passing.read(drops, tray, now_ms)
        self._rail.set_dead_lamps(dead)
        self._rail.set_notices(notices)

    def outputs(self) -> str:
        """The lamps' orders, and the gates whose lines are high."""
        return f"{self._rail.lamps} {self._passing.open_lines() if self._passing else 0}"

    def next_wake(self, now_ms: int) -> int:
        """When the board or a sensor is due next, if nothing happens before."""
        wake = self.board.next_wake(now_ms)
        for sensors in (self._slots, self._passing):
            settled = sensors.next_wake(now_ms) if sensors else None
            if settled is not None and settled < wake:
                wake = settled
        return wake


class ToldPins:
    """The pins as standard input tells them, `MILLISECONDS LEVEL...`, in the order told.

    Each stays as long as it did where it was told, or HELD_MS: on a busy machine several are read
    at once, and a token that passed would be a flicker.
    """

    def __init__(self) -> None:
        self._waiting: list[list[int]] = []
        self._told_at = 0
        self._taken_at: int | None = None  # the first ones are what the board finds

    def add(self, line: str) -> None:
        """Take a line."""
        self._waiting.append([int(number) for number in line.split()])

    def next_wake(self) -> int | None:
        """When the next ones are due; None if none wait."""
        if not self._waiting:
            return None
        if self._taken_at is None:
            return 0
        return self._taken_at + min(HELD_MS, self._waiting[0][0] - self._told_at)

    def take_due(self, now_ms: int) -> list[int] | None:
        """The next levels, if they are due; None if not."""
        due = self.next_wake()
        if due is None or now_ms < due:
            return None
        self._told_at, *pins = self._waiting.pop(0)
        self._taken_at = now_ms
        return pins


class Program:
    """A wired board at a line."""

    def __init__(self, wired: WiredRail | WiredShuffler | WiredShoe, line: "io.FileIO") -> None:
        self._wired = wired
        self._line = line
        self._pins: list[int] = []

    def read_line(self) -> bytes:
        """What has arrived on the line."""
        return self._line.read(READ_SIZE) or b""

    def run(self, data: bytes, now_ms: int) -> int:
        """Take these bytes, and do what is due; returns how many bytes were sent."""
        self._wired.board.receive(data, now_ms)
        self._wired.read(self._pins, now_ms)
        out = self._wired.board.advance(now_ms)
        if out:
            self._line.write(out)
        return len(out)

    def run_by_hand(self, line_fd: int) -> None:
        """Do one step for each line of standard input."""
        poller = select.poll()
        poller.register(line_fd, select.POLLIN)
        while True:
            step = sys.stdin.readline()
            if not step:
                break
            now, count, *pins = [int(number) for number in step.split()]
            self._pins = pins or self._pins
            data = b""
            while len(data) < count:
                poller.poll()
                data += self.read_line()
            sent = self.run(data, now)
            print(sent, self._wired.next_wake(now), self._wired.outputs())

    def run_by_clock(self, line_fd: int) -> None:
        """Be the board, until standard input ends."""
        clock = TickClock(ticks_ms() % PERIOD)
        poller = select.poll()
        poller.register(line_fd, select.POLLIN)
        poller.register(STDIN_FD, select.POLLIN)
        shown = ""
        now = 0
        levels = ToldPins()
        while True:
            wake, pins_due = self._wired.next_wake(now), levels.next_wake()
            wait = max(0, (wake if pins_due is None else min(wake, pins_due)) - now)
            ready = [fd for fd, _ in poller.poll(wait)]
            now = clock.read(ticks_ms() % PERIOD)
            if STDIN_FD in ready:
                pins = sys.stdin.readline()
                if not pins:
                    break
                levels.add(pins)
            self._pins = levels.take_due(now) or self._pins
            self.run(self.read_line() if line_fd in ready else b"", now)
            outputs = self._wired.outputs()
            if outputs != shown:
                shown = outputs
                print(outputs)


def main() -> None:
    """Be the board that the arguments say."""
    kind, boot, serial, line_fd, key_file = sys.argv[1:6]
    wire: type[WiredRail | WiredShuffler | WiredShoe] = WiredShoe
    if int(kind) in RAILS:
        wire = WiredRail
    elif int(kind) in SHUFFLERS:
        wire = WiredShuffler
    with open(int(line_fd), "r+b", buffering=0) as line:
        wired = wire(int(kind), int(boot), serial)
        if key_file != NO_KEY_FILE:
            wired.board.use_key(FiledKey(key_file))
        program = Program(wired, line)
        if sys.argv[6:]:
            program.run_by_hand(int(line_fd))
        else:
            program.run_by_clock(int(line_fd))


main()

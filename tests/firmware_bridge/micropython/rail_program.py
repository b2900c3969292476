"""A rail's board in MicroPython's unix port: its line is a terminal, its pins are lines of text.

    rail_program.py KIND BOOT SERIAL LINE_FD                    with a clock of its own
    rail_program.py KIND BOOT SERIAL LINE_FD by-hand            its time is handed in

By its own clock it takes `SLOTS DROPS TRAY DEAD` whenever a level changes, each a mask, and answers
`LAMPS GATES` whenever they change. By hand it takes `MILLISECONDS COUNT SLOTS DROPS TRAY DEAD`,
reads COUNT bytes from its line, and answers `SENT LAMPS GATES WAKE`: the bytes that it wrote there,
and when it is due next. It ends with its standard input.
"""

import io
import select
import sys

from utime import ticks_ms

from firmware_bridge.board.clock import TickClock
from firmware_bridge.board.rail import CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board.sensors import DropSensors, RailSensors

RAILS: dict[int, type[Rail]] = {rail.KIND: rail for rail in (SlotRail, SensorRail, CcTalkSlots)}
PERIOD = 1 << 30
"""Of the clock: unix has a longer one, of which this is a part."""

READ_SIZE = 256
STDIN_FD = 0


class WiredRail:
    """A rail's board with its sensors and its line."""

    def __init__(self, kind: int, boot: int, serial: str, line: "io.FileIO") -> None:
        self.board = RAILS[kind](boot, serial)
        self._line = line
        self._slots = RailSensors(self.board, 0)
        self._passing = None
        if isinstance(self.board, SlotRail):
            self._passing = DropSensors(self.board, 0, 0)
        self._levels = [0, 0, 0, 0]

    def set_levels(self, levels: list[int]) -> None:
        """The pins' levels from now on: slots, drops, tray, dead lamps."""
        self._levels = levels

    def read_line(self) -> bytes:
        """What has arrived on the line."""
        return self._line.read(READ_SIZE) or b""

    def run(self, data: bytes, now_ms: int) -> int:
        """Take these bytes, and do what is due; returns how many bytes were sent."""
        slots, drops, tray, dead = self._levels
        self.board.receive(data, now_ms)
        self._slots.read(slots, now_ms)
        if self._passing:
            self._passing.read(drops, tray, now_ms)
        self.board.set_dead_lamps(dead)
        out = self.board.advance(now_ms)
        if out:
            self._line.write(out)
        return len(out)

    def next_wake(self, now_ms: int) -> int:
        """When `run` is due next, if nothing happens before."""
        wake = self.board.next_wake(now_ms)
        for sensors in (self._slots, self._passing):
            settled = sensors.next_wake(now_ms) if sensors else None
            if settled is not None and settled < wake:
                wake = settled
        return wake


def run_by_hand(rail: WiredRail, line_fd: int) -> None:
    """Do one step for each line of standard input."""
    poller = select.poll()
    poller.register(line_fd, select.POLLIN)
    while True:
        step = sys.stdin.readline()
        if not step:
            break
        now, count, *levels = [int(number) for number in step.split()]
        data = b""
        while len(data) < count:
            poller.poll()
            data += rail.read_line()
        rail.set_levels(levels)
        sent = rail.run(data, now)
        print(sent, rail.board.lamps, rail.board.gates, rail.next_wake(now))


def run_by_clock(rail: WiredRail, line_fd: int) -> None:
    """Be the board, until standard input ends."""
    clock = TickClock(ticks_ms() % PERIOD)
    poller = select.poll()
    poller.register(line_fd, select.POLLIN)
    poller.register(STDIN_FD, select.POLLIN)
    shown = (0, 0)
    now = 0
    while True:
        ready = [fd for fd, _ in poller.poll(max(0, rail.next_wake(now) - now))]
        now = clock.read(ticks_ms() % PERIOD)
        if STDIN_FD in ready:
            levels = sys.stdin.readline()
            if not levels:
                break
            rail.set_levels([int(number) for number in levels.split()])
        rail.run(rail.read_line() if line_fd in ready else b"", now)
        outputs = (rail.board.lamps, rail.board.gates)
        if outputs != shown:
            shown = outputs
            print(*outputs)


def main() -> None:
    """Be the board that the arguments say."""
    kind, boot, serial, line_fd = sys.argv[1:5]
    with open(int(line_fd), "r+b", buffering=0) as line:
        rail = WiredRail(int(kind), int(boot), serial, line)
        if sys.argv[5:]:
            run_by_hand(rail, int(line_fd))
        else:
            run_by_clock(rail, int(line_fd))


main()

"""The board itself: a Raspberry Pi Pico's pins, serial line, watchdog and flash.

docs/how-to/board.md.

MicroPython starts this file from the image; CPython never imports it. What the board decides is in
the modules beside it.
"""

import binascii
import gc
import os
import struct

import machine
import rp2
import utime

from firmware_bridge.board import kind_record, pins
from firmware_bridge.board.boot_number import take_boot_number
from firmware_bridge.board.clock import TickClock
from firmware_bridge.board.key_sector import read_key, write_key
from firmware_bridge.board.lamps import lit_lamps
from firmware_bridge.board.proof import KeyKeeper
from firmware_bridge.board.rail import CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board.sensors import DropSensors, RailSensors

RAILS = {pins.SLOT_RAIL: SlotRail, pins.SENSOR_RAIL: SensorRail, pins.CCTALK_SLOTS: CcTalkSlots}

BAUD_RATE = 115200
WATCHDOG_MS = 500
"""The chip resets when the loop below has not come round for so long."""

READ_SIZE = 16
"""Bytes taken from the line in one pass: so few that a flood of messages keeps the sensors waiting
for one of them only. A token covers its sensor for 10 ms."""

READS_BEFORE_COLLECTION = 16
"""MicroPython's collection of garbage takes 5 ms. It comes by itself when the memory is full, in
the middle of a message; so it is done before, between two looks at the sensors."""

NO_KIND = 2
WORN_OUT = 3
"""How often the Pico's LED flashes before a pause, on a board that cannot start."""


class OutputLines:
    """Lines that are written only when they change; all are low at first."""

    def __init__(self, lines: tuple[int, ...]) -> None:
        self._pins = [machine.Pin(line, machine.Pin.OUT, value=0) for line in lines]
        self._shown = 0

    def show(self, mask: int) -> None:
        """Drive each line as its bit says, seat 1 lowest."""
        changed = mask ^ self._shown
        if changed:
            self._shown = mask
            for seat, pin in enumerate(self._pins):
                if changed >> seat & 1:
                    pin.value(mask >> seat & 1)


class InputLines:
    """Sensors, low where they see something: seven on lines of their own, eight on the 74HC165."""

    def __init__(self) -> None:
        self._drops = [machine.Pin(line, machine.Pin.IN) for line in pins.DROPS]
        self._load = machine.Pin(pins.SHIFT_LOAD, machine.Pin.OUT, value=1)
        self._clock = machine.Pin(pins.SHIFT_CLOCK, machine.Pin.OUT, value=0)
        self._data = machine.Pin(pins.SHIFT_DATA, machine.Pin.IN)

    def read_drops(self) -> int:
        """The mask of the drop sensors that see a token."""
        mask = 0x7F
        for seat, pin in enumerate(self._drops):
            mask ^= pin.value() << seat
        return mask

    def read_shifted(self) -> int:
        """The seats' sensors as a mask, and the tray's as bit 7."""
        load, clock, data = self._load.value, self._clock.value, self._data.value
        load(0)
        load(1)
        levels = 0
        for _ in range(8):
            levels = levels << 1 | data()
            clock(1)
            clock(0)
        return levels ^ 0xFF

    def read_jumper(self) -> bool:
        """Whether the jumper was closed at the last `read_shifted`: SER follows the inputs."""
        return bool(self._data.value())


class FlashedKey(KeyKeeper):
    """The board's key in flash, and its jumper."""

    def __init__(self, inputs: InputLines) -> None:
        self._flash = rp2.Flash()
        self._inputs = inputs

    def read_key(self) -> bytes | None:
        """See `KeyKeeper`."""
        return read_key(self._flash)

    def write_key(self, key: bytes) -> None:
        """See `KeyKeeper`."""
        write_key(self._flash, key)

    def jumper_is_closed(self) -> bool:
        """See `KeyKeeper`."""
        return self._inputs.read_jumper()


def run() -> None:
    """Be the board until the power goes."""
    gates, lamps = OutputLines(pins.GATES), OutputLines(pins.LAMPS)
    led = machine.Pin(pins.LED, machine.Pin.OUT, value=1)
    board = make_board(led)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    line = open_line()
    inputs = InputLines()
    clock = TickClock(utime.ticks_ms())
    shifted = inputs.read_shifted()
    board.use_key(FlashedKey(inputs))
    seats = RailSensors(board, shifted & 0x7F)
    passing = None
    if isinstance(board, SlotRail):
        passing = DropSensors(board, inputs.read_drops(), shifted >> pins.SHIFT_TRAY)

    def look() -> None:
        now_ms = clock.read(utime.ticks_ms())
        shifted = inputs.read_shifted()
        seats.read(shifted & 0x7F, now_ms)
        if passing:
            passing.read(inputs.read_drops(), shifted >> pins.SHIFT_TRAY, now_ms)

    reads = 0
    while True:
        look()
        if line.any():
            board.receive(line.read(READ_SIZE), clock.read(utime.ticks_ms()))
            look()
            reads += 1
        now_ms = clock.read(utime.ticks_ms())
        out = board.advance(now_ms)
        gates.show(board.gates)
        lamps.show(lit_lamps(board.lamps, now_ms))
        if out:
            line.write(out)
        led.value(board.attended or now_ms & 0x200)
        if reads == READS_BEFORE_COLLECTION:
            reads = 0
            look()
            gc.collect()
        watchdog.feed()
        utime.sleep_ms(1)


def open_line() -> "machine.UART":
    """The line to the host; a read never waits."""
    return machine.UART(
        0, BAUD_RATE, tx=machine.Pin(pins.UART_TX), rx=machine.Pin(pins.UART_RX),
        txbuf=256, rxbuf=512, timeout=0,
    )  # fmt: skip


def make_board(led: "machine.Pin") -> Rail:
    """The board of the kind that was flashed, with a new boot number and the chip's serial."""
    flash = rp2.Flash()
    record = bytearray(kind_record.RECORD_SIZE)
    flash.readblocks(kind_record.RECORD_SECTOR, record, 0)
    kind = kind_record.read_kind(record)
    if kind is None or kind not in RAILS:
        return stop(led, NO_KIND)
    first = struct.unpack("<I", os.urandom(4))[0] >> 1
    try:
        boot = take_boot_number(flash, first)
    except OSError:
        return stop(led, WORN_OUT)
    return RAILS[kind](boot, serial_of(machine.unique_id()))


def serial_of(chip: bytes) -> str:
    """Eight characters that differ from chip to chip."""
    return f"{binascii.crc32(chip):08X}"


def stop(led: "machine.Pin", flashes: int) -> Rail:
    """Do nothing for ever, gates shut and lamps dark, and show why."""
    while True:
        for _ in range(flashes):
            led.value(1)
            utime.sleep_ms(150)
            led.value(0)
            utime.sleep_ms(250)
        utime.sleep_ms(1500)


run()

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
import uctypes
import utime

from firmware_bridge.board import kind_record, pins
from firmware_bridge.board.boot_number import take_boot_number
from firmware_bridge.board.clock import WATCHDOG_MS, TickClock
from firmware_bridge.board.image import FLASH_SIZE, ImageReader
from firmware_bridge.board.key_sector import read_key, write_key
from firmware_bridge.board.lamps import LampCheck, lit_lamps
from firmware_bridge.board.passes import PassCounter
from firmware_bridge.board.proof import KeyKeeper
from firmware_bridge.board.rail import SEAT_COUNT, CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board.scan import Scan
from firmware_bridge.board.sensors import RailSensors

RAILS = {pins.SLOT_RAIL: SlotRail, pins.SENSOR_RAIL: SensorRail, pins.CCTALK_SLOTS: CcTalkSlots}

BAUD_RATE = 115200
BOOT_WATCHDOG_MS = 3000
"""From the first line of `run` on: an exception ends the program, and the chip then resets. To
erase a sector of flash takes 0.4 s at most."""

READ_SIZE = 16
"""Bytes taken from the line in one pass: so few that a flood of messages keeps a gate that must
shut waiting for one of them only."""

READS_BEFORE_COLLECTION = 16
"""MicroPython's collection of garbage takes 5 ms. It comes by itself when the memory is full, in
the middle of a message; so it is done before, between two looks at the sensors."""

FLASH = 0x10000000
"""Where the processor sees the flash."""

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


class FlashedKey(KeyKeeper):
    """The board's key in flash, and its jumper."""

    def __init__(self, scan: Scan) -> None:
        self._flash = rp2.Flash()
        self._scan = scan

    def read_key(self) -> bytes | None:
        """See `KeyKeeper`."""
        return read_key(self._flash)

    def write_key(self, key: bytes) -> None:
        """See `KeyKeeper`."""
        write_key(self._flash, key)

    def jumper_is_closed(self) -> bool:
        """See `KeyKeeper`."""
        return bool(registers_of(self._scan.read_newest()) >> pins.SHIFT_JUMPER & 1)


def registers_of(sample: int) -> int:
    """What the 74HC165s have read."""
    return sample >> SEAT_COUNT


def seats_of(sample: int) -> int:
    """The mask of the seats whose sensor sees something; their sensors are low then."""
    return ~registers_of(sample) >> pins.SHIFT_SEATS & 0x7F


def run() -> None:
    """Be the board until the power goes."""
    watchdog = machine.WDT(timeout=BOOT_WATCHDOG_MS)
    gates, lamps = OutputLines(pins.GATES), OutputLines(pins.LAMPS)
    led = machine.Pin(pins.LED, machine.Pin.OUT, value=1)
    board, image = make_board(led, watchdog)
    line = open_line()
    scan = Scan()
    clock = TickClock(utime.ticks_ms())
    at = scan.end()
    sample = scan.read_newest()
    board.use_key(FlashedKey(scan))
    seats = RailSensors(board, seats_of(sample))
    check = LampCheck(board)
    passing = PassCounter(board, scan.ring, at, sample) if isinstance(board, SlotRail) else None
    watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def look() -> None:
        nonlocal at, sample
        now_ms = clock.read(utime.ticks_ms())
        end = scan.end()
        if end != at:
            at, sample = end, scan.read_newest()
            if passing:
                passing.take(end, now_ms)
            watchdog.feed()
        seats.read(seats_of(sample), now_ms)

    reads = 0
    while True:
        look()
        if line.any():
            board.receive(line.read(READ_SIZE), clock.read(utime.ticks_ms()))
            look()
            reads += 1
        now_ms = clock.read(utime.ticks_ms())
        out = board.advance(now_ms)
        lit = lit_lamps(board.lamps, now_ms)
        gates.show(passing.open_lines() if passing else 0)
        lamps.show(lit)
        check.read(lit, registers_of(sample) >> pins.SHIFT_LAMPS & 0x7F, now_ms)
        if out:
            line.write(out)
        led.value(board.attended or now_ms & 0x200)
        image.read_slice()
        if reads == READS_BEFORE_COLLECTION:
            reads = 0
            look()
            gc.collect()
        utime.sleep_ms(1)


def open_line() -> "machine.UART":
    """The line to the host; a read never waits."""
    return machine.UART(
        0, BAUD_RATE, tx=machine.Pin(pins.UART_TX), rx=machine.Pin(pins.UART_RX),
        txbuf=256, rxbuf=512, timeout=0,
    )  # fmt: skip


def make_board(led: "machine.Pin", watchdog: "machine.WDT") -> tuple[Rail, ImageReader]:
    """The board of the kind that was flashed, with a new boot number and the chip's serial."""
    flash = rp2.Flash()
    found = bytearray(kind_record.RECORD_SIZE)
    flash.readblocks(kind_record.RECORD_SECTOR, found, 0)
    record = kind_record.read_record(found)
    if record is None or record[0] not in RAILS:
        return stop(led, watchdog, NO_KIND)
    kind, program_size = record
    first = struct.unpack("<I", os.urandom(4))[0] >> 1
    try:
        boot = take_boot_number(flash, first)
    except OSError:
        return stop(led, watchdog, WORN_OUT)
    board = RAILS[kind](boot, serial_of(machine.unique_id()))
    whole = memoryview(uctypes.bytearray_at(FLASH, FLASH_SIZE))
    return board, ImageReader(whole, program_size, board)


def serial_of(chip: bytes) -> str:
    """Eight characters that differ from chip to chip."""
    return f"{binascii.crc32(chip):08X}"


def stop(led: "machine.Pin", watchdog: "machine.WDT", flashes: int) -> tuple[Rail, ImageReader]:
    """Do nothing for ever, gates shut and lamps dark, and show why."""
    while True:
        watchdog.feed()
        for _ in range(flashes):
            led.value(1)
            utime.sleep_ms(150)
            led.value(0)
            utime.sleep_ms(250)
        utime.sleep_ms(1500)


run()

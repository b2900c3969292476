"""Samples every sensor each millisecond, by the chip's own hardware alone.

A state machine of the PIO shifts the 74HC165s in and looks at the drop sensors' lines; DMA puts
each sample into a ring in memory. No pass of the loop, no collection of garbage, no proof and no
writing of flash delays it. MicroPython imports this file, CPython never.
"""
# mypy: disable-error-code="name-defined,call-overload,untyped-decorator"
# ruff: noqa: F821 (the words of the PIO's assembler, which rp2 knows)

import machine
import rp2
import uctypes

from firmware_bridge.board import pins
from firmware_bridge.board.passes import RING_SAMPLES, SAMPLE_HZ

CYCLES = 40
"""Of the state machine, for a sample: 4 to load, 32 to shift, 4 for the drop sensors."""

PIO_0_RECEIVED = 0x50200020
"""The receive FIFO of its first state machine (RP2040 datasheet, 3.7)."""

DREQ_PIO_0_RECEIVED = 4
"""The same datasheet, 2.5.3.1."""

SAMPLES_OF_A_CHANNEL = 128 * RING_SAMPLES
"""Then the other channel goes on: of a ring's whole turns, so that each begins at its beginning."""


@rp2.asm_pio(
    sideset_init=(rp2.PIO.OUT_HIGH, rp2.PIO.OUT_LOW),
    in_shiftdir=rp2.PIO.SHIFT_LEFT,
    out_shiftdir=rp2.PIO.SHIFT_RIGHT,
    fifo_join=rp2.PIO.JOIN_RX,
)
def _take_samples() -> None:
    """Side-set is CLOCK and LOAD. A sample has the shifted bits, and below them the seven drops.

    The lines are numbered from SHIFT_DATA on, round: the first drop sensor is the 20th after it.
    """
    wrap_target()
    set(x, 15).side(0b00)[3]
    label("bit")
    in_(pins, 1).side(0b01)
    jmp(x_dec, "bit").side(0b11)
    mov(osr, pins).side(0b01)
    out(null, 20).side(0b01)
    in_(osr, 7).side(0b01)
    push(block).side(0b01)
    wrap()


class Scan:
    """The samples since the boot. `ring` has the newest ones, for `passes.PassCounter`."""

    def __init__(self) -> None:
        size = 4 * RING_SAMPLES
        memory = bytearray(2 * size)
        begin = -uctypes.addressof(memory) % size  # DMA's ring begins at a multiple of its size
        self.ring = memoryview(memory)[begin : begin + size]
        self._address: int = uctypes.addressof(self.ring)
        for line in pins.DROPS:
            machine.Pin(line, machine.Pin.IN)
        data = machine.Pin(pins.SHIFT_DATA, machine.Pin.IN)
        first, second = self._channels = rp2.DMA(), rp2.DMA()
        for channel, next_one in ((first, second), (second, first)):
            control = channel.pack_ctrl(
                size=2, inc_read=False, inc_write=True, ring_sel=True, ring_size=11,
                treq_sel=DREQ_PIO_0_RECEIVED, chain_to=next_one.channel, irq_quiet=True,
            )  # fmt: skip
            channel.config(
                read=PIO_0_RECEIVED, write=self._address, count=SAMPLES_OF_A_CHANNEL, ctrl=control
            )
        first.active(1)
        self._samples = rp2.StateMachine(
            0,
            _take_samples,
            freq=CYCLES * SAMPLE_HZ,
            in_base=data,
            sideset_base=machine.Pin(pins.SHIFT_LOAD),
        )
        self._samples.active(1)
        while not self.end():  # a millisecond
            pass

    def end(self) -> int:
        """Where in the ring the next sample will be. The channel that waits is at the beginning."""
        first, second = self._channels
        end: int = (first.write + second.write - 2 * self._address) >> 2 & (RING_SAMPLES - 1)
        return end

    def read_newest(self) -> int:
        """The last sample."""
        sample: int = machine.mem32[self._address + 4 * ((self.end() - 1) & (RING_SAMPLES - 1))]
        return sample

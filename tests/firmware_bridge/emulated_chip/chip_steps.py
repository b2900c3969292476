"""1,000 deeds on the emulated RP2040, byte for byte as the reference. `make chip` runs it."""

import time
from pathlib import Path

import pytest

from firmware_bridge.flashing.uf2 import FLASH, pack_uf2
from tests.firmware_bridge.emulated_chip.chip import IMAGES, EmulatedChip
from tests.firmware_bridge.firmware_deeds import Deeds
from tests.firmware_bridge.reference.bench import ReferenceBench

STEPS = 1000
LONGEST_MS = 20_000
"""A line of 2,000 characters takes 170 ms each way, and the interpreter some more."""


class StepsOnChip:
    """A chip that answers steps on its serial line."""

    def __init__(self, chip: EmulatedChip) -> None:
        self._chip = chip
        self._now = 0
        self._unread = b""
        assert self._read_line() == "ready"

    def answer(self, line: str) -> str:
        for at in range(0, len(line), 200):  # its receive buffer has 512 bytes
            self._now += 20
            self._unread += self._chip.run_until(self._now, line[at : at + 200].encode())
        self._unread += self._chip.run_until(self._now, b"\n")
        return self._read_line()

    def _read_line(self) -> str:
        deadline = self._now + LONGEST_MS
        while b"\n" not in self._unread:
            assert self._now < deadline, self._unread
            self._now += 1
            self._unread += self._chip.run_until(self._now)
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode().strip()


def test_1_000_steps_are_answered_as_the_reference_does(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    image = tmp_path / "steps.uf2"
    image.write_bytes(pack_uf2({FLASH: (IMAGES / "steps.bin").read_bytes()}))
    reference = ReferenceBench()
    deeds = Deeds(pytestconfig.getoption("hypothesis_seed"))
    begun = time.monotonic()
    with EmulatedChip(image) as chip:
        steps = StepsOnChip(chip)
        for number, line in enumerate(deeds.make_lines(STEPS)):
            assert steps.answer(line) == reference.answer(line), f"step {number}: {line}"
    print(f"{STEPS} steps in {time.monotonic() - begun:.0f} s")

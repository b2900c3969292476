"""Deeds on the emulated RP2040, byte for byte as the reference. `make chip` runs it."""

import time
from pathlib import Path

import pytest

from firmware_bridge.flashing.images import FLASH, pack_uf2
from tests.firmware_bridge.emulated_chip.chip import IMAGES, EmulatedChip
from tests.firmware_bridge.firmware_deeds import Deeds
from tests.firmware_bridge.proved_deeds import ProvedDeeds
from tests.firmware_bridge.reference.bench import ReferenceBench

STEPS = 1000
PROVED_STEPS = 500
"""Of boards with keys: only here viper makes machine code for 32 bits."""

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


def make_image(folder: Path) -> Path:
    image = folder / "steps.uf2"
    image.write_bytes(pack_uf2({FLASH: (IMAGES / "steps.bin").read_bytes()}))
    return image


def test_1_000_steps_are_answered_as_the_reference_does(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    reference = ReferenceBench()
    deeds = Deeds(pytestconfig.getoption("hypothesis_seed"))
    begun = time.monotonic()
    with EmulatedChip(make_image(tmp_path)) as chip:
        steps = StepsOnChip(chip)
        for number, line in enumerate(deeds.make_lines(STEPS)):
            assert steps.answer(line) == reference.answer(line), f"step {number}: {line}"
    print(f"{STEPS} steps in {time.monotonic() - begun:.0f} s")


def test_500_steps_of_boards_with_keys_are_answered_as_the_reference_does(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    deeds = ProvedDeeds(pytestconfig.getoption("hypothesis_seed"))
    with EmulatedChip(make_image(tmp_path)) as chip:
        steps = StepsOnChip(chip)
        for number, (line, answer) in enumerate(deeds.take_steps(PROVED_STEPS)):
            assert steps.answer(line) == answer, f"step {number}: {line}"
    assert deeds.proved > 0

"""An emulated RP2040 with a board's image, at the device's end of a line and in virtual time."""

import json
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board import pins
from firmware_bridge.memory_line import DeviceEnd

HERE = Path(__file__).resolve().parent
TOOLS = Path(sys.prefix) / "emulated-chip"
"""Where the Makefile puts rp2040js and the boot ROM."""

IMAGES = HERE.parents[2] / "build" / "firmware"

DEADLINE_S = 60
"""Of real time, for what is asked at once: 200 ms of the chip's at most."""

NOTHING_SEEN = 0x7F << pins.SHIFT_SEATS | 0x7F << pins.SHIFT_LAMPS
"""The levels at the 74HC165s: no token at a seat nor at the tray, every lamp is whole."""

WIRES = {
    "load": pins.SHIFT_LOAD,
    "clock": pins.SHIFT_CLOCK,
    "data": pins.SHIFT_DATA,
    "inputs": pins.DROPS,
    "lamps": pins.LAMPS,
    "outputs": (*pins.GATES, *pins.LAMPS, pins.LED),
}


class EmulatedChip:
    """A chip with power. Time is the caller's: the chip runs until the millisecond it is given."""

    def __init__(self, image: Path) -> None:
        command = ["node", str(HERE / "lockstep.mjs"), str(TOOLS), str(image), json.dumps(WIRES)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._changes: dict[str, Any] = {}
        self.pins: dict[str, str] = {}
        self.shifted = NOTHING_SEEN
        self.off = False
        self.resets = 0
        self.written = 0
        self.passes: list[int] = []
        """Of each time it ran, the longest pass of its loop that ended, in microseconds."""

        self.now_ms = 0
        self.passing = False
        """Tokens of `pass_tokens` are still on their way."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run_until(self, ms: int, received: bytes = b"") -> bytes:
        """Run to this millisecond of the chip's own time; what it has sent since the last time."""
        question = {"ms": ms, "rx": received.hex(), **self._changes}
        self._changes = {}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        if not select.select([self._process.stdout], [], [], DEADLINE_S)[0]:
            raise TimeoutError(f"the emulator has not come to {ms} ms within {DEADLINE_S} s")
        self.now_ms = ms
        answer = json.loads(self._process.stdout.readline())
        self.pins, self.off = answer["pins"], answer["off"]
        self.resets, self.written = answer["resets"], answer["written"]
        self.passes.append(answer["pass"])
        self.passing = answer["passing"]
        return bytes.fromhex(answer["tx"])

    # What happens to the chip, each at the beginning of the next `run_until`

    def set_drop(self, seat: int, level: int) -> None:
        """The level of a drop sensor: 1 while a token passes, or without its wire."""
        self._changes.setdefault("pins", {})[str(pins.DROPS[seat - 1])] = level

    def set_shifted(self, bit: int, level: int) -> None:
        """The level of an input of the 74HC165s: see `pins.SHIFT_TRAY`."""
        self.shifted = self.shifted & ~(1 << bit) | level << bit
        self._changes["shifted"] = self.shifted

    def pass_tokens(self, count: int, pitch_ms: float, cover_ms: float) -> None:
        """Let so many tokens pass every drop sensor and the tray's, one each `pitch_ms`."""
        self._changes["tokens"] = {"count": count, "pitch": pitch_ms, "cover": cover_ms}

    def slow_down(self, times: int) -> None:
        """Run the program so many times slower from now on, and nothing else of the chip."""
        self._changes["slow"] = times

    def cycle_power(self) -> None:
        """Off and on; the flash keeps what is in it."""
        self._changes["power"] = True

    def cut_power_after(self, written: int) -> None:
        """The power goes when so many more bytes of flash have been written or erased."""
        self._changes["cut_after"] = written

    def hang(self) -> None:
        """The program stops; the chip's clocks run on."""
        self._changes["hang"] = True

    def state(self, line: int) -> str:
        """What the chip does with a line: High, Low, or an input (InputPullDown after a reset)."""
        return self.pins[str(line)]


class ChipOnLine:
    """A chip whose serial line is the device's end of a line in memory; a millisecond at a time."""

    def __init__(self, loop: VirtualLoop, end: DeviceEnd, chip: EmulatedChip) -> None:
        self._loop, self._end, self._chip = loop, end, chip
        self._began = loop.time()
        self._received = b""
        end.on_received = self.receive
        self._run()

    def receive(self, data: bytes) -> None:
        """Put bytes on the chip's line, at 115200 baud behind those that are on their way."""
        self._received += data

    def _run(self) -> None:
        received, self._received = self._received, b""
        self._end.send(
            self._chip.run_until(round((self._loop.time() - self._began) * 1000), received)
        )
        self._loop.call_later(0.001, self._run)

"""What surrounds the service: room on the disk, its memory, heat and supply of the Raspberry Pi.

Reading it may block, on a dead disk for ever: it is done in the disk's thread.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1_000_000
MILLI = 1000

UNDER_VOLTAGE = 1
THROTTLED = 1 << 2
"""Bits of the firmware's word: true at this moment."""

SUPPLY_SENSOR = "rpi_volt"


@dataclass(frozen=True, slots=True)
class SystemFiles:
    """Where the kernel tells them; on other computers than a Raspberry Pi some are not there."""

    temperature: Path = Path("/sys/class/thermal/thermal_zone0/temp")
    throttled: Path = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
    sensors: Path = Path("/sys/class/hwmon")
    memory: Path = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`free_mb` tells the room on the ledger's disk."""

    free_mb: Callable[[], float]
    files: SystemFiles = SystemFiles()

    @classmethod
    def of(cls, folder: Path) -> "Surroundings":
        """Those of a service whose ledger is in this folder, on this computer."""
        return cls(lambda: free_mb_of(folder))

    def read(self) -> Mapping[str, float]:
        """All there is, by the keys of docs/health.md; what is not known here is left out."""
        numbers: dict[str, float] = {}
        for key, read in (
            ("disk_free_mb", self.free_mb),
            ("memory_mb", self._read_memory_mb),
            ("temperature_c", self._read_temperature_c),
            ("under_voltage", self._read_under_voltage),
            ("throttled", self._read_throttled),
        ):
            with suppress(OSError, ValueError):  # not there, or not as expected: not known
                numbers[key] = read()
        return numbers

    def _read_memory_mb(self) -> float:
        resident = self.files.memory.read_text("ascii").split()[1:2]
        return float("".join(resident)) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE

    def _read_temperature_c(self) -> float:
        return int(self.files.temperature.read_text("ascii")) / MILLI

    def _read_under_voltage(self) -> float:
        alarm = self._find_alarm()
        if alarm is None:
            return float(bool(self._read_firmware_word() & UNDER_VOLTAGE))
        return float(int(alarm.read_text("ascii")) > 0)

    def _read_throttled(self) -> float:
        # Where the kernel has the sensor, it complains at length of who still reads this file.
        if self._find_alarm() is not None:
            raise FileNotFoundError(self.files.throttled)
        return float(bool(self._read_firmware_word() & THROTTLED))

    def _find_alarm(self) -> Path | None:
        for name in sorted(self.files.sensors.glob("hwmon*/name")):
            if name.read_text("ascii").strip() == SUPPLY_SENSOR:
                return name.with_name("in0_lcrit_alarm")
        return None

    def _read_firmware_word(self) -> int:
        return int(self.files.throttled.read_text("ascii"), base=16)


def free_mb_of(folder: Path) -> float:
    """The room for who is not root on the disk of a folder. Raises OSError."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize / MEGABYTE

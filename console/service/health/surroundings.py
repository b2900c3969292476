"""Figures of the computer: free disk space, memory, temperature and supply of the Raspberry Pi.

Reading them may block, on a dead disk for ever, so the disk thread does it.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

MEGABYTE = 1_000_000
MILLI = 1000

UNDER_VOLTAGE = 1
THROTTLED = 1 << 2
"""Bits of the firmware's status word: the condition at this moment."""

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd makes it when a time server has answered; with another client its unit does
(docs/how-to/machine.md). The unit's filter of system calls forbids to ask the kernel."""

SUPPLY_SENSOR = "rpi_volt"

NOT_KEPT = ("overlay", "tmpfs", "ramfs")
"""File systems that are in memory, as a read-only root's overlay is (docs/how-to/machine.md)."""


class SystemFiles(Struct, frozen=True):
    """The kernel's files with these figures; some exist only on a Raspberry Pi."""

    temperature: Path = Path("/sys/class/thermal/thermal_zone0/temp")
    throttled: Path = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
    sensors: Path = Path("/sys/class/hwmon")
    memory: Path = Path("/proc/self/statm")


class Surroundings(Struct, frozen=True):
    """Reads the figures."""

    free_mb: Callable[[], float]
    """The free space on the ledger's disk."""
    files: SystemFiles = SystemFiles()
    synchronized: Path | None = None
    """Is there once a time server has set the clock since the boot; None: not of concern."""

    @classmethod
    def of(cls, folder: Path) -> "Surroundings":
        """The figures of a real table's computer, with the ledger in this folder."""
        return cls(lambda: free_mb_of(folder), synchronized=SYNCHRONIZED)

    def read(self) -> Mapping[str, float]:
        """The figures by their keys in docs/reference/health.md; unknown ones are left out."""
        numbers: dict[str, float] = {}
        for key, read in (
            ("disk_free_mb", self.free_mb),
            ("memory_mb", self._read_memory_mb),
            ("temperature_c", self._read_temperature_c),
            ("under_voltage", self._read_under_voltage),
            ("throttled", self._read_throttled),
            ("clock_unsynced", self._read_clock_unsynced),
        ):
            with suppress(OSError, ValueError):  # no such file, or an unexpected content
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
        # A kernel that has the sensor logs a warning at each reading of this older file.
        if self._find_alarm() is not None:
            raise FileNotFoundError(self.files.throttled)
        return float(bool(self._read_firmware_word() & THROTTLED))

    def _read_clock_unsynced(self) -> float:
        if self.synchronized is None:
            raise FileNotFoundError("it is a simulation")
        return float(not self.synchronized.exists())

    def _find_alarm(self) -> Path | None:
        for name in sorted(self.files.sensors.glob("hwmon*/name")):
            if name.read_text("ascii").strip() == SUPPLY_SENSOR:
                return name.with_name("in0_lcrit_alarm")
        return None

    def _read_firmware_word(self) -> int:
        return int(self.files.throttled.read_text("ascii"), base=16)


def free_mb_of(folder: Path) -> float:
    """The disk space in MB that a service without root may use in this folder. Raises OSError."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize / MEGABYTE


def describe_lost_medium(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """That what is written in this folder is lost with the power; "" if its file system keeps it.

    `mounts`: the kernel's table (proc_pid_mountinfo(5)). Raises OSError.
    """
    lies = folder.resolve()
    kind, longest = "", -1
    for line in mounts.read_text("utf-8").splitlines():
        before, _, after = line.partition(" - ")
        point = Path(before.split()[4].replace("\\040", " "))
        depth = len(point.parts)
        if lies.is_relative_to(point) and depth >= longest:
            kind, longest = after.split()[0], depth
    if kind not in NOT_KEPT:
        return ""
    return (
        f"the ledger's folder {folder} is on {kind}, in memory: the next power cut takes the "
        "ledger. Mount a partition there (docs/how-to/machine.md)"
    )

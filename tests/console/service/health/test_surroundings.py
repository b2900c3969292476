"""Disk, memory, heat and supply, read from files as the kernel has them."""

import os
from pathlib import Path

import pytest

from console.rules.structs import replace
from console.service.health.surroundings import (
    Surroundings,
    SystemFiles,
    describe_lost_medium,
    free_mb_of,
)
from console.texts.catalogue.findings import find


@pytest.fixture
def files(tmp_path: Path) -> SystemFiles:
    """A Raspberry Pi that is in order: 47.7 degrees, its supply strong enough."""
    (tmp_path / "temp").write_text("47712\n")
    for number, name in enumerate(["cpu_thermal", "rpi_volt"]):
        sensor = tmp_path / "hwmon" / f"hwmon{number}"
        sensor.mkdir(parents=True)
        (sensor / "name").write_text(f"{name}\n")
        (sensor / "in0_lcrit_alarm").write_text("0\n")
    return SystemFiles(tmp_path / "temp", tmp_path / "get_throttled", tmp_path / "hwmon")


def read(files: SystemFiles) -> dict[str, float]:
    return dict(Surroundings(lambda: 812.0, files).read())


def test_a_raspberry_pi_tells_heat_and_supply(files: SystemFiles) -> None:
    numbers = read(files)
    assert numbers["temperature_c"] == pytest.approx(47.712)
    assert numbers["under_voltage"] == 0
    assert numbers["disk_free_mb"] == 812.0
    (files.sensors / "hwmon1/in0_lcrit_alarm").write_text("1\n")
    assert read(files)["under_voltage"] == 1


def test_the_alarm_of_another_sensor_is_none_of_the_supply(files: SystemFiles) -> None:
    (files.sensors / "hwmon0/in0_lcrit_alarm").write_text("1\n")
    assert read(files)["under_voltage"] == 0


@pytest.mark.parametrize(
    ("word", "under_voltage", "throttled"),
    [("0", 0, 0), ("50005", 1, 1), ("50000", 0, 0), ("1", 1, 0), ("4", 0, 1), ("0x50005", 1, 1)],
)
def test_an_older_kernel_tells_the_firmwares_word(
    files: SystemFiles, word: str, under_voltage: float, throttled: float
) -> None:
    """Bits 0 and 2 are of this moment; 16 and 18 say that it was so once."""
    (files.sensors / "hwmon1/name").write_text("fan\n")
    files.throttled.write_text(f"{word}\n")
    numbers = read(files)
    assert (numbers["under_voltage"], numbers["throttled"]) == (under_voltage, throttled)


def test_where_the_sensor_is_the_old_file_is_left_alone(files: SystemFiles) -> None:
    """The kernel writes a warning with a trace when it is read."""
    files.throttled.write_text("5\n")
    assert read(files)["under_voltage"] == 0
    assert "throttled" not in read(files)


def test_on_another_computer_they_are_left_out(tmp_path: Path) -> None:
    none = tmp_path / "none"
    assert set(read(SystemFiles(none, none, none))) == {"disk_free_mb", "memory_mb"}


def test_a_clock_that_no_server_has_set_is_noticed(files: SystemFiles, tmp_path: Path) -> None:
    """At a real table; a simulation's clock is its machine's."""
    answered = tmp_path / "synchronized"
    table = Surroundings(lambda: 812.0, files, answered)
    assert table.read()["clock_unsynced"] == 1
    (found,) = find((), (), {}, table.read())
    assert (found.code, found.where) == ("CLOCK_UNSYNCED", "clock")
    answered.touch()
    assert table.read()["clock_unsynced"] == 0
    assert find((), (), {}, table.read()) == ()
    assert "clock_unsynced" not in read(files)
    assert Surroundings.of(tmp_path).synchronized is not None


@pytest.mark.parametrize("spoilt", ["", "hot\n", "\xff"])
def test_what_is_not_understood_is_left_out(files: SystemFiles, spoilt: str) -> None:
    files.temperature.write_text(spoilt)
    assert "temperature_c" not in read(files)


def test_a_disk_that_is_gone_is_left_out(tmp_path: Path) -> None:
    numbers = Surroundings.of(tmp_path / "gone").read()
    assert "disk_free_mb" not in numbers
    assert "memory_mb" in numbers


def test_the_room_is_what_statvfs_says(tmp_path: Path) -> None:
    disk = os.statvfs(tmp_path)
    assert free_mb_of(tmp_path) == pytest.approx(disk.f_bavail * disk.f_frsize / 1e6, rel=0.05)


def test_the_memory_is_this_process_own(files: SystemFiles, tmp_path: Path) -> None:
    assert 10 < read(files)["memory_mb"] < 2000
    (tmp_path / "statm").write_text("9000 2500 700 1 0 900 0\n")
    small = replace(files, memory=tmp_path / "statm")
    assert read(small)["memory_mb"] == pytest.approx(2500 * os.sysconf("SC_PAGE_SIZE") / 1e6)


OVERLAYROOT = """\
22 1 0:21 / / rw,relatime shared:1 - overlay overlayroot rw,lowerdir=/media/root-ro
23 22 179:2 / /media/root-ro ro,relatime shared:2 - ext4 /dev/mmcblk0p2 ro
24 22 8:1 / /var/lib/banco rw,noatime shared:3 - ext4 /dev/sda1 rw
25 22 8:2 / /var/lib/a\\040b rw,noatime shared:4 - ext4 /dev/sda2 rw
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/var/lib/banco", ""),
        ("/var/lib/banco/inner", ""),
        ("/var/lib/a b", ""),
        ("/var/lib/banco.old", "overlay"),
        ("/var/lib", "overlay"),
    ],
)
def test_a_ledger_in_memory_is_told(folder: str, kind: str, tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(OVERLAYROOT)
    text = describe_lost_medium(Path(folder), mounts)
    assert f" is on {kind}, in memory" in text if kind else text == ""


def test_what_is_mounted_later_at_the_same_place_counts(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    lines = OVERLAYROOT + "26 24 0:40 / /var/lib/banco rw - tmpfs tmpfs rw\n"
    mounts.write_text(lines)
    assert "is on tmpfs" in describe_lost_medium(Path("/var/lib/banco"), mounts)


def test_this_machine_s_own_memory_is_told() -> None:
    assert "is on tmpfs" in describe_lost_medium(Path("/dev/shm"))

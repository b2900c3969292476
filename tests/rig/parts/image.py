"""The machine's image: named by a stick, changed by a byte, updated, cut, and back by itself.

And a second cabinet that a stick makes a table.
"""

import asyncio
import mmap
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from tests.rig.image.banco import HOUSE_FILES
from tests.rig.image.golden import BROKEN, GOLDEN, UPDATE
from tests.rig.layout import ROOT, STICKS, TABLES
from tests.rig.machine.guest import GuestFailed
from tests.rig.machine.table import Status, Table
from tests.rig.parts.round import award, play_round

FOREIGN_S = 100.0
"""For what the machine does by itself: an emulated processor hashes 400 MB in a minute."""

SECOND_TABLE_S = 300.0
"""Power on to READY, by the clock of this machine and of the guest."""

PLAYED_AT_MB = 5
"""So much of another image, which has 544, is written when people begin to play."""

WRONG_STICKS = {
    "wrong": "/etc/banco/table.new: money.token",
    "nobody": "it has no file people.toml",
}
"""And what the console says of them."""

PRIZES = ROOT / "jackpot/prizes/caribbean_stud.toml"
OTHER_ROOT, SECTOR = "vda4", 512
"""The partition that the first update fills."""

KERNELS = r"find /boot /efi -path '*/EFI/Linux/*' -printf '%f\n' 2>/dev/null | sort -u"


async def live_with_image(table: Table, random: Random) -> None:
    """From the first power-on of a cabinet that has no name to its third image."""
    took = await table.guest.boot()
    table.report.note("power on to the rig's hand, s", took)
    await hold_root(table)
    await hold_kernels(table, f"banco_{GOLDEN}")
    await name_table(table)
    await table.wait_for_strangers()
    await table.enrol_boards()
    await table.hold_proofs()
    await play_round(table, random)
    played = await table.status()
    await keep_name(table)
    for stick in ("forged", "foreign", "altered"):
        await refuse_update(table, stick)
    await cut_update(table, random)
    await hold_same(table, "cut in the update", GOLDEN, played)
    played = await take_update(table, "update", GOLDEN, award, random)
    await start_again(table)
    await hold_same(table, "updated", UPDATE, played)
    await hold_check(table)
    await hold_kernels(table, f"banco_{GOLDEN}", f"banco_{UPDATE}")
    played = await take_update(table, "broken", UPDATE, play_round, random)
    is_said = hear_console(table, "the new image cannot run this table")
    await start_again(table)
    await table.guest.wait_for_hand()
    table.report.hold("the console says why it goes back", await is_said())
    await hold_same(table, "gone back by itself", UPDATE, played)
    await hold_kernels(table, f"banco_{UPDATE}", f"banco_{BROKEN}+0")
    await change_a_byte(table)


async def hold_root(table: Table) -> None:
    """The root is read-only, behind dm-verity; ledger and copy are media of their own."""
    show = "findmnt -n -o SOURCE,FSTYPE,OPTIONS"
    root = await table.guest.sh(f"{show} /")
    fine = root.startswith("/dev/mapper/root") and " ro" in root
    table.report.hold("the root is dm-verity's, read-only", fine, root)
    for folder in ("/var/lib/banco", "/media/copy"):
        text = await table.guest.sh(f"findmnt -n -o SOURCE,FSTYPE {folder}")
        table.report.hold(f"{folder} is a medium of its own", "ext4" in text, text)
    status, text = await table.guest.run("touch /usr/added")
    table.report.hold("nothing is written to the root", status != 0, text)
    active = await table.is_active()
    table.report.hold("without a name no table runs", not active)


async def name_table(table: Table) -> None:
    """Sticks whose table is wrong, then the right one; nobody types anything."""
    for stick, why in WRONG_STICKS.items():
        await plug_until(table, stick, f"this stick names no table: {why}")
        status, text = await table.guest.run("ls /etc/banco/table.toml")
        table.report.hold(f"stick {stick}: no table is installed", status != 0, text)
        await table.guest.pull_stick()
    begun = time.monotonic()
    await plug(table, "name")
    await table.wait_for_service()
    table.report.note("stick to READY, s", time.monotonic() - begun)
    await table.hold_first_start()
    await table.guest.pull_stick()
    files = set((await table.guest.sh("ls /etc/banco")).split())
    table.report.hold("nothing of another stick is there", files == set(HOUSE_FILES), files)


async def plug(table: Table, stick: str) -> None:
    """Put in the stick of this name."""
    await table.guest.plug_stick(STICKS.index(stick))


def hear_console(table: Table, words: str) -> Callable[[], Awaitable[bool]]:
    """Whether the machine says this on its console, after what it said so far."""
    console = table.guest.folder / "console.log"
    before = console.read_text("utf-8", "replace").count(words)

    async def is_said() -> bool:
        return console.read_text("utf-8", "replace").count(words) > before

    return is_said


async def plug_until(table: Table, stick: str, words: str) -> None:
    """Put in a stick, until the machine says this on its console."""
    is_said = hear_console(table, words)
    await plug(table, stick)
    await table.wait(f"stick {stick}: {words}", is_said, FOREIGN_S)


async def keep_name(table: Table) -> None:
    """A machine that is a table takes no other name."""
    show = "sha256sum /etc/banco/*"
    named = await table.guest.sh(show)
    await plug(table, "second")

    async def is_refused() -> bool:
        return await table.read_unit("ConditionResult", "banco-name") == "no"

    await table.wait("another table's stick is not read", is_refused, FOREIGN_S)
    table.report.hold("the table keeps its files", await table.guest.sh(show) == named)
    await table.guest.pull_stick()


async def change_a_byte(table: Table) -> None:
    """One byte of a prize, on the medium: the table does not play with it."""
    (root,) = (table.guest.layout.golden / "build/image").glob(f"banco_{UPDATE}.root.*.raw")
    start = await table.guest.sh(f"cat /sys/class/block/{OTHER_ROOT}/start")
    place = int(start) * SECTOR + find_content(root, PRIZES.read_bytes())
    await table.guest.sh("sync")
    await table.guest.cut_power()
    await write_byte(table, place, PRIZES.read_bytes()[0] ^ 1)
    await table.guest.boot()

    async def is_refused() -> bool:
        return "is corrupted" in await table.guest.sh("dmesg | grep verity || true")

    await table.wait("dm-verity refuses the block with the changed byte", is_refused, FOREIGN_S)
    table.report.hold("no table runs", not await table.is_active())


def find_content(image: Path, content: bytes) -> int:
    """Where this stands in an image. Raises ValueError if it does not."""
    with image.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        place = data.find(content)
    if place < 0:
        raise ValueError(f"{image} does not hold the file")
    return place


async def write_byte(table: Table, place: int, value: int) -> None:
    """Write to the disk of a machine without power."""
    command = ("qemu-io", "-f", "qcow2", "-c", f"write -P {value} {place} 1")
    disk = table.guest.folder / f"banco_{GOLDEN}.qcow2"
    written = await asyncio.create_subprocess_exec(
        *command, str(disk), stdout=asyncio.subprocess.DEVNULL
    )
    if await written.wait() != 0:
        raise GuestFailed(f"qemu-io wrote nothing to {disk}")


async def hold_version(table: Table, version: str) -> None:
    """The machine runs this image."""
    text = await table.guest.sh(". /etc/os-release; echo $IMAGE_VERSION")
    table.report.hold(f"image {version} runs", text == version, text)


async def hold_same(table: Table, step: str, version: str, played: Status) -> None:
    """The table goes on with its round, in this image."""
    await table.wait_for_service()
    status = await table.wait_for_devices()
    await hold_version(table, version)
    same = all(status[name] == played[name] for name in ("phase", "round", "accounts"))
    table.report.hold(f"{step}: the round is the same", same, status["phase"])


async def hold_check(table: Table) -> None:
    """The image on trial was checked before the table took anybody."""
    check = "banco-image-check"
    status = await table.read_unit("ExecMainStatus", check)
    ended = int(await table.read_unit("ActiveEnterTimestampMonotonic", check))
    begun = int(await table.read_unit("ExecMainStartTimestampMonotonic"))
    fine = status == "0" and 0 < ended <= begun
    took = f"{(begun - ended) / 1e6:.1f} s before"
    table.report.hold("the image was checked before the table began", fine, took)


async def hold_kernels(table: Table, *names: str) -> None:
    """These kernels are on the medium, marked so: blessed, or without a try."""

    async def are_marked() -> bool:
        found = (await table.guest.sh(KERNELS)).split()
        return tuple(re.sub(r"(-\d+)?\.efi$", "", kernel) for kernel in found) == names

    await table.wait(f"on the medium: {' '.join(names)}", are_marked, FOREIGN_S)


async def refuse_update(table: Table, stick: str) -> None:
    """An update whose list has another list's signature, or a stranger's, or names another file."""
    before = await table.guest.sh(KERNELS)
    await plug_until(table, stick, "nothing was taken from the stick")
    await table.guest.pull_stick()
    after = await table.guest.sh(KERNELS)
    table.report.hold(f"stick {stick}: no kernel has come", after == before, after)


async def cut_update(table: Table, random: Random) -> None:
    """The power goes while the other image is written."""
    await plug_until_written(table, "update", random.randrange(20, 200))
    await table.guest.cut_power()
    await table.guest.boot()


async def plug_until_written(table: Table, stick: str, megabytes: int) -> None:
    """Put in a stick, until so much of its image is written."""
    before = await read_written(table)
    await plug(table, stick)

    async def is_writing() -> bool:
        return await read_written(table) > before + megabytes

    await table.wait(f"stick {stick}: the other image is being written", is_writing, FOREIGN_S)


async def read_written(table: Table) -> float:
    """The MB that were written to the system's disk since the start."""
    sectors = await table.guest.sh("awk '{ print $7 }' /sys/block/vda/stat")
    return int(sectors) / 2048


async def take_update(
    table: Table,
    stick: str,
    version: str,
    play: Callable[[Table, Random], Awaitable[None]],
    random: Random,
) -> Status:
    """Another image comes while people play, and the table goes on in this one; its state then."""
    start = await read_start(table)
    begun, is_said = time.monotonic(), hear_console(table, "the stick can be pulled")
    await plug_until_written(table, stick, PLAYED_AT_MB)
    await play(table, random)
    table.report.hold(f"stick {stick}: played while it was written", not await is_said())
    await table.wait(f"stick {stick}: it can be pulled", is_said, 4 * FOREIGN_S)
    table.report.note(f"stick {stick} to its end, s", time.monotonic() - begun)
    await table.guest.pull_stick()
    now = await read_start(table)
    table.report.hold("neither machine nor service has started again", now == start, now)
    await hold_version(table, version)
    return await table.status()


async def read_start(table: Table) -> str:
    """Which start of the machine, and of the service, this is."""
    boot = await table.guest.sh("cat /proc/sys/kernel/random/boot_id")
    return f"{boot} {await table.read_unit('MainPID')}"


async def start_again(table: Table) -> None:
    """Somebody switches the machine off and on."""
    await table.guest.sh("sync")
    await table.guest.cut_power()
    await table.guest.boot()
    table.guest.expect_boot()


async def provision_second(table: Table, _: Random) -> None:
    """A second cabinet: its media, power, its stick. Nobody types anything before it is READY."""
    begun = time.monotonic()
    await table.guest.power_on()
    await plug(table, "second")
    await table.guest.wait_for_hand()
    await table.wait_for_service()
    took = time.monotonic() - begun
    ready = int(await table.read_unit("ActiveEnterTimestampMonotonic")) / 1e6
    figures = f"{took:.0f} s; by the guest's clock {ready:.0f} s"
    fine = max(took, ready) < SECOND_TABLE_S
    table.report.hold("power on to READY in under five minutes", fine, figures)
    text = await table.guest.sh("grep '^table' /etc/banco/table.toml")
    table.report.hold("it is the stick's table", TABLES["second"] in text, text)
    await table.hold_first_start()
    await table.guest.pull_stick()
    await table.wait_for_strangers()
    await table.enrol_boards()
    await table.hold_proofs()
    enrolled = time.monotonic() - begun
    table.report.note("power on to enrolled boards, s", enrolled)

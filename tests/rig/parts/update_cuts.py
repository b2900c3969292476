"""The power is cut at each step of an upgrade; the one command ends what was not finished."""

import time
from pathlib import Path
from random import Random
from shlex import quote

from msgspec import Struct

from tests.rig.image.banco import NEXT_VERSION, VERSION
from tests.rig.machine.table import Table
from tests.rig.parts.stick import FOLDER, hold_version, put_in

MOUNTED = "/media/house"
STOPS = "/run/rig-stops"
REACHED = f"{STOPS}/reached"
PROGRAM, CURRENT, UNFINISHED = (
    f"/usr/lib/banco/{name}" for name in ("program", "current", "unfinished")
)
INSTALL_S = 900.0

LEAVE_ONE = f"""for folder in {Path(CURRENT).parent}/versions/*; do
    [ "$folder" = "$(readlink -e {CURRENT})" ] || rm -rf "$folder"
done
"""
"""`postinst` makes a version's folder only if none is as installed: a new version has none."""

STOP = f"""#!/bin/sh
# A program that apt finds before the real one: at the time asked for, the machine loses its power.
name=${{0##*/}}
real=$(PATH=/usr/sbin:/usr/bin command -v "$name")
echo >> {STOPS}/$name.calls
[ "$(wc -l < {STOPS}/$name.calls)" = "$NUMBER" ] || exec "$real" "$@"
[ "$WHEN" != after ] || "$real" "$@"
[ "$WHEN" != within ] || "$real" "$@" | head -c 20M
touch {REACHED}
exec sleep infinity
"""


class CutPoint(Struct, frozen=True):
    """Where the power goes: at a call of a program that dpkg or `postinst` starts."""

    name: str
    program: str = ""
    """"" for the instant at which dpkg puts its first new file in place."""

    when: str = "before"
    number: int = 1
    is_switched: bool | None = False
    """Whether the new version is in force; `None`: the rename may not be on the disk yet."""

    is_begun: bool = True
    """Whether dpkg has begun to unpack."""


POINTS = (
    CutPoint("before the unpacking", "dpkg-deb", number=1, is_begun=False),
    CutPoint("in the unpacking, after 20 MB", "dpkg-deb", when="within", number=2),
    CutPoint("where dpkg puts the first new file in place"),
    CutPoint("unpacked, before postinst makes the version's folder", "cp"),
    CutPoint("in postinst, where that folder gets its name", "mv"),
    CutPoint("in postinst, before the new program checks the table", "runuser"),
    CutPoint("in postinst, before the switch", "mv", number=2),
    CutPoint("in postinst, after the switch", "mv", when="after", number=2, is_switched=None),
    CutPoint("in postinst, where it makes folders", "systemd-tmpfiles", is_switched=True),
)


async def cut_updates(table: Table, _: Random) -> None:
    """Each cut is on the way to the other version, which the one command then ends."""
    await put_in(table, MOUNTED)
    await table.guest.sh(
        f"mkdir -p {FOLDER} && cp $(find {MOUNTED} -name 'banco_*.deb') {FOLDER} && sync && "
        f"umount {MOUNTED}",
        120,
    )
    await table.guest.pull_stick()
    versions = (VERSION, NEXT_VERSION)
    for number, point in enumerate(POINTS):
        old, new = versions[number % 2], versions[1 - number % 2]
        await cut_update(table, point, old, new)


async def cut_update(table: Table, point: CutPoint, old: str, new: str) -> None:
    """One cut on the way to another version: the table plays, and says what to do."""
    package = table.guest.layout.package(new).name
    await table.guest.sh(LEAVE_ONE)
    before = await table.status()
    await start_until(table, point, package)
    await table.guest.cut_power()
    begun = time.monotonic()
    await table.guest.boot()
    await table.wait_for_service()
    after = await table.wait_for_devices()
    table.report.note(f"cut {point.name}, power on to all devices, s", time.monotonic() - begun)
    same = all(after[name] == before[name] for name in ("phase", "round", "accounts"))
    table.report.hold(f"cut {point.name}: the table plays on", same, after["phase"])
    is_switched = point.is_switched
    if is_switched is None:
        is_switched = new in await table.guest.sh(f"readlink {CURRENT}")
    await hold_one_version(table, new if is_switched else old)
    if point.is_begun:
        await hold_command(table, package)
    status, text = await table.guest.run(f"cd {FOLDER} && {mend_line(package)}", INSTALL_S)
    table.report.hold(f"`{mend_line(package)}`", status == 0, text[-300:])
    await hold_version(table, new)
    await table.guest.sh("systemctl restart banco", INSTALL_S)
    await table.wait_for_devices()
    await hold_one_version(table, new)
    _, left = await table.guest.run(f"dpkg --audit; ls {UNFINISHED} 2>/dev/null")
    table.report.hold("nothing is left to be done", left == "", left)


def mend_line(package: str) -> str:
    """The one command. apt would ask for another one first, which by itself mends nothing."""
    return f"dpkg --install ./{package}"


async def start_until(table: Table, point: CutPoint, package: str) -> None:
    """Begin the installation, and return when it has come to the point. Raises NotSeen."""
    way = f"{STOPS}:/usr/sbin:/usr/bin:/sbin:/bin"
    lines = [f"rm -rf {STOPS}", f"mkdir {STOPS}"]
    if point.program:
        stop = STOP.replace("$NUMBER", str(point.number)).replace("$WHEN", point.when)
        lines.append(f"printf %s {quote(stop)} > {STOPS}/{point.program}")
        lines.append(f"chmod 755 {STOPS}/{point.program}")
    else:
        lines.append(
            f"(old=$(stat -c %i {PROGRAM}/console/run.py); "
            f"while [ $(stat -c %i {PROGRAM}/console/run.py) = $old ]; do :; done; "
            f"touch {REACHED}) >/dev/null 2>&1 &"
        )
    words = f"-oDPkg::Path={way} -y --allow-downgrades"
    install = f"cd {FOLDER} && apt-get install {words} ./{quote(package)}"
    lines.append(f"({install}) > {STOPS}/output 2>&1 < /dev/null &")
    await table.guest.sh("\n".join(lines))

    async def is_reached() -> bool:
        status, _ = await table.guest.run(f"test -e {REACHED}")
        return status == 0

    await table.wait(f"the installation comes {point.name}", is_reached, 120)


async def hold_one_version(table: Table, version: str) -> None:
    """The service runs this version, and its unit and the command are of the same."""
    pid = await table.read_unit("MainPID")
    words = await table.guest.sh(f"tr '\\0' '\\n' < /proc/{pid}/environ | grep ^PYTHONPATH=")
    runs = Path(words.partition("=")[2]).name
    description = await table.read_unit("Description")
    command = await table.guest.sh("readlink -e /usr/bin/banco")
    is_next = version == NEXT_VERSION
    fine = runs.startswith(f"{version}+") and f"/{runs}/" in command
    fine = fine and description.endswith(f", version {NEXT_VERSION}") == is_next
    table.report.hold(
        f"program, unit and command are of {version}", fine, f"{runs}; {description}; {command}"
    )


async def hold_command(table: Table, package: str) -> None:
    """The service has said at this boot's start which command ends the installation."""
    text = await table.guest.sh(
        "journalctl -b -u banco -o cat --no-pager | grep 'not finished' || true"
    )
    table.report.hold("the journal names the one command", mend_line(package) in text, text)

"""A USB stick: a second copy of the ledger on it, and a newer version of the program."""

import time
from random import Random

from tests.rig.image.banco import NEXT_VERSION, VERSION
from tests.rig.machine.table import Status, Table
from tests.rig.parts.service import read_pid

MOUNTED = "/media/second"
COPY = f"{MOUNTED}/banco"
INSTALL_S = 900.0
"""The package compiles its Python modules on the machine: minutes, on an emulated processor."""


def findings_of(status: Status) -> list[str]:
    """The codes of what the service has noticed."""
    return [finding["code"] for finding in status["findings"]]


async def put_in(table: Table, folder: str) -> None:
    """Put the stick in, and mount it."""
    await table.guest.plug_stick()

    async def is_there() -> bool:
        status, _ = await table.guest.run("test -b /dev/disk/by-label/stick")
        return status == 0

    await table.wait("the stick is there", is_there, 30)
    await table.guest.sh(f"mkdir -p {folder} && mount /dev/disk/by-label/stick {folder}")


async def second_copy(table: Table, _: Random) -> None:
    """The copy's stick comes after the start, is pulled in play, and comes again."""
    await table.guest.sh(
        f"sed -i 's#^folder = .*#&\\nmirror = \"{COPY}\"#' /etc/banco/table.toml && "
        f"mkdir -p {MOUNTED} && printf '[Service]\\nReadWritePaths=-/media\\n' "
        "> /etc/systemd/system/banco.service.d/copy.conf && systemctl daemon-reload && "
        "systemctl restart banco",
        120,
    )
    await table.wait_for_links()
    await table.wait_until(
        "without the stick: COPY_LOST", lambda status: "COPY_LOST" in findings_of(status), 40
    )
    await put_in(table, MOUNTED)
    await table.guest.sh(f"install -d -o banco -g banco {COPY}")
    begun = time.monotonic()
    await table.wait_until(
        "the stick is mounted: the copy is made",
        lambda status: "COPY_LOST" not in findings_of(status),
        90,
    )
    table.witness.note("stick mounted to copy, s", time.monotonic() - begun)

    async def is_lost() -> bool:
        await table.press_for_record()
        return "COPY_LOST" in findings_of(await table.status())

    async def pull() -> None:
        await table.guest.pull_stick()
        await table.wait("the stick is pulled in play: COPY_LOST", is_lost, 60)
        status, text = await table.guest.run(f"umount {MOUNTED}")
        table.witness.hold("the service has let the stick go: umount", status == 0, text)

    await pull()
    table.witness.hold("the table goes on", await table.is_active())
    await put_in(table, MOUNTED)
    await table.wait_until(
        "put in again: the copy goes on",
        lambda status: "COPY_LOST" not in findings_of(status),
        90,
    )
    text = await table.guest.sh(f"runuser -u banco -- banco ledger verify {COPY}", 120)
    table.witness.hold("banco ledger verify of the copy", "in order" in text, text)
    await pull()


async def update(table: Table, _: Random) -> None:
    """A newer package while a round is played, and the old one again."""
    mounted = "/media/update"
    await put_in(table, mounted)
    pid = await read_pid(table)
    text = await install(table, mounted, NEXT_VERSION)
    table.witness.hold("the newer version is installed", version_in(text) == NEXT_VERSION, text)
    status = await table.wait_until("the table goes on", lambda status: "phase" in status)
    same = await read_pid(table) == pid
    table.witness.hold("nothing was restarted", same, status["phase"])
    for version in (NEXT_VERSION, VERSION):
        if version == VERSION:
            text = await install(table, mounted, VERSION)
            table.witness.hold("the old version is back", version_in(text) == VERSION, text)
        begun = time.monotonic()
        await table.guest.sh("systemctl restart banco", 120)
        after = await table.wait_for_links()
        table.witness.note(f"restart with {version} to all links, s", time.monotonic() - begun)
        same = all(after[name] == status[name] for name in ("phase", "round", "accounts"))
        table.witness.hold(f"restarted with {version}: the round is the same", same, after["phase"])
    await table.guest.sh(f"umount {mounted}")
    await table.guest.pull_stick()


async def install(table: Table, folder: str, version: str) -> str:
    """dpkg's words, and the version that is then installed, on the last line."""
    return await table.guest.sh(
        f"dpkg -i {folder}/banco_{version}+*.deb 2>&1; dpkg-query -W -f '${{Version}}' banco",
        INSTALL_S,
    )


def version_in(text: str) -> str:
    """The version on the last line, without Debian's part."""
    return text.splitlines()[-1].split("+")[0]

"""A USB stick: a second copy of the ledger on it, and a signed source with a newer version."""

import base64
import time
from random import Random
from shlex import quote

from systemd.debian.apt_source import PUBLIC_KEY
from tests.rig.image.banco import NEXT_VERSION, STICK_LABEL, VERSION
from tests.rig.install_page import read_blocks
from tests.rig.layout import ROOT, Layout
from tests.rig.machine.table import Status, Table
from tests.rig.parts.service import read_pid

MOUNTED = "/media/second"
COPY = f"{MOUNTED}/copy"
FOLDER = "/srv/house"
STICK = f"/dev/disk/by-label/{STICK_LABEL}"
FROM_A_STICK = "From a stick"
"""The section of docs/how-to/install.md."""

GO_BACK = "sudo apt-get install --allow-downgrades banco=VERSION"
WITH_GPG = "gpg --show-keys"
"""A person compares the key's fingerprint; this Debian has no gpg, and apt needs none."""

INSTALL_S = 1800.0
"""The package compiles its Python modules on the machine: minutes, on an emulated processor."""


def findings_of(status: Status) -> list[str]:
    """The codes of what the service has noticed."""
    return [finding["code"] for finding in status["findings"]]


async def put_in(table: Table, folder: str = "") -> None:
    """Put the stick in, and mount it, if a folder is given."""
    await table.guest.plug_stick()

    async def is_there() -> bool:
        status, _ = await table.guest.run(f"test -b {STICK}")
        return status == 0

    await table.wait("the stick is there", is_there, 60)
    if folder:
        await table.guest.sh(f"mkdir -p {folder} && mount {STICK} {folder}")


async def second_copy(table: Table, _: Random) -> None:
    """The copy's stick comes after the start, is pulled in play, and comes again."""
    await table.guest.sh(
        f"sed -i 's#^folder = .*#&\\nmirror = \"{COPY}\"#' /etc/banco/table.toml && "
        f"mkdir -p {MOUNTED} && printf '[Service]\\nReadWritePaths=-/media\\n' "
        "> /etc/systemd/system/banco.service.d/copy.conf && systemctl daemon-reload && "
        "systemctl restart banco",
        120,
    )
    await table.wait_for_devices()
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
    table.report.note("stick mounted to copy, s", time.monotonic() - begun)

    async def is_lost() -> bool:
        await table.press_for_record()
        return "COPY_LOST" in findings_of(await table.status())

    async def pull() -> None:
        await table.guest.pull_stick()
        await table.wait("the stick is pulled in play: COPY_LOST", is_lost, 60)
        status, text = await table.guest.run(f"umount {MOUNTED}")
        table.report.hold("the service has let the stick go: umount", status == 0, text)

    await pull()
    table.report.hold("the table goes on", await table.is_active())
    await put_in(table, MOUNTED)
    await table.wait_until(
        "put in again: the copy goes on",
        lambda status: "COPY_LOST" not in findings_of(status),
        90,
    )
    text = await table.guest.sh(f"runuser -u banco -- banco ledger verify {COPY}", 120)
    table.report.hold("banco ledger verify of the copy", "in order" in text, text)
    await pull()


async def update(table: Table, _: Random) -> None:
    """A newer version from the signed source while a round is played, and the old one again."""
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    trusting, taking = read_blocks(page, FROM_A_STICK, "stick")
    await write_source(table, page)
    await type_lines(table, trusting.splitlines())
    await put_in(table)
    pid = await read_pid(table)
    *taken, let_go = taking.splitlines()
    await type_lines(table, taken)
    await hold_version(table, NEXT_VERSION)
    status = await table.wait_until("the table goes on", lambda status: "phase" in status)
    same = await read_pid(table) == pid
    table.report.hold("nothing was restarted", same, status["phase"])
    await hold_round_after_restart(table, NEXT_VERSION, status)
    await type_lines(table, [go_back_line(page, table.guest.layout)])
    await hold_version(table, VERSION)
    await hold_round_after_restart(table, VERSION, status)
    await type_lines(table, [let_go])
    await table.guest.pull_stick()


async def write_source(table: Table, page: str) -> None:
    """The house's public key, which comes by another way than the stick, and the source's file."""
    layout = table.guest.layout
    key = base64.b64encode((layout.source / PUBLIC_KEY).read_bytes()).decode("ascii")
    (source,) = read_blocks(page, FROM_A_STICK, "ini")
    text = source.replace("Suites: bookworm", f"Suites: {layout.suite}")
    await table.guest.sh(
        f"mkdir -p {FOLDER} && echo {key} | base64 -d > {FOLDER}/{PUBLIC_KEY} && "
        f"printf %s {quote(text)} > /etc/apt/sources.list.d/banco.sources"
    )


def go_back_line(page: str, layout: Layout) -> str:
    """The page's line for the way back. Raises ValueError if the page has another."""
    if GO_BACK not in " ".join(page.split()):
        raise ValueError(f"docs/how-to/install.md does not say {GO_BACK!r}")
    return GO_BACK.replace("VERSION", layout.package(VERSION).name.split("_")[1])


async def type_lines(table: Table, lines: list[str]) -> None:
    """Type lines of the page, and answer yes where apt asks; each must succeed."""
    for line in lines:
        if not line.startswith(WITH_GPG):
            status, text = await table.guest.run(f"cd {FOLDER}; echo y | {line}", INSTALL_S)
            table.report.hold(f"`{line}`", status == 0, text[-300:])


async def hold_version(table: Table, version: str) -> None:
    """This version is installed."""
    text = await table.guest.sh("dpkg-query -W -f '${Version}' banco")
    table.report.hold(f"{version} is installed", text.split("+")[0] == version, text)


async def hold_round_after_restart(table: Table, version: str, status: Status) -> None:
    """Restarted by a person, the table goes on with the round."""
    begun = time.monotonic()
    await table.guest.sh("systemctl restart banco", 120)
    after = await table.wait_for_devices()
    table.report.note(f"restart with {version} to all devices, s", time.monotonic() - begun)
    same = all(after[name] == status[name] for name in ("phase", "round", "accounts"))
    table.report.hold(f"restarted with {version}: the round is the same", same, after["phase"])

"""Devices that are pulled, that reboot, and a line that somebody else has."""

import asyncio
import time
from functools import partial
from random import Random

from devices.roles import KeyPosition, Lamp
from tests.rig.machine.boards import DEVICES, OWN_KEY, STRANGERS_KEY
from tests.rig.machine.laptop import plug_laptop
from tests.rig.machine.table import CLOSED, OPEN, WIRING, Status, Table, faults_of

BUSY_LINE = 7
"""GPIO 7 is also CE1 of SPI, which a forgotten dtparam takes."""

REPEATED_S = 0.1
CHANGED = "BOARD_CHANGED"

SILENT = "non risponde"
"""What the line says of a service that is not running, in Italian."""


async def plug(table: Table, _: Random) -> None:
    """Each USB adapter is pulled and put in again; then the panel's own plug."""
    for name in DEVICES:
        begun = time.monotonic()
        table.boards.pull(name)
        await table.wait_until(f"{name} pulled: noticed", partial(is_lost, name))
        gone = time.monotonic()
        table.boards.plug(name)
        await table.wait_for_devices(30)
        table.report.note(f"{name} pulled, noticed after, s", gone - begun)
        table.report.note(f"{name} put in, connected after, s", time.monotonic() - gone)
    await table.set_contacts({WIRING.presence: OPEN})
    await table.wait_until("panel's plug pulled: noticed", partial(is_lost, "panel"))
    await table.set_contacts({WIRING.presence: CLOSED})
    await table.wait_for_devices()


def is_lost(device: str, status: Status) -> bool:
    """Whether the device is not connected."""
    return not status["devices_up"][device]


async def reboot_board(table: Table, _: Random) -> None:
    """The rail's supply fails for an instant in the middle of a round."""
    before = await table.status()
    table.boards.reboot_rail()
    await asyncio.sleep(1.0)
    after = await table.wait_for_devices()
    same = all(after[name] == before[name] for name in ("phase", "round", "accounts", "seats"))
    table.report.hold("the rail's board rebooted: the round goes on", same, after["phase"])


async def refuse_strangers(table: Table, _: Random) -> None:
    """Proofs that are repeated keep no session; a board of the same name is not believed."""
    before = await table.status()
    table.boards.rail.power(False)
    repeating = asyncio.create_task(repeat(table))
    try:
        await table.wait_until(
            "the rail is silent, its last frames are repeated: noticed", partial(is_lost, "rail")
        )
    finally:
        repeating.cancel()
    table.boards.exchange_rail(STRANGERS_KEY)
    await table.wait_until("a board of the same name without its key: BOARD_CHANGED", is_strange)
    lamps = {lamp.value for lamp in table.boards.rail.lamps().values()}
    table.report.hold("its lamps stay dark", lamps == {Lamp.DARK.value}, sorted(lamps))
    await table.turn_key(KeyPosition.S)
    await table.wait_for_phase("SERVICE")
    table.boards.exchange_rail(OWN_KEY)
    await table.wait_for_devices()
    await table.do_as_technician({"ask": "clear", "fault": CHANGED})
    await table.turn_key(KeyPosition.R)
    after = await table.wait_for_phase(before["phase"])
    same = all(after[name] == before[name] for name in ("round", "accounts", "seats"))
    table.report.hold(
        "the enrolled board is back: the round goes on", same and not is_strange(after)
    )


async def repeat(table: Table) -> None:
    """Repeat what the rail has sent last, as often as it sends."""
    while True:
        table.boards.repeat_rail()
        await asyncio.sleep(REPEATED_S)


def is_strange(status: Status) -> bool:
    """Whether a board answers that is not believed."""
    return CHANGED in faults_of(status)


async def technicians_line(table: Table, _: Random) -> None:
    """A laptop at the diagnostics port, while the service runs and while it does not."""
    await table.guest.sh("systemctl enable --now banco-line", 60)
    for step in ("status on the line names the table", "its port came again: the line is there"):
        laptop = await plug_laptop(table.guest)
        await laptop.greet()
        text = await laptop.type("status", "caribbean-stud, slot")
        table.report.hold(step, "caribbean-1" in text, text[-200:])
        laptop.unplug()
    laptop = await plug_laptop(table.guest)
    await laptop.greet()
    await table.guest.sh("systemctl stop banco", 60)
    text = await laptop.type("status", SILENT)
    await table.guest.sh("systemctl start banco", 120)
    table.report.hold("without the service the line says so", SILENT in text, text[-300:])
    laptop.unplug()
    await table.guest.sh("systemctl disable --now banco-line", 60)
    await table.wait_for_devices()


async def busy_line(table: Table, _: Random) -> None:
    """Another process holds one of the panel's lines: the start says which, and who."""
    await table.guest.sh("systemctl stop banco", 60)
    program = (
        "import lgpio, time; chip = lgpio.gpiochip_open(0); "
        f"lgpio.gpio_claim_input(chip, {BUSY_LINE}); time.sleep(600)"
    )
    await table.guest.sh(
        "cd /run && systemd-run -q --unit=line-holder -E PYTHONPATH=/usr/lib/banco/current "
        f"-p WorkingDirectory=/run python3 -c '{program}'"
    )
    since = await table.guest.sh("date +%s")

    async def is_named() -> bool:
        text = await read_log(table, since)
        return f"GPIO {BUSY_LINE}" in text or f"GPIO{BUSY_LINE}" in text

    await table.guest.sh("sleep 3; systemctl start --no-block banco")
    await table.wait("a line is taken: the start names it", is_named, 60)
    text = await read_log(table, since)
    table.report.hold("and there is no traceback", "Traceback" not in text, text[-400:])
    await table.guest.sh("systemctl stop line-holder; systemctl restart banco", 120)
    await table.wait_for_service()
    await table.wait_for_devices()


async def read_log(table: Table, since: str) -> str:
    """What the service has logged since then."""
    return await table.guest.sh(f"journalctl -u banco --since @{since} -o cat --no-pager")

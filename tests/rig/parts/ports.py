"""Each unit opens its own ports and nobody else's: as its user, and as root inside it."""

import json
from functools import partial
from random import Random
from shlex import quote

from tests.rig.machine.boards import DEVICES
from tests.rig.machine.laptop import plug_laptop
from tests.rig.machine.table import Table

PROGRAM = "/usr/local/lib/try_ports.py"
TRY_PORTS = """
import json, os
def try_port(path):
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
    except OSError as error:
        return error.strerror
    return "opened"
names = sorted(os.listdir("/dev/table"))
found = {name: try_port(f"/dev/table/{name}") for name in names}
found["gpio"] = try_port("/dev/gpiochip0")
print("ports", json.dumps(found), flush=True)
"""
DROP_IN = f"""[Service]
ExecStartPre=python3 {PROGRAM}
ExecStartPre=+python3 {PROGRAM}
"""
"""The real unit, and one thing more before its program: "+" is root, inside the same unit."""

DIAGNOSTICS = "diagnostics"
OF_THE_TABLE = {*DEVICES, "gpio"}
LINE_IS_ROOT = "root in banco-line's unit opens the diagnostics port alone"


async def keep_to_own_ports(table: Table, _: Random) -> None:
    """What the line's user gets of the table's devices, and the table's user of the line's port."""
    await table.guest.sh(f"printf %s {quote(TRY_PORTS)} > {PROGRAM}")
    laptop = await plug_laptop(table.guest)
    await table.wait("the diagnostics port is there", partial(has_diagnostics, table), 30)
    for unit, own in (("banco", OF_THE_TABLE), ("banco-line", {DIAGNOSTICS})):
        text = await table.guest.sh(f"runuser -u {unit} -- python3 {PROGRAM}")
        hold_own(table, f"the user {unit} opens its own ports alone", text, own)
        as_user, as_root = await start_with_tries(table, unit)
        hold_own(table, f"the user {unit} in its unit, too", as_user, own)
        if unit == "banco-line":
            hold_own(table, LINE_IS_ROOT, as_root, own)
    laptop.unplug()
    await table.wait_for_service()
    await table.wait_for_devices()


async def has_diagnostics(table: Table) -> bool:
    """Whether udev has given the port its name."""
    status, _ = await table.guest.run("test -c /dev/table/diagnostics")
    return status == 0


async def start_with_tries(table: Table, unit: str) -> list[str]:
    """What was tried in the unit's next start: as its user, and as root."""
    text = await start_with(table, unit, DROP_IN)
    tries = [line for line in text.splitlines() if line.startswith("ports ")]
    if len(tries) != 2:
        raise ValueError(f"{unit} was tried {len(tries)} times: {text[-300:]}")
    return tries


async def start_with(table: Table, unit: str, addition: str) -> str:
    """What the unit logs at its next start, with an addition that it has for this start alone."""
    folder = f"/run/systemd/system/{unit}.service.d"
    since = await table.guest.sh("date +%s")
    await table.guest.sh(
        f"mkdir -p {folder} && printf %s {quote(addition)} > {folder}/try.conf && "
        f"systemctl daemon-reload && systemctl restart {unit}; "
        f"rm {folder}/try.conf; systemctl daemon-reload",
        120,
    )
    return await table.guest.sh(f"journalctl -u {unit} --since @{since} -o cat --no-pager")


def hold_own(table: Table, step: str, text: str, own: set[str]) -> None:
    """Put on record whether what was opened is the unit's own, all of it and nothing else."""
    found: dict[str, str] = json.loads(text.partition(" ")[2])
    opened = {name for name, result in found.items() if result == "opened"}
    table.report.hold(step, opened == own and found.keys() > own, found)

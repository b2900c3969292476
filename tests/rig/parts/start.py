"""From power-on to an inviting lamp: where the time goes, beside what the system takes without us.

The guest's clock counts instructions, a billion a second, so the figures do not depend on what else
this machine does. They begin where the kernel begins.
"""

from random import Random

from devices.roles import Button, Lamp
from tests.rig.machine.table import Table

UNIT_TIMES = {
    "the first line of systemd": ("", "UserspaceTimestampMonotonic"),
    "basic.target: disk, udev, journal": ("basic.target", "ActiveEnterTimestampMonotonic"),
    "the service's process begins": ("banco", "ExecMainStartTimestampMonotonic"),
    "READY": ("banco", "ActiveEnterTimestampMonotonic"),
}
SETTLED = "multi-user.target"


async def start(table: Table, _: Random) -> None:
    """A table that was cut in BETTING starts; then the same machine without banco."""
    await table.guest.boot()
    await table.wait_for_service(300)
    await table.wait_for_strangers(300)
    await table.enrol_boards()
    await table.press(Button.GAME_OVER, held_s=0.5)
    await table.wait_for_phase("BETTING", 60)
    await table.guest.sh("sync")
    await table.guest.cut_power()
    table.boards.switch(False)
    table.boards.switch(True)
    await table.guest.boot()
    lamp_at = await wait_for_lamp(table)
    await table.wait_for_devices(300)
    times = {name: await read_time(table, *where) for name, where in UNIT_TIMES.items()}
    for device in ("panel", "rail"):
        times[f"{device} is there"] = await read_log_time(table, f"{device} is there")
    times["a slot lamp invites"] = lamp_at
    for name, at in times.items():
        table.report.note(f"with banco: {name}, guest s", at)
    table.report.hold("the lamps invite after a cut in BETTING", True, f"{lamp_at:.1f} s")
    for name, command in PYTHON.items():
        table.report.note(f"alone: {name}, guest s", await measure(table, command))
    await table.guest.sh("systemctl disable -q banco; sync")
    await table.guest.cut_power()
    await table.guest.boot()
    await table.wait(f"without banco: {SETTLED}", lambda: table.is_active(SETTLED), 300)
    for name, where in {
        "basic.target: disk, udev, journal": ("basic.target", "ActiveEnterTimestampMonotonic"),
        SETTLED: (SETTLED, "ActiveEnterTimestampMonotonic"),
    }.items():
        table.report.note(f"without banco: {name}, guest s", await read_time(table, *where))


PYTHON = {
    "python3 -c pass": "python3 -c pass",
    "import console.command_line": "python3 -P -c 'import console.command_line.main'",
    "the look at the program": "python3 -P -c "
    "'from console.release.running import look_at_program as look; look(str(), str)'",
    "banco check": "banco check /etc/banco/table.toml",
    "banco ledger verify": "runuser -u banco -- banco ledger verify /var/lib/banco",
}


async def wait_for_lamp(table: Table) -> float:
    """The guest's time when the rail's lamps began to invite."""

    async def invites() -> bool:
        return Lamp.INVITE in table.boards.rail.lamps().values()

    await table.wait("a slot lamp invites", invites, 300)
    return float((await table.guest.ask({"levels": True}))["at"]) / 1000


async def read_time(table: Table, unit: str, name: str) -> float:
    """When a unit came so far, in seconds of the guest's clock."""
    text = await table.guest.sh(f"systemctl show -p {name} --value {unit}", 120)
    return int(text) / 1e6


async def read_log_time(table: Table, words: str) -> float:
    """When the service first said this."""
    command = f"journalctl -b -u banco -o short-monotonic --no-pager | grep -m 1 '{words}'"
    return float((await table.guest.sh(command, 120)).partition("[")[2].partition("]")[0])


async def measure(table: Table, command: str) -> float:
    """How long a command takes the second time, when its files are in memory."""
    environment = "export PYTHONPATH=$(readlink -e /usr/lib/banco/current)"
    clock = "read -r at _ < /proc/uptime; echo $at"
    quiet = f"{command} > /dev/null 2>&1"
    text = await table.guest.sh(f"{environment}; {quiet}; {clock}; {quiet}; {clock}", 300)
    begun, ended = text.split()
    return float(ended) - float(begun)

"""The service is stopped, killed, and its kernel dies under it."""

import time
from random import Random

from tests.rig.machine.table import Table, faults_of

WATCHDOG_S = 60.0
HARDWARE_WATCHDOG = """[Manager]
RuntimeWatchdogSec=30
"""
"""systemd/watchdog.conf has less: an emulated systemd that starts anew may feed it too late."""


async def read_pid(table: Table) -> str:
    """The service's main process."""
    return await table.read_unit("MainPID")


async def watchdog(table: Table, _: Random) -> None:
    """A service that hangs is ended by systemd's watchdog, one that is killed is started again."""
    for signal in ("STOP", "KILL"):
        before, status = await read_pid(table), await table.status()
        begun = time.monotonic()
        await table.guest.sh(f"systemctl kill -s {signal} banco")

        async def is_back(old: str = before) -> bool:
            return await table.is_active() and await read_pid(table) not in (old, "0")

        await table.wait(f"SIG{signal}: the service is back by itself", is_back, WATCHDOG_S)
        table.report.note(f"SIG{signal} to READY, s", time.monotonic() - begun)
        after = await table.wait_for_devices()
        same = all(after[name] == status[name] for name in ("phase", "round", "accounts"))
        table.report.hold("phase, round and accounts are the same", same, after["phase"])
        if signal == "STOP":
            text = await table.guest.sh("journalctl -u banco -o cat --no-pager | grep -i watchdog")
            table.report.hold("the journal says that it was the watchdog", bool(text), text)


async def panic(table: Table, _: Random) -> None:
    """The kernel itself dies: the machine's watchdog, which systemd feeds, starts it again."""
    folder = "/etc/systemd/system.conf.d"
    await table.guest.sh(
        "modprobe i6300esb; echo i6300esb > /etc/modules-load.d/watchdog.conf; "
        f"mkdir -p {folder}; printf '{HARDWARE_WATCHDOG}' > {folder}/watchdog.conf; "
        "systemctl daemon-reexec; sync",
        90,
    )
    before = await table.status()
    table.guest.expect_boot()
    begun = time.monotonic()
    table.guest.send({"sh": "sysctl -qw kernel.panic=0; echo c > /proc/sysrq-trigger", "s": 10})
    took = await table.guest.wait_for_hand()
    table.report.hold("a kernel panic: the watchdog has booted the machine", True, f"{took:.0f} s")
    await table.wait_for_service()
    after = await table.wait_for_devices()
    table.report.note("kernel panic to all devices, s", time.monotonic() - begun)
    same = all(after[name] == before[name] for name in ("phase", "round", "accounts"))
    table.report.hold("phase, round and accounts are the same", same, after["phase"])


async def clock(table: Table, _: Random) -> None:
    """Somebody sets the clock, forwards and back: the table goes on, and its record too."""
    await table.guest.run("timedatectl set-ntp false")
    for step, words in (("a day forward", "+1 day"), ("two days back", "-2 days")):
        before = await table.status()
        pid = await read_pid(table)
        await table.guest.sh(f"date -s '{words}'")
        after = await table.wait_until(
            f"clock set {step}: it answers", lambda status: "phase" in status
        )
        same = await read_pid(table) == pid and after["phase"] == before["phase"]
        table.report.hold(f"clock set {step}: not restarted, the same phase", same, after["phase"])
        down = [name for name, up in after["devices_up"].items() if not up]
        table.report.hold(f"clock set {step}: no device is lost", not down, down)
        await table.press_for_record()
    await table.guest.sh("date -s '+1 day'")
    text = await table.guest.sh("runuser -u banco -- banco ledger verify /var/lib/banco", 120)
    table.report.hold("banco ledger verify", "in order" in text, text)


async def disk_full(table: Table, _: Random) -> None:
    """The ledger's file system is full while somebody presses; then there is room again."""
    await table.guest.sh(
        "fallocate -l $(($(df --output=avail -B 1 / | tail -1) - 8000000)) /var/fill || true; "
        "dd if=/dev/zero of=/var/lib/banco/rest bs=4k status=none || true; sync",
        120,
    )

    async def is_locked() -> bool:
        await table.press_for_record()
        return "LEDGER_FAULT" in faults_of(await table.status())

    await table.wait("the disk is full: the table is locked", is_locked, 40)
    lamps = {lamp.value for lamp in table.boards.rail.lamps().values()}
    table.report.hold("no slot lamp invites", "INVITE" not in lamps, sorted(lamps))
    table.report.hold("the service goes on", await table.is_active())
    await table.guest.sh("rm -f /var/fill /var/lib/banco/rest; sync")
    await table.guest.sh("systemctl restart banco", 120)
    status = await table.wait_for_devices()
    table.report.hold(
        "there is room again: the table says that it was locked",
        "LEDGER_FAULT" in faults_of(status),
        faults_of(status),
    )
    text = await table.guest.sh("runuser -u banco -- banco ledger verify /var/lib/banco", 120)
    table.report.hold("banco ledger verify", "in order" in text, text)

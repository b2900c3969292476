"""docs/install.md followed word for word in a machine that has never heard of banco."""

import re
from random import Random
from shlex import quote

from tests.rig.image.banco import PI_4_USB, SLOW, VERSION
from tests.rig.install_page import Command, read_commands, type_line
from tests.rig.layout import ROOT
from tests.rig.machine.table import Table
from tests.rig.parts.stick import put_in

FOLDER = "/srv/newcomer"
RULES = "/etc/udev/rules.d/99-banco.rules"
ID_PATH = re.compile(r"ID_PATH=(\S+)-usb-")
COMMAND_S = 1800.0
SIGNED = (
    "banco ledger verify --table-key /var/lib/banco-key/table.key.pub "
    "--seal /media/seal/caribbean-1 /var/lib/banco"
)
"""docs/audit.md: the table's own key has signed record and seal."""


async def follow_the_page(table: Table, random: Random) -> None:
    """The package comes on a stick; every command of the page must succeed, as it stands there."""
    took = await table.guest.boot()
    table.witness.hold("a fresh Debian boots", True, f"after {took:.1f} s")
    await put_in(table, "/media/stick")
    await table.guest.sh(
        f"mkdir -p {FOLDER} && cp /media/stick/pool/*/banco_{VERSION}+*.deb {FOLDER}; "
        "for unit in banco banco-line; do mkdir -p /etc/systemd/system/$unit.service.d; "
        f"printf %s {quote(SLOW)} > /etc/systemd/system/$unit.service.d/rig-slow.conf; done"
    )
    pin = f"{random.randrange(10**5, 10**6)}"
    for command in read_commands((ROOT / "docs/install.md").read_text("utf-8")):
        await type_command(table, command, pin)
    await table.wait_for_service()
    await table.wait_for_links()
    await table.wait_for_phase("PAUSED")
    status, text = await table.guest.run(f"runuser -u banco -- {SIGNED}")
    table.witness.hold(f"`{SIGNED}`", status == 0 and "in order" in text, text[-300:])


async def type_command(table: Table, command: Command, pin: str) -> None:
    """One line of the page; the socket's path that it finds is written into the rules."""
    typed = type_line(command.line, pin)
    status, text = await table.guest.run(
        f"cd {FOLDER} && export USER=root HOME=/var/lib EDITOR=true TERM=dumb; {typed}", COMMAND_S
    )
    table.witness.hold(f"{command.section}: `{command.line}`", status == 0, text[-200:])
    if found := ID_PATH.search(text):
        socket = f'ENV{{ID_PATH}}=="{found[1]}-usb-0:1.6:1.0"'
        await table.guest.sh(
            f"sed -i 's#{PI_4_USB}#{found[1]}#; s#KERNEL==\"ttyAMA0\"#{socket}#' {RULES}"
        )

"""docs/how-to/install.md followed word for word in a machine that has never heard of banco."""

import re
from random import Random
from shlex import quote

from devices.roles import KeyPosition
from tests.rig.image.banco import PI_4_USB, SLOW, VERSION
from tests.rig.install_page import Command, read_commands, type_line
from tests.rig.layout import PROVED, ROOT, Layout
from tests.rig.machine.laptop import PROMPT, plug_laptop
from tests.rig.machine.table import Table, has_enrolled_boards
from tests.rig.parts.stick import put_in

FOLDER = "/srv/newcomer"
RULES = "/etc/udev/rules.d/99-banco.rules"
ID_PATH = re.compile(r"ID_PATH=(\S+)-usb-")
COMMAND_S = 1800.0
TECHNICIAN = "anna"
"""As the page enrols her."""
SIGNED = (
    "banco ledger verify --table-key /var/lib/banco-key/table.key.pub "
    "--seal /media/seal/caribbean-1 /var/lib/banco"
)
"""docs/how-to/audit.md: the table's own key has signed record and seal."""


async def follow_the_page(table: Table, random: Random) -> None:
    """The package comes on a stick; every command of the page must succeed, as it stands there."""
    took = await table.guest.boot()
    table.report.hold("a fresh Debian boots", True, f"after {took:.1f} s")
    await put_in(table, "/media/stick")
    await table.guest.sh(
        f"mkdir -p {FOLDER} && cp /media/stick/pool/*/banco*_{VERSION}+*.deb {FOLDER}; "
        "for unit in banco banco-line; do mkdir -p /etc/systemd/system/$unit.service.d; "
        f"printf %s {quote(SLOW)} > /etc/systemd/system/$unit.service.d/rig-slow.conf; done"
    )
    pin = f"{random.randrange(10**5, 10**6)}"
    for command in read_commands((ROOT / "docs/how-to/install.md").read_text("utf-8")):
        await type_command(table, command, pin)
    await table.wait_for_service()
    await table.wait_for_strangers()
    await table.wait_for_phase("PAUSED")
    await enrol_on_the_line(table, pin)
    status, text = await table.guest.run(f"runuser -u banco -- {SIGNED}")
    table.report.hold(f"`{SIGNED}`", status == 0 and "in order" in text, text[-300:])


async def enrol_on_the_line(table: Table, pin: str) -> None:
    """The first paragraph of section 10: the boards are enrolled at a laptop, the key at S."""
    await table.turn_key(KeyPosition.S)
    await table.wait_for_phase("SERVICE")
    laptop = await plug_laptop(table.guest)
    await laptop.greet()
    await laptop.type("language en", PROMPT)
    await laptop.type(f"enter {TECHNICIAN}", "PIN: ")
    text = await laptop.type(pin, "has entered")
    table.report.hold("10. Before the first night: `enter`", "has entered" in text, text[-200:])
    for device in PROVED:
        command = f"board enrol {device}"
        await laptop.type(command, "y: yes")
        text = await laptop.type("y", "enrolled")
        table.report.hold(f"10. Before the first night: `{command}`", "enrolled" in text, text)
    laptop.unplug()
    await table.turn_key(KeyPosition.R)
    await table.wait_until("the boards are enrolled", has_enrolled_boards)


async def type_command(table: Table, command: Command, pin: str) -> None:
    """One line of the page; the socket's path that it finds is written into the rules."""
    typed = type_line(command.line, pin)
    status, text = await table.guest.run(
        f"cd {FOLDER} && export USER=root HOME=/var/lib EDITOR=true TERM=dumb; {typed}", COMMAND_S
    )
    table.report.hold(f"{command.section}: `{command.line}`", status == 0, text[-200:])
    if found := ID_PATH.search(text):
        await table.guest.sh(f"sed -i {quote(fit_rules(found[1], table.guest.layout))} {RULES}")


def fit_rules(controller: str, layout: Layout) -> str:
    """What the newcomer changes in the rules; a PC has no UART, so the laptop has a socket."""
    change = f"s#{PI_4_USB}#{controller}#"
    if not layout.architecture.has_device_tree:
        change += f'; s#KERNEL=="ttyAMA0"#ENV{{ID_PATH}}=="{controller}-usb-0:1.6:1.0"#'
    return change

"""A witness outside, as docs/how-to/witness.md sets it up: a database of the house, over TLS.

PostgreSQL runs on this machine; the guest calls it by QEMU's network, at the address of the
drop-in.
"""

import asyncio
import base64
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from shlex import quote

from tests.console.link.certificates import Authority, give_to_server
from tests.console.link.servers import QUICK, Server, run_server
from tests.open_folder import make_open_folder
from tests.rig.machine.journal import fetch_ledger
from tests.rig.machine.table import Table
from tests.rig.parts.stick import findings_of

TABLE = "caribbean-1"
HOST, ADDRESS = "db1.house", "10.0.2.2"
"""QEMU's network calls this machine's loopback so."""

SEAL = "/media/seal/caribbean-1"
KEY_FOLDER = "/var/lib/banco-key"
PUBLIC_KEY = "table.key.pub"
DROP_INS = "/etc/systemd/system/banco.service.d"
FILES = {
    "certificate": "/etc/banco/house.crt",
    "key": "/etc/banco/house.key",
    "root": "/etc/banco/root.crt",
}
WHO = """
host    all postgres       127.0.0.1/32 trust
hostssl all +witness_table 127.0.0.1/32 cert
"""

KEY = (
    f"sed -i 's#^folder = .*#&\\nseal = \"{SEAL}\"#' /etc/banco/table.toml",
    "printf '[key]\\nstore = \"file\"\\n' >> /etc/banco/table.toml",
    "install -d -o banco -g banco /media/seal",
    f"install -m 644 /usr/share/banco/media.conf /usr/share/banco/key.conf {DROP_INS}/",
    f"install -d -m 700 -o banco -g banco {KEY_FOLDER}",
    "runuser -u banco -- banco key make /etc/banco/table.toml",
)
NETWORK = (
    "ip link set eth0 up",
    "ip address add 10.0.2.15/24 dev eth0",
    f"echo '{ADDRESS} {HOST}' >> /etc/hosts",
    f"sed 's/192.0.2.3/{ADDRESS}/' /usr/share/banco/witness.conf > {DROP_INS}/witness.conf",
    "systemctl daemon-reload",
    "systemctl restart banco",
)
LONGEST_WORD = 100_000
"""Of a command: the kernel takes 128 KiB. Four such letters are three bytes."""

SECTION = "".join(f'{name} = "{file}"\n' for name, file in FILES.items())


async def follow_outside(table: Table, _: Random) -> None:
    """Key and witness are set up; heads arrive, the witness is lost and comes back, the audit."""
    for line in KEY:
        await table.guest.sh(line, 300)
    async with open_house(table) as (server, folder):
        await hold_heads(table, server)
        ledger = folder / "ledger"
        await fetch_ledger(table.guest, ledger)
        house = ("--key", folder / PUBLIC_KEY, "--database", server.dsn())
        await banco(table, "witness", "audit", ledger, *house)


@asynccontextmanager
async def open_house(table: Table) -> AsyncIterator[tuple[Server, Path]]:
    """A server of the house that has admitted the table, which is restarted, and a folder of its
    own with the table's public key."""
    with ExitStack() as stack:
        folder = stack.enter_context(make_open_folder())
        authority = Authority(folder, "house")
        server = await asyncio.to_thread(start_house, stack, folder, authority)
        public = folder / PUBLIC_KEY
        public.write_text(await table.guest.sh(f"cat {KEY_FOLDER}/{PUBLIC_KEY}") + "\n", "utf-8")
        house = ("--database", server.dsn())
        await banco(table, "witness", "init", *house)
        await banco(table, "witness", "admit", TABLE, "--key", public, "--reason", "new", *house)
        await write_section(table, authority, server.port)
        for line in NETWORK:
            await table.guest.sh(line, 300)
        await table.wait_for_service()
        await table.wait_for_devices()
        yield server, folder
    await table.guest.sh(f"rm {DROP_INS}/witness.conf", 60)


def start_house(stack: ExitStack, folder: Path, authority: Authority) -> Server:
    """A server that takes the tables' certificates."""
    certificate, key, _ = authority.sign("db1", HOST)
    hba = folder / "pg_hba.conf"
    hba.write_text(WHO, "utf-8")
    settings = {
        "ssl": "on",
        "ssl_cert_file": certificate,
        "ssl_key_file": give_to_server(key),
        "ssl_ca_file": authority.root,
        "hba_file": hba,
    }
    words = (f"{name}={value}" for name, value in settings.items())
    return stack.enter_context(run_server(folder / "cluster", *QUICK, *words))


async def write_section(table: Table, authority: Authority, port: int) -> None:
    """`[witness]`, and its files: the key for the service's user alone."""
    await place_certificate(table, authority, TABLE, FILES)
    section = f'[witness]\nhosts = ["{HOST}:{port}"]\ndatabase = "postgres"\n{SECTION}'
    await table.guest.sh(f"printf %s {quote(section)} >> /etc/banco/table.toml")


async def place_certificate(
    table: Table, authority: Authority, name: str, files: Mapping[str, str], owner: str = "banco"
) -> None:
    """A certificate with this name, its key and the authority's own, for a user of the table's."""
    certificate, key, _ = authority.sign(name)
    for source, place in zip((certificate, key, authority.root), files.values(), strict=True):
        await place_file(table, source, place)
        await table.guest.sh(f"chown {owner} {place}; chmod 600 {place}")


async def place_file(table: Table, source: Path, place: str) -> None:
    """The same file in the guest."""
    text = base64.b64encode(source.read_bytes()).decode("ascii")
    await table.guest.sh(f": > {place}")
    for at in range(0, len(text), LONGEST_WORD):
        await table.guest.sh(f"echo {text[at : at + LONGEST_WORD]} | base64 -d >> {place}")


async def hold_heads(table: Table, server: Server) -> None:
    """Signed heads arrive in play; without the server the table says so, and goes on."""

    async def has_two() -> bool:
        await table.press_for_record()
        return count_heads(server) >= 2

    await table.wait(
        "a signed head at the start, and one in play", has_two, 60, partial(count_heads, server)
    )
    await asyncio.to_thread(server.stop)

    async def is_lost() -> bool:
        await table.press_for_record()
        return "WITNESS_LOST" in findings_of(await table.status())

    await table.wait("the house's server is down: WITNESS_LOST", is_lost, 90)
    table.report.hold("the table goes on", await table.is_active())
    await asyncio.to_thread(server.start)
    await table.wait_until(
        "it is up again: the witness follows",
        lambda status: "WITNESS_LOST" not in findings_of(status),
        90,
    )


def count_heads(server: Server) -> int:
    """The table's signed heads that are there."""
    query = "SELECT count(*) FROM witness.entry WHERE table_name = %s AND kind = 'head'"
    with server.connect() as connection:
        (row,) = connection.execute(query, (TABLE,)).fetchall()
    return int(row[0])


async def banco(table: Table, *words: str | Path) -> str:
    """A command of the house's, on this machine, which must succeed; what it prints."""
    program = Path(sys.executable).with_name("banco")
    process = await asyncio.create_subprocess_exec(
        program, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    step = " ".join(map(str, ("banco", *words[:2])))
    table.report.hold(f"`{step}`", process.returncode == 0, output.decode()[-300:])
    return output.decode()

"""The authority's commands of docs/how-to/centre.md, typed as they stand there."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.console.link.certificates import give_to_server
from tests.console.link.failover.centre_page import find_blocks
from tests.console.link.servers import QUICK, Server, run_server
from tests.deadlines import DEADLINE_S
from tests.open_folder import make_open_folder

ROLE = "table-3"
HOST = "db1.casino.example"
AUTHORITY = "house"
WHO = "host all postgres 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 cert\n"


def type_commands(folder: Path, section: str) -> None:
    """Type what the authority types, into a shell that ends at the first that fails.

    The stick is a folder, and so is the authority's machine.
    """
    for machine, block in find_blocks(section, (AUTHORITY,)):
        text = block.text.replace("/media/stick", str(folder))
        subprocess.run(["bash", "-ec", text], cwd=folder / machine, check=True, capture_output=True)


def settings(folder: Path) -> tuple[str, ...]:
    """Of the server, as the page gives them."""
    hba = folder / "pg_hba.conf"
    hba.write_text(WHO, "utf-8")
    return (
        "ssl=on",
        f"ssl_ca_file={folder / 'house.crt'}",
        f"ssl_crl_file={folder / 'revoked.crl'}",
        f"ssl_cert_file={folder / 'db1.crt'}",
        f"ssl_key_file={give_to_server(folder / 'db1.key')}",
        f"hba_file={hba}",
    )


def log_in(folder: Path, server: Server) -> None:
    """As the table, with its certificate. Raises psycopg.OperationalError."""
    certificate = f"sslcert={folder / 'table-3.crt'} sslkey={folder / 'table-3.key'}"
    where = f"host={HOST} hostaddr=127.0.0.1 port={server.port} dbname=postgres user={ROLE}"
    trust = f"sslmode=verify-full sslrootcert={folder / 'house.crt'}"
    psycopg.connect(f"{where} {trust} {certificate}").close()


def log_in_until_refused(folder: Path, server: Server) -> None:
    """The server reads its settings again in its own time. Raises psycopg.OperationalError."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        log_in(folder, server)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that all may enter, the server among them."""
    with make_open_folder() as folder:
        (folder / AUTHORITY).mkdir()
        yield folder


def test_a_table_comes_in_until_its_certificate_is_revoked(folder: Path) -> None:
    type_commands(folder, "Certificates")
    with run_server(folder / "cluster", *QUICK, *settings(folder)) as server:
        with server.connect() as superuser:
            superuser.execute('CREATE ROLE "table-3" LOGIN')
            log_in(folder, server)
            superuser.execute('ALTER ROLE "table-3" NOLOGIN')
            with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
                log_in(folder, server)
            superuser.execute('ALTER ROLE "table-3" LOGIN')
            type_commands(folder, "A certificate is revoked")
            superuser.execute("SELECT pg_reload_conf()")
        with pytest.raises(psycopg.OperationalError, match="certificate revoked"):
            log_in_until_refused(folder, server)

"""TLS on a server with OpenSSL: who shows another certificate than its own does not come in."""

import asyncio
import io
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from console.command_line.command import DONE, UNUSABLE
from console.command_line.main import main
from console.database.addresses import Credentials, DatabaseLogin, ServerAddress
from console.database.install import install_schema
from console.link.centre.membership import admit_member, create_jackpot
from console.link.centre.roles import RoleGroup, load_link_schema, make_role
from console.witness.administration import Admission, admit_table, load_witness_schema
from console.witness.entries import WitnessEntry
from console.witness.heads import WitnessHeads
from jackpot.money.amounts import Cents
from jackpot.trust.counterpart import CounterpartLost
from tests.console.link.calling_member import TABLE, tell_member
from tests.console.link.certificates import Authority, give_to_server
from tests.console.link.linked_table import TERMS
from tests.console.link.servers import QUICK, Server, run_server
from tests.open_folder import make_open_folder

HOST = "localhost"
WHO = """
host    all postgres 127.0.0.1/32 trust
host    all olga     127.0.0.1/32 scram-sha-256
hostssl all all      127.0.0.1/32 cert
"""


class House:
    """A server that takes the tables' certificates, and two authorities: its own and a foreign."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = Authority(folder, "house")
        self.foreign = Authority(folder, "foreign")
        certificate, key, serial = self.authority.sign(TABLE)
        self.revoked = Credentials(str(certificate), str(key), str(self.authority.root))
        self.crl = self.authority.revoke(serial)

    def settings(self) -> tuple[str, ...]:
        """Of the server."""
        certificate, key, _ = self.authority.sign("db1", HOST)
        hba = self.folder / "pg_hba.conf"
        hba.write_text(WHO, "utf-8")
        return (
            *QUICK,
            "ssl=on",
            f"ssl_cert_file={certificate}",
            f"ssl_key_file={give_to_server(key)}",
            f"ssl_ca_file={self.authority.root}",
            f"ssl_crl_file={self.crl}",
            f"hba_file={hba}",
        )

    def admit_operators(self, server: Server) -> None:
        """Olga, with a password, and Piero, without."""
        with server.connect() as connection:
            for name in ("olga", "piero"):
                make_role(connection, name, RoleGroup.OPERATOR)
            connection.execute("ALTER ROLE olga PASSWORD 'secret'")


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[House, Server]]:
    """The house and its server, with one jackpot and one member."""
    with make_open_folder() as folder:
        house = House(folder)
        with run_server(folder / "cluster", *house.settings()) as server:
            with server.connect() as connection:
                install_schema(connection, load_link_schema())
                create_jackpot(connection, "stud", TERMS, Cents(500_000), Cents(1_000_000), "split")
                admit_member(connection, TABLE, "stud")
                admit_member(connection, "table-4", "stud")
                install_schema(connection, load_witness_schema())
                admit_table(connection, Admission(TABLE, "f" * 64, "a new table"))
            yield house, server


def ask(server: Server, credentials: Credentials | None, why: str, host: str = HOST) -> str:
    """Say hello with these; what is said of it, once that has `why` in it, or the link is up."""

    async def night() -> str:
        async with tell_member(
            server.port, database="postgres", host=host, credentials=credentials
        ) as member:
            member.join_and_open()

            def knows_why() -> bool:
                (figures,) = member.device.figures()
                return figures.up or why in figures.why_down

            await member.until(knows_why)
            (figures,) = member.device.figures()
            return "up" if figures.up else figures.why_down

    return asyncio.run(night())


def test_a_table_with_its_own_certificate_comes_in(house: tuple[House, Server]) -> None:
    its_house, server = house
    assert ask(server, its_house.authority.credentials(TABLE), "refused for good") == "up"


def test_another_tables_certificate_is_refused(house: tuple[House, Server]) -> None:
    its_house, server = house
    why = "certificate authentication failed"
    assert why in ask(server, its_house.authority.credentials("table-4"), why)


def test_a_foreign_certificate_is_refused(house: tuple[House, Server]) -> None:
    its_house, server = house
    credentials = its_house.foreign.credentials(TABLE, its_house.authority.root)
    assert "unknown ca" in ask(server, credentials, "unknown ca")


def test_a_revoked_certificate_is_refused(house: tuple[House, Server]) -> None:
    its_house, server = house
    assert "certificate revoked" in ask(server, its_house.revoked, "certificate revoked")


def test_without_a_certificate_nobody_comes_in(house: tuple[House, Server]) -> None:
    its_house, server = house
    missing = replace(its_house.authority.credentials(TABLE), certificate="/nowhere/table.crt")
    why = "requires a valid client certificate"
    assert why in ask(server, missing, why)
    assert "no pg_hba.conf entry" in ask(server, None, "no pg_hba.conf entry")


def test_a_server_of_another_authority_is_not_spoken_to(house: tuple[House, Server]) -> None:
    its_house, server = house
    credentials = its_house.authority.credentials(TABLE, its_house.foreign.root)
    assert "certificate verify failed" in ask(server, credentials, "certificate verify failed")


def test_a_server_of_another_name_is_not_spoken_to(house: tuple[House, Server]) -> None:
    its_house, server = house
    credentials = its_house.authority.credentials(TABLE)
    why = "does not match host name"
    assert why in ask(server, credentials, why, host="127.0.0.1")


def test_a_role_that_may_not_log_in_is_refused(house: tuple[House, Server]) -> None:
    its_house, server = house
    with server.connect() as connection:
        connection.execute(f'ALTER ROLE "{TABLE}" NOLOGIN')
    try:
        why = "not permitted to log in"
        assert why in ask(server, its_house.authority.credentials(TABLE), why)
    finally:
        with server.connect() as connection:
            connection.execute(f'ALTER ROLE "{TABLE}" LOGIN')


def test_the_centre_is_the_witness_outside_of_a_table_with_its_own_certificate(
    house: tuple[House, Server],
) -> None:
    its_house, server = house

    def read_newest(credentials: Credentials | None) -> WitnessEntry | None:
        login = DatabaseLogin("postgres", TABLE, credentials)
        with closing(WitnessHeads(login, [ServerAddress(HOST, server.port)])) as heads:
            return heads.read_newest()

    entry = read_newest(its_house.authority.credentials(TABLE))
    assert entry is not None
    assert (entry.table_name, entry.number) == (TABLE, 1)
    for wrong, why in (
        (its_house.authority.credentials("table-4"), "certificate authentication failed"),
        (its_house.revoked, "certificate revoked"),
        (its_house.authority.credentials(TABLE, its_house.foreign.root), "verify failed"),
        (None, "no pg_hba.conf entry"),
    ):
        with pytest.raises(CounterpartLost, match=why):
            read_newest(wrong)


def test_an_operator_has_a_password_another_a_certificate(
    house: tuple[House, Server],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """LINK 7.1"""
    its_house, server = house
    its_house.admit_operators(server)
    certificate, key, _ = its_house.authority.sign("piero")
    piero = f"user=piero sslcert={certificate} sslkey={key}"
    where = f"host={HOST} port={server.port} dbname=postgres sslrootcert={its_house.authority.root}"
    words = ["link", "correct", "stud", "house", "jackpot", "5.00", "--reason", "counted twice"]
    people = ["--as", "olga", "--and", piero, "--centre", where]
    monkeypatch.setattr(sys, "stdin", io.StringIO("secret\ny\ny\n"))
    assert main([*words, *people]) == DONE
    assert "password" not in capsys.readouterr().err  # a pipe is read in silence
    passwords = tmp_path / "pgpass"
    passwords.write_text(f"{HOST}:{server.port}:postgres:olga:secret\n", "utf-8")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    assert main([*words, *people]) == DONE
    assert "password" not in capsys.readouterr().err
    monkeypatch.delenv("PGPASSFILE")
    monkeypatch.setattr(sys, "stdin", io.StringIO("wrong\n"))
    assert main([*words, *people]) == UNUSABLE
    assert "wrong name or password" in capsys.readouterr().err

"""`banco link status`, `check-certificates`, `check-machine`: for houses without Prometheus."""

import json
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from console.command_line.command import DONE, UNUSABLE
from console.command_line.main import main
from console.office.ledger.exit_status import FAILED
from tests.console.link.certificates import Authority, name_of
from tests.console.link.servers import Server

NAME = "alarmed"


@pytest.fixture
def centre(server: Server, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """A database with the schema and no jackpot."""
    server.make_database(NAME, "template0")
    connection = server.dsn("postgres", NAME)
    assert run_link("init", "--centre", connection) == DONE
    capsys.readouterr()
    yield connection
    server.drop_database(NAME)


def run_link(*words: str | Path) -> int:
    return main(["link", *map(str, words)])


def sign_for(folder: Path, name: str, days: float) -> Path:
    """A certificate that ends so many days from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name_of(name))
        .issuer_name(name_of("house"))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=900))
        .not_valid_after(now + timedelta(days=days))
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.crt"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return file


def read_alarms(centre: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert run_link("status", "--json", "--centre", centre) == DONE
    alarms: list[dict[str, object]] = json.loads(capsys.readouterr().out)["alarms"]
    return alarms


@pytest.mark.parametrize(
    ("days", "status", "words"),
    [(61, DONE, "in order"), (59, DONE, "ends soon"), (13, FAILED, "ENDS"), (-1, FAILED, "ENDS")],
)
def test_a_certificate_is_named_60_and_14_days_before_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], days: float, status: int, words: str
) -> None:
    far = sign_for(tmp_path, "db1", 3000)
    near = sign_for(tmp_path, "table-3", days + 0.5)
    assert run_link("check-certificates", far, near) == status
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("table-3: ")
    assert words in first
    assert second.startswith("db1: ")


def test_a_list_of_revoked_ones_ends_too_and_what_is_neither_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = Authority(tmp_path, "house")
    assert run_link("check-certificates", authority.revoke(7)) == DONE
    assert capsys.readouterr().out.startswith("revoked by house: ")
    (tmp_path / "note").write_text("no certificate", "utf-8")
    assert run_link("check-certificates", tmp_path / "note") == UNUSABLE
    assert "is no certificate" in capsys.readouterr().err


def test_the_centre_keeps_what_it_is_told(
    tmp_path: Path,
    centre: str,
    monkeypatch: pytest.MonkeyPatch,
    server: Server,
) -> None:
    """A real program stands for pgBackRest: its words are those of `pgbackrest info`."""
    program = tmp_path / "pgbackrest"
    info = '[{"backup": [{"error": false, "timestamp": {"start": 1, "stop": 1764000000}}]}]'
    program.write_text(f"#!/bin/sh\necho '{info}'\n", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    near = sign_for(tmp_path, "table-3", 13)
    assert run_link("check-certificates", near, "--tell", "--centre", centre) == FAILED
    words = ("check-machine", "--disk", tmp_path, "--stanza", "centre", "--centre", centre)
    assert run_link(*words) == DONE
    assert run_link("audit", "--centre", centre) == DONE
    with server.connect(database=NAME) as connection:
        rows = connection.execute("SELECT kind, subject, value FROM link.observation").fetchall()
    values = {kind: value for kind, _, value in rows}
    assert set(values) == {"audit", "backup", "certificate", "disk"}
    assert values["backup"] == 1_764_000_000_000
    assert 0 <= values["disk"] <= 100


def test_status_has_the_alarms(centre: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The test's server has no standby, and no archive."""
    assert [alarm["code"] for alarm in read_alarms(centre, capsys)] == ["ALONE"]

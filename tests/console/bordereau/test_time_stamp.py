"""A bordereau's time stamp (RFC 3161), from a server that this test starts with openssl."""

import base64
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import NoReturn

import pytest

from console.command_line.main import main
from tests.console.bordereau.played_nights import NIGHT, TRAY, ledger_of, play_night
from tests.console.bordereau.stamp_server import (
    StampAuthority,
    StampServer,
    run_stamp_server,
)
from tests.console.running_table import configuration
from tests.deadlines import DEADLINE_S


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed night."""
    with play_night(tmp_path_factory.mktemp("night"), *NIGHT, TRAY) as table:
        return ledger_of(table)


@pytest.fixture(scope="module")
def stamps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StampServer]:
    """The house's server."""
    with run_stamp_server(StampAuthority(tmp_path_factory.mktemp("tsa") / "house")) as server:
        yield server


class ReportOf:
    """`banco report` of a table that is configured so."""

    def __init__(self, folder: Path, ledger: Path, server: str, root: Path) -> None:
        self.out = folder / "night.txt"
        self.config = configuration(folder / "table.toml")
        text = self.config.read_text("utf-8")
        lines = [
            f'folder = "{ledger}"' if "folder =" in line else line for line in text.split("\n")
        ]
        section = f'[timestamp]\nserver = "{server}"\nroot = "{root}"\n'
        self.config.write_text("\n".join(lines) + section, "utf-8")

    def run(self, *words: str) -> int:
        return main(["report", "--config", str(self.config), "--last", "--language", "en", *words])

    def write(self, *words: str) -> str:
        """The bordereau in its file."""
        self.out.unlink(missing_ok=True)
        self.out.with_name(f"{self.out.name}.tsr").unlink(missing_ok=True)
        assert self.run("--out", str(self.out), *words) == 0
        return self.out.read_text("utf-8")


def test_a_bordereau_carries_a_stamp_that_openssl_verifies(
    tmp_path: Path, ledger: Path, stamps: StampServer
) -> None:
    report = ReportOf(tmp_path, ledger, stamps.address, stamps.authority.root)
    written = report.write()
    assert "TIME STAMP\n" in written
    assert stamps.address in written
    digest = json.loads(report.write("--format", "json"))["hash"]
    reply = report.out.with_name("night.txt.tsr")
    assert stamps.authority.verify(digest, reply) == "Verification: OK"
    assert stamps.authority.verify("0" * len(digest), reply) == "Verification: FAILED"


def test_in_json_the_reply_itself_stands(
    tmp_path: Path, ledger: Path, stamps: StampServer, capsys: pytest.CaptureFixture[str]
) -> None:
    report = ReportOf(tmp_path, ledger, stamps.address, stamps.authority.root)
    assert report.run("--format", "json") == 0
    bordereau = json.loads(capsys.readouterr().out)
    stamp = bordereau["time_stamp"]
    assert stamp["at"].endswith("+00:00")
    (tmp_path / "reply.tsr").write_bytes(base64.b64decode(stamp["reply"]))
    verified = stamps.authority.verify(bordereau["hash"], tmp_path / "reply.tsr")
    assert verified == "Verification: OK"


def test_without_a_server_the_bordereau_is_made_and_says_so(
    tmp_path: Path, ledger: Path, stamps: StampServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    report = ReportOf(tmp_path, ledger, f"http://127.0.0.1:{port}/", stamps.authority.root)
    written = report.write()
    assert "TIME STAMP\nNone: " in written
    assert "refused" in written
    assert "no time stamp: " in capsys.readouterr().err
    assert not report.out.with_name("night.txt.tsr").exists()


def test_a_server_that_says_nothing_is_given_up(
    tmp_path: Path, ledger: Path, stamps: StampServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.bordereau.time_stamp.WITHIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        report = ReportOf(tmp_path, ledger, address, stamps.authority.root)
        assert "None: no answer from" in " ".join(report.write().split())


def test_a_name_whose_lookup_does_not_end_is_given_up(
    tmp_path: Path, ledger: Path, stamps: StampServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's resolver has times of its own, which are longer."""
    free, ended = Event(), Event()

    def look_up(*_: object) -> NoReturn:
        free.wait(DEADLINE_S)
        ended.set()
        raise socket.gaierror(socket.EAI_AGAIN, "no name server answers")

    monkeypatch.setattr("console.bordereau.time_stamp.WITHIN_S", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    report = ReportOf(tmp_path, ledger, "http://stamps.house/", stamps.authority.root)
    written = report.write()
    assert not ended.is_set(), "the bordereau has waited for the lookup"
    assert "None: no answer from http://stamps.house/" in " ".join(written.split())
    free.set()
    assert ended.wait(DEADLINE_S)


def test_a_stamp_of_another_authority_is_none(
    tmp_path: Path, ledger: Path, stamps: StampServer
) -> None:
    foreign = StampAuthority(tmp_path / "foreign", "foreign")
    report = ReportOf(tmp_path, ledger, stamps.address, foreign.root)
    assert "openssl ts -verify refuses it" in " ".join(report.write().split())
    assert not report.out.with_name("night.txt.tsr").exists()


def test_on_a_screen_none_is_asked_for(
    tmp_path: Path, ledger: Path, stamps: StampServer, capsys: pytest.CaptureFixture[str]
) -> None:
    report = ReportOf(tmp_path, ledger, stamps.address, stamps.authority.root)
    assert report.run() == 0
    assert "None: it is asked for with --out" in capsys.readouterr().out

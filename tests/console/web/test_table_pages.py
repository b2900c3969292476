"""The pages of a real table: as its configuration has them, told by its service, read only."""

import asyncio
import datetime
import json
import ssl
import subprocess
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientConnectionError, ClientSession, TCPConnector
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from console.configuration.addresses import parse_listen
from console.configuration.adopted import AdoptedConfiguration
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.line.access.login import PinLogin
from console.line.local_line import LineSource
from console.run import run
from console.service.disk_thread import DiskThread
from console.service.table_service import Follower
from console.simulation.scenario.acts import Vocabulary, parse_act
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_real_time
from console.simulation.scenario.simulated_table import SimulatedTable
from console.web import table_pages as served
from console.web.opening import opening_of, settings_lines
from jackpot.failures import Unavailable
from tests.console.line.access.login_bench import enrol
from tests.console.running_table import BANCO, ENVIRONMENT
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

TABLES = Path(__file__).resolve().parents[3] / "docs" / "tables"


def read_table(folder: Path, *web: str) -> AdoptedConfiguration:
    """The Caribbean Stud table of the documents, with these lines in [web]."""
    text = (TABLES / "caribbean-stud.toml").read_text("utf-8")
    file = folder / "table.toml"
    file.write_text(text + "\n[web]\n" + "".join(f"{line}\n" for line in web), "utf-8")
    configuration = load_configuration(file)
    return AdoptedConfiguration(file, configuration, configuration, {}, {})


async def next_message(browser: ClientSession, url: str, **wanted: Any) -> dict[str, Any]:
    """What the sign is told, as soon as it is as wanted."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            try:
                socket = await browser.ws_connect(f"{url}/live/sign", origin=url)
            except ClientConnectionError:  # it is not served yet
                await asyncio.sleep(0.05)
                continue
            async with socket:
                async for message in socket:
                    heard: dict[str, Any] = json.loads(message.data)
                    if heard.items() >= wanted.items():
                        return heard


def test_a_tables_jackpot_is_on_its_sign(tmp_path: Path) -> None:
    port = free_port()
    table = read_table(tmp_path, f'listen = "{port}"')
    plan = table.in_force.plan()
    with machine_in_real_time(plan, tmp_path) as machine:
        simulated_table = SimulatedTable(machine)

        async def look(amount: str) -> dict[str, Any]:
            async with ClientSession() as browser:
                return await next_message(
                    browser, f"http://127.0.0.1:{port}", kind="jackpot", amount=amount
                )

        with pages_beside(machine, table, tmp_path) as follow:
            follow(simulated_table.service)
            simulated_table.wait_for_devices()
            machine.loop.run_until_complete(look("10000.00"))
            for line in ("press GAME_OVER", "token 1 2", "press COIN_IN"):
                simulated_table.do(parse_act(line.lower().split(), Vocabulary.of(plan.game)))
            seen = machine.loop.run_until_complete(look("10002.80"))
    assert seen["phase"] == "PLAYING"


def test_what_the_pages_are_told_of_a_table(tmp_path: Path) -> None:
    table = read_table(
        tmp_path,
        'listen = "[::1]:8443"',
        'names = ["table3.casino.example"]',
        'certificate = "/etc/banco/table3.pem"',
        'key = "/etc/banco/table3.key"',
    )
    assert table.in_force.web is not None
    plan = table.in_force.plan()
    opening = opening_of(
        LineSource(table, plan, tmp_path, tmp_path), table.in_force.web.listening()
    )
    assert not opening.simulated
    assert opening.combinations[-1] == "FLUSH"
    assert opening.ledger == str(tmp_path)
    assert (opening.listening.address, opening.listening.port) == ("::1", 8443)
    assert opening.listening.names == ("table3.casino.example",)
    assert opening.listening.certificate == "/etc/banco/table3.pem"
    assert "set rail slot" in settings_lines(plan)


@pytest.mark.parametrize(
    ("listen", "address", "port"),
    [
        ("8080", "127.0.0.1", 8080),
        ("127.0.0.1:8090", "127.0.0.1", 8090),
        ("0.0.0.0:1024", "0.0.0.0", 1024),
        ("[::1]:65535", "::1", 65535),
    ],
)
def test_where_pages_can_be_served(listen: str, address: str, port: int) -> None:
    listening = parse_listen(listen)
    assert (listening.address, listening.port) == (address, port)


@pytest.mark.parametrize(
    "listen",
    [
        "",
        ":",
        ":8080",
        "80",
        "1023",
        "65536",
        "localhost:8080",
        "::1:8080",
        "[127.0.0.1]:8080",
        "x",
    ],
)
def test_where_they_cannot(listen: str) -> None:
    with pytest.raises(ValueError, match="write an address and a port"):
        parse_listen(listen)


@pytest.mark.parametrize(
    ("lines", "mistake"),
    [
        (('listen = "80"',), "web.listen: '80'; write an address"),
        (('names = ["Table3"]',), "web.names: 'Table3' is no host name in small letters"),
        (('names = ["a..b"]',), "web.names: 'a..b' is no host name"),
        (('certificate = "/x.pem"',), "web.certificate: TLS needs both"),
        (('certificate = "x.pem"', 'key = "/x.key"'), "web.certificate: 'x.pem' is relative"),
        (("[metrics]", "port = 8080"), "web.listen: 8080 is the port of the metrics already"),
        (("port = 8080",), "web: there is no key port; its keys are listen"),
    ],
)
def test_mistakes_in_the_section(tmp_path: Path, lines: tuple[str, ...], mistake: str) -> None:
    with pytest.raises(FileUnusable) as wrong:
        read_table(tmp_path, *lines)
    assert mistake in str(wrong.value)


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "LIBRARY", "aiohttp_that_is_not_installed")
    with pytest.raises(Unavailable, match=r"install banco\[web\]"):
        served.check_library()


def test_a_socket_that_cannot_be_opened_stops_no_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = read_table(tmp_path)
    with (
        machine_in_real_time(table.in_force.plan(), tmp_path) as machine,
        socket_for_pages(machine, table, tmp_path, tmp_path / "no-folder" / "pages") as follow,
    ):
        simulated_table = SimulatedTable(machine)
        follow(simulated_table.service)
        simulated_table.wait_for_devices()
    assert "no pages: " in caplog.text


def test_a_real_tables_pages_are_not_asked_for_on_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = run(TABLES / "caribbean-stud.toml", simulated=False, as_json=False, web="")
    assert status == 2
    assert "the pages of a real table stand in its configuration: [web]" in capsys.readouterr().err


def certificate_in(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, key_file = folder / "table.pem", folder / "table.key"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return pem, key_file


def test_with_a_certificate_they_are_served_by_tls_only(tmp_path: Path) -> None:
    pem, key = certificate_in(tmp_path)
    port = free_port()
    table = read_table(tmp_path, f'listen = "{port}"', f'certificate = "{pem}"', f'key = "{key}"')
    trusted = ssl.create_default_context(cafile=str(pem))

    async def look() -> None:
        async with ClientSession(connector=TCPConnector(ssl=trusted)) as browser:
            table = await next_message(browser, f"https://localhost:{port}", kind="table")
            assert table["table"] == "caribbean-1"
            with pytest.raises(ClientConnectionError):
                await browser.get(f"http://localhost:{port}/sign")

    serve(table, tmp_path, look())


def test_a_certificate_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "table.pem").write_text("no certificate")
    table = read_table(
        tmp_path,
        f'listen = "{free_port()}"',
        f'certificate = "{tmp_path}/table.pem"',
        f'key = "{tmp_path}/table.key"',
    )

    async def wait() -> None:
        async with asyncio.timeout(DEADLINE_S):
            while "table.pem or" not in (tmp_path / "pages.log").read_text("utf-8"):
                await asyncio.sleep(0.05)

    serve(table, tmp_path, wait())


def serve(table: AdoptedConfiguration, folder: Path, meanwhile: Coroutine[Any, Any, None]) -> None:
    """Serve its pages for so long."""
    with (
        machine_in_real_time(table.in_force.plan(), folder) as machine,
        pages_beside(machine, table, folder),
    ):
        machine.loop.run_until_complete(meanwhile)


@contextmanager
def socket_for_pages(
    machine: SimulatedMachine, table: AdoptedConfiguration, folder: Path, path: Path
) -> Iterator[Follower]:
    """The service's side alone; anna is enrolled."""
    assert table.in_force.web is not None
    whose = LineSource(table, machine.plan, folder, machine.disk.folder)
    enrol(folder / "people.toml", "anna")
    loop = machine.loop
    login = PinLogin(
        folder / "people.toml",
        folder / "wrong-pins.json",
        DiskThread(loop),
        lambda: round(loop.time() * 1000),
        loop.call_later,
    )
    listening = table.in_force.web.listening()
    try:
        with served.table_pages(loop, whose, listening, login, path) as follow:
            yield follow
    finally:
        login.close()


@contextmanager
def pages_beside(
    machine: SimulatedMachine, table: AdoptedConfiguration, folder: Path
) -> Iterator[Follower]:
    """The pages' process as its unit starts it, and the service's socket for it."""
    path = folder / "pages"
    command = (*BANCO, "pages", "--socket", str(path))
    with (
        socket_for_pages(machine, table, folder, path) as follow,
        (folder / "pages.log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log, env=ENVIRONMENT) as process,
    ):
        try:
            yield follow
        finally:
            process.terminate()

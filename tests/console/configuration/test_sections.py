"""Where the ledger's second copy and its seal may lie; what a link must name."""

import re
from pathlib import Path

import pytest

from console.configuration.addresses import parse_host
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.sections import LinkSection
from console.database.addresses import Credentials, ServerAddress
from console.link.link_device import plan_link
from tests.console.running_table import configuration


def load_section(folder: Path, *lines: str) -> tuple[str | None, str | None]:
    file = configuration(folder / "table.toml")
    text = file.read_text("utf-8").replace("[ledger]", "\n".join(["[ledger]", *lines]))
    file.write_text(text, "utf-8")
    ledger = load_configuration(file).ledger
    return ledger.mirror, ledger.seal


def test_a_ledger_has_neither_unless_it_is_told(tmp_path: Path) -> None:
    assert load_section(tmp_path) == (None, None)
    lines = ('mirror = "/media/second/banco"', 'seal = "/media/seal/one"')
    assert load_section(tmp_path, *lines) == ("/media/second/banco", "/media/seal/one")


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ('mirror = "second"', "ledger.mirror: 'second' is relative"),
        ('seal = "seal"', "ledger.seal: 'seal' is relative"),
        ('mirror = "{folder}"', "lies in ledger.folder, not elsewhere"),
        ('mirror = "{folder}/second"', "lies in ledger.folder, not elsewhere"),
        ('mirror = "/"', "ledger.mirror: ledger.folder lies in it"),
        ('seal = "{folder}/seal"', "lies in ledger.folder, not elsewhere"),
        ('mirror = "/media/a"\nseal = "/media/a/seal"', "lies in ledger.mirror, not elsewhere"),
        ("seal = 3", "ledger.seal"),
    ],
)
def test_what_would_be_lost_with_the_ledger_is_a_mistake(
    line: str, mistake: str, tmp_path: Path
) -> None:
    with pytest.raises(FileUnusable, match=mistake):
        load_section(tmp_path, line.format(folder=tmp_path))


# The link

LINK = {"jackpot": '"stud"', "hosts": '["db1.casino.example"]'}
FILES = {
    "certificate": '"/etc/banco/table.crt"',
    "key": '"/etc/banco/table.key"',
    "root": '"/etc/banco/house.crt"',
}


def load_link(folder: Path, **keys: str | None) -> LinkSection | None:
    """A simulation with these keys instead of, or besides, a whole link's."""
    lines = {**LINK, **keys}.items()
    section = "".join(f"{key} = {value}\n" for key, value in lines if value is not None)
    file = configuration(folder / "table.toml")
    file.write_text(f"{file.read_text('utf-8')}[link]\n{section}", "utf-8")
    return load_configuration(file).link


def test_a_link_needs_a_jackpot_and_a_host(tmp_path: Path) -> None:
    link = load_link(tmp_path)
    assert link is not None
    assert (link.jackpot, link.database, link.certificate) == ("stud", "banco", None)
    file = configuration(tmp_path / "unlinked.toml")
    assert load_configuration(file).plan().link == ""


def test_a_linked_table_plays_for_the_jackpot_that_is_named(tmp_path: Path) -> None:
    load_link(tmp_path, **FILES)
    configured = load_configuration(tmp_path / "table.toml")
    assert configured.plan().link == "stud"
    plan = plan_link(configured.plan(), configured.link or LinkSection(hosts=(), jackpot=""))
    assert plan.opening.role == "cs-1"
    assert plan.hosts == (ServerAddress("db1.casino.example", 5432),)
    assert plan.opening.credentials == Credentials(
        "/etc/banco/table.crt", "/etc/banco/table.key", "/etc/banco/house.crt"
    )


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("db1", ("db1", 5432)),
        ("db1.casino.example:5433", ("db1.casino.example", 5433)),
        ("192.0.2.1:1", ("192.0.2.1", 1)),
        ("[fd00::5]:65535", ("fd00::5", 65535)),
        ("[fd00::5]", ("fd00::5", 5432)),
    ],
)
def test_a_host_may_have_a_port(host: str, address: tuple[str, int]) -> None:
    assert parse_host(host) == address


@pytest.mark.parametrize("host", ["", "db1:", "db1:0", "db1:65536", "db1 db2", "fd00::5", "[db1]"])
def test_what_is_no_host_is_told(host: str) -> None:
    with pytest.raises(ValueError, match="write a host"):
        parse_host(host)


@pytest.mark.parametrize(
    ("keys", "mistake"),
    [
        ({"jackpot": None}, "link: jackpot is missing"),
        ({"hosts": "[]"}, "link.hosts: names no server"),
        ({"hosts": '["db1:x"]'}, "link.hosts: 'db1:x'; write a host"),
        ({"hosts": '"db1"'}, "link.hosts: write a list, not text in quotes"),
        ({"jackpot": '"Stud"'}, "link.jackpot: 'Stud'; up to 40 of a-z, 0-9 and -"),
        ({"database": '""'}, "link.database: names no database"),
        ({"role": '"x"'}, "its keys are hosts, database, certificate, key, root, jackpot"),
        ({**FILES, "key": '"table.key"'}, "link.key: 'table.key' is relative"),
        ({**FILES, "key": None}, "link.key: TLS needs certificate, key and root"),
    ],
)
def test_what_is_wrong_with_a_link_is_told(
    keys: dict[str, str | None], mistake: str, tmp_path: Path
) -> None:
    with pytest.raises(FileUnusable) as error:
        load_link(tmp_path, **keys)
    assert mistake in str(error.value)


def load_witness(folder: Path, section: str, key: str = 'store = "file"') -> None:
    """A simulation with this section, and a key."""
    file = configuration(folder / "table.toml")
    text = file.read_text("utf-8").replace("[ledger]\n", '[ledger]\nseal = "/media/seal/cs-1"\n')
    file.write_text(f"{text}[key]\n{key}\n[witness]\n{section}\n", "utf-8")
    load_configuration(file)


def test_a_witness_needs_a_host_and_a_key(tmp_path: Path) -> None:
    load_witness(tmp_path, 'hosts = ["db1"]')
    with pytest.raises(FileUnusable, match=r"witness\.hosts: names no server"):
        load_witness(tmp_path, "hosts = []")
    with pytest.raises(FileUnusable, match=r"witness\.hosts: 'db1:x'; write a host"):
        load_witness(tmp_path, 'hosts = ["db1:x"]')
    with pytest.raises(FileUnusable, match=r"witness\.root: TLS needs certificate, key"):
        load_witness(tmp_path, 'hosts = ["db1"]\ncertificate = "/a"\nkey = "/b"')


@pytest.mark.parametrize(
    ("server", "root", "mistake"),
    [
        ("tsa.example", "/etc/tsa.crt", "timestamp.server: 'tsa.example'; write its address"),
        ("ftp://tsa.example/", "/etc/tsa.crt", "timestamp.server: "),
        ("http://tsa.example:99999/", "/etc/tsa.crt", "timestamp.server: "),
        ("http://tsa..example/", "/etc/tsa.crt", "timestamp.server: "),
        ("http://tsa.example/", "tsa.crt", "timestamp.root: 'tsa.crt' is relative"),
    ],
)
def test_what_is_wrong_with_a_server_for_time_stamps_is_told(
    server: str, root: str, mistake: str, tmp_path: Path
) -> None:
    file = configuration(tmp_path / "table.toml")
    section = f'[timestamp]\nserver = "{server}"\nroot = "{root}"\n'
    file.write_text(file.read_text("utf-8") + section, "utf-8")
    with pytest.raises(FileUnusable, match=re.escape(mistake)):
        load_configuration(file)


@pytest.mark.parametrize("port", ["rail", "-5", "dev/ttyUSB0"])
def test_a_port_is_a_device_s_path(port: str, tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    text = file.read_text("utf-8").replace('kind = "simulation"', 'kind = "bench"')
    text += f'[shuffler]\ndriver = "neutral"\nport = "{port}"\n'
    file.write_text(text, "utf-8")
    with pytest.raises(FileUnusable, match=f"shuffler.port: '{port}' is no device; write"):
        load_configuration(file)

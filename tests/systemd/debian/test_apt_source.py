"""A table's apt takes what its house signed, and nothing else: real apt, real keys."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jackpot.failures import Refused, Unavailable
from systemd.debian.apt_source import make_source
from systemd.debian.signing import DAY_S, PackageSigner, make_key
from tests.house.sources import ROOT
from tests.systemd.debian.private_apt import PrivateApt

FLEET = ROOT / "docs/how-to/fleet.md"
TODAY = datetime.now(UTC)  # apt goes by the machine's clock
UNKNOWN_KEY = "NO_PUBKEY|Missing key"
ALTERED = "BADSIG|Message has been manipulated"
"""What apt says with gpgv, and since Debian 13 with sqv."""

CONTROL = """\
Package: {name}
Version: {version}
Architecture: amd64
Maintainer: A house <house@example.org>
Description: stands for a package
"""


def build(folder: Path, version: str, name: str = "banco") -> Path:
    """A small package of the name and version."""
    tree = folder / name / version / "DEBIAN"
    tree.mkdir(parents=True)
    (tree / "control").write_text(CONTROL.format(name=name, version=version))
    package = folder / f"{name}_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "--build", tree.parent, package], check=True, capture_output=True)
    return package


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PackageSigner]:
    keys = tmp_path_factory.mktemp("keys")
    make_key(keys, protected=False)
    with PackageSigner(keys) as signer:
        yield signer


def make_source_with(keys: Path, packages: Path, folder: Path, named: str | None = None) -> None:
    """A source that the keys in this folder sign."""
    with PackageSigner(keys, named) as signer:
        make_source(packages, folder, signer, TODAY)


@pytest.fixture
def stick(tmp_path: Path, signer: PackageSigner) -> Path:
    """A source with two versions for bookworm."""
    packages, folder = tmp_path / "packages", tmp_path / "stick"
    for version in ("0.1.0+deb12", "0.2.0+deb12"):
        build(packages, version)
    build(packages, version, "banco-report")
    make_source(packages, folder, signer, TODAY)
    return folder


@pytest.fixture
def apt(tmp_path: Path, stick: Path) -> PrivateApt:
    """The key came to the table before, by another way."""
    key = tmp_path / "banco.gpg"
    shutil.copy(stick / "banco.gpg", key)
    return PrivateApt(tmp_path / "apt", stick, key)


def test_a_table_takes_the_newest_version_and_can_go_back(apt: PrivateApt) -> None:
    assert apt.update().returncode == 0
    assert apt.run("download", "banco").returncode == 0
    assert apt.run("download", "banco=0.1.0+deb12").returncode == 0
    assert apt.run("download", "banco-report").returncode == 0
    found = sorted(path.name for path in apt.folder.glob("*.deb"))
    assert found.pop(0) == "banco-report_0.2.0+deb12_amd64.deb"
    assert found == ["banco_0.1.0+deb12_amd64.deb", "banco_0.2.0+deb12_amd64.deb"]


def test_a_ring_gets_a_version_when_the_signed_folder_is_copied(
    apt: PrivateApt, tmp_path: Path
) -> None:
    """The line of docs/how-to/fleet.md; the first ring's source is the stick."""
    (line,) = re.findall(r"^```rings\n(.+)\n```$", FLEET.read_text("utf-8"), re.MULTILINE)
    others = replace(apt, folder=tmp_path / "others", source=tmp_path / "all")
    assert others.update().returncode != 0
    line = line.replace("/srv/banco/first", str(apt.source))
    subprocess.run(line.replace("/srv/banco/all", str(others.source)), shell=True, check=True)
    assert others.update().returncode == 0
    assert others.run("download", "banco=0.2.0+deb12").returncode == 0


def test_another_house_is_refused(apt: PrivateApt, tmp_path: Path) -> None:
    """Its source is in order, but for the key."""
    make_key(tmp_path / "forger", protected=False)
    make_source_with(tmp_path / "forger", tmp_path / "packages", apt.source)
    check_refusal(apt, UNKNOWN_KEY)


def test_a_source_without_a_signature_is_refused(apt: PrivateApt) -> None:
    for name in ("InRelease", "Release.gpg"):
        (apt.source / "dists/bookworm" / name).unlink()
    check_refusal(apt, "is not signed")


def test_an_altered_release_is_refused(apt: PrivateApt) -> None:
    alter(apt.source / "dists/bookworm/InRelease", "Label: banco", "Label: banca")
    check_refusal(apt, ALTERED)


def test_an_altered_list_of_packages_is_refused(apt: PrivateApt) -> None:
    place = apt.source / "dists/bookworm/main/binary-amd64"
    (place / "Packages.gz").unlink()
    alter(place / "Packages", "Version: 0.2.0+deb12", "Version: 0.3.0+deb12")
    check_refusal(apt, "Hash Sum mismatch")


def test_an_altered_package_is_refused(apt: PrivateApt) -> None:
    assert apt.update().returncode == 0
    package = apt.source / "pool/bookworm/banco_0.2.0+deb12_amd64.deb"
    content = package.read_bytes()
    package.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    refusal = apt.run("download", "banco")
    assert refusal.returncode != 0
    assert "Hash Sum mismatch" in refusal.stdout
    assert not list(apt.folder.glob("*.deb"))


def test_an_older_list_of_the_house_does_not_replace_a_newer_one(
    apt: PrivateApt, tmp_path: Path, signer: PackageSigner
) -> None:
    """Somebody brings last year's stick: apt goes on with what it knows."""
    packages, last_year = tmp_path / "packages", tmp_path / "last-year"
    make_source(packages, last_year, signer, TODAY - timedelta(days=365))
    build(packages, "0.3.0+deb12")
    make_source(packages, apt.source, signer, TODAY)
    assert apt.update().returncode == 0
    shutil.rmtree(apt.source)
    shutil.copytree(last_year, apt.source)
    apt.update()
    assert "banco_0.3.0" in apt.run("--print-uris", "download", "banco").stdout


def test_a_new_key_takes_over_while_both_sign(apt: PrivateApt, tmp_path: Path) -> None:
    """A table that has the old key alone takes what both have signed, and not the new one's."""
    keys, packages = tmp_path / "house", tmp_path / "packages"
    old = make_key(keys, protected=False)
    new = make_key(keys, protected=False)
    make_source_with(keys, packages, apt.source, old)
    shutil.copy(apt.source / "banco.gpg", apt.key)
    assert apt.update().returncode == 0
    make_source_with(keys, packages, apt.source, f"{old},{new}")
    assert apt.update().returncode == 0
    both = (apt.source / "banco.gpg").read_bytes()
    make_source_with(keys, packages, apt.source, new)
    refusal = apt.update()
    assert refusal.returncode != 0
    assert re.search(UNKNOWN_KEY, refusal.stdout)
    apt.key.write_bytes(both)
    assert apt.update().returncode == 0


def test_a_key_with_a_passphrase_signs_with_it_alone(apt: PrivateApt, tmp_path: Path) -> None:
    """gpg reads it from a file here, in place of a terminal."""
    keys, packages, typed = tmp_path / "house", tmp_path / "packages", tmp_path / "typed"
    keys.mkdir(mode=0o700)
    (keys / "gpg.conf").write_text(f"pinentry-mode loopback\npassphrase-file {typed}\n")
    typed.write_text("three words long\n")
    make_key(keys, protected=True)
    make_source_with(keys, packages, apt.source)
    shutil.copy(apt.source / "banco.gpg", apt.key)
    assert apt.update().returncode == 0
    for wrong in ("three words\n", "\n"):
        typed.write_text(wrong)
        with pytest.raises(Unavailable, match=r"(Bad|No) passphrase"):
            make_source_with(keys, packages, apt.source)


def test_a_key_says_a_year_before_that_it_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_key(tmp_path / "house", protected=False)
    now = TODAY.timestamp()
    PackageSigner(tmp_path / "house", now=now + 3.9 * 365 * DAY_S)
    assert capsys.readouterr().err == ""
    PackageSigner(tmp_path / "house", now=now + 4.5 * 365 * DAY_S)
    assert f"the key {made} ends on " in capsys.readouterr().err
    with pytest.raises(Refused, match="no table takes it"):
        PackageSigner(tmp_path / "house", now=now + 5.1 * 365 * DAY_S)


def test_without_a_key_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no such secret keys"):
        PackageSigner(tmp_path)


def test_without_a_package_nothing_is_signed(tmp_path: Path, signer: PackageSigner) -> None:
    with pytest.raises(Refused, match="make deb first"):
        make_source(tmp_path, tmp_path / "stick", signer, TODAY)


def check_refusal(apt: PrivateApt, reason: str) -> None:
    """apt says why, a regular expression, and knows of no package."""
    update = apt.update()
    assert update.returncode != 0
    assert re.search(reason, update.stdout)
    assert apt.run("download", "banco").returncode != 0


def alter(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")

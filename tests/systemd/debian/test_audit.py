"""A package's bill of materials, and its comparison with a feed of vulnerabilities."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from jackpot.failures import Unavailable
from systemd.debian.audit import audit, is_affected, main, read_bill
from systemd.debian.bill_of_materials import bill_of, write_bill
from systemd.debian.target import TARGETS

TARGET = TARGETS[0]
RECORD: dict[str, Any] = {
    "id": "PYSEC-2026-1",
    "modified": "2026-11-20T10:00:00Z",
    "summary": "a request can be smuggled",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "Aio_HTTP"},
            "ranges": [
                {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "3.10.2"}]},
            ],
        }
    ],
}


@pytest.fixture
def bill(tmp_path: Path) -> Path:
    """Of a program of two libraries."""
    for name, version in (("aio.http", "3.10.1"), ("msgspec", "0.19.0"), ("banco", "0.1.0")):
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    package = tmp_path / "banco_0.1.0+deb12_amd64.deb"
    file = bill_of(package)
    depends = ["libc6 (>= 2.36)", "python3 (>= 3.11)", "python3 (<< 3.12)", "banco"]
    file.write_text(write_bill(package, tmp_path, depends, TARGET, 0))
    return file


def write_feed(folder: Path, *records: dict[str, Any]) -> Path:
    feed = folder / "all.zip"
    with zipfile.ZipFile(feed, "w") as archive:
        for record in records:
            archive.writestr(f"{record['id']}.json", json.dumps(record))
    return feed


def test_the_bill_names_every_library_and_what_the_machine_must_have(bill: Path) -> None:
    assert bill.name == "banco_0.1.0+deb12_amd64.cdx.json"
    assert read_bill(bill) == {"aio-http": "3.10.1", "msgspec": "0.19.0"}
    content = json.loads(bill.read_text())
    assert (content["bomFormat"], content["specVersion"]) == ("CycloneDX", "1.6")
    named = content["metadata"]["component"]
    assert (named["name"], named["version"]) == ("banco", "0.1.0+deb12")
    assert [one["purl"] for one in content["components"]] == [
        "pkg:pypi/aio-http@3.10.1",
        "pkg:pypi/msgspec@0.19.0",
        "pkg:deb/debian/libc6?arch=amd64&distro=bookworm",
        "pkg:deb/debian/python3?arch=amd64&distro=bookworm",
    ]


def test_a_library_that_the_feed_names_is_found(
    bill: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {**RECORD, "id": "PYSEC-2026-2", "withdrawn": "2026-11-21T00:00:00Z"}
    assert audit(bill, write_feed(tmp_path, RECORD, other)) == 1
    assert capsys.readouterr().out == (
        "aio-http 3.10.1: PYSEC-2026-1: a request can be smuggled (mended in 3.10.2)\n"
        "banco_0.1.0+deb12_amd64.cdx.json: vulnerabilities 1, libraries 2, "
        "records 2, the newest of 2026-11-20\n"
    )


def test_a_feed_that_names_none_of_them_is_in_order(bill: Path, tmp_path: Path) -> None:
    record = json.loads(json.dumps(RECORD).replace("Aio_HTTP", "other"))
    assert audit(bill, write_feed(tmp_path, record)) == 0


@pytest.mark.parametrize(
    ("events", "affected"),
    [
        ([{"introduced": "0"}], True),
        ([{"introduced": "0"}, {"fixed": "3.10.1"}], False),
        ([{"introduced": "3.11"}], False),
        ([{"introduced": "3.9"}, {"last_affected": "3.10.1"}], True),
        ([{"introduced": "3.9"}, {"last_affected": "3.10.0"}], False),
        ([{"introduced": "0"}, {"fixed": "2"}, {"introduced": "3"}, {"fixed": "4"}], True),
        ([{"introduced": "0"}, {"fixed": "no version"}], True),
    ],
)
def test_a_version_is_in_a_range_or_not(events: list[dict[str, str]], affected: bool) -> None:
    record = {"ranges": [{"type": "ECOSYSTEM", "events": events}]}
    assert is_affected("3.10.1", record) is affected
    assert is_affected("3.10.1", {"versions": ["3.10.1"]})


def test_what_is_no_feed_or_no_bill_is_named(
    bill: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Unavailable, match="has no record"):
        audit(bill, write_feed(tmp_path))
    with pytest.raises(Unavailable, match="is no bill of materials"):
        read_bill(tmp_path / "all.zip")
    monkeypatch.setattr("sys.argv", ["audit", "--feed", str(bill), str(bill)])
    assert main() == 2
    assert "is not OSV's PyPI/all.zip" in capsys.readouterr().err

"""The program's files against the hashes of its installed distribution."""

import base64
import hashlib
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from console.technician.commands.verify import PACKAGES, inspect_files
from jackpot.failures import Unavailable

FILES = {
    "console/__init__.py": "",
    "console/rules/round/tokens.py": "STUCK_AFTER_MS = 2000\n",
    "console/texts/catalogue/faults.toml": "[faults]\n",
    "devices/__init__.py": "",
    "firmware_bridge/__init__.py": "",
    "jackpot/ledger/ledger.py": "SNAPSHOT_EVERY = 256\n",
}


def sha256(content: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest()).rstrip(b"=").decode()


def install(folder: Path, direct_url: str = "") -> Distribution:
    """A distribution as pip leaves it: files, and a RECORD with their hashes."""
    for name, content in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    dist_info = folder / "banco-1.2.3.dist-info"
    dist_info.mkdir()
    (dist_info / "METADATA").write_text("Metadata-Version: 2.1\nName: banco\nVersion: 1.2.3\n")
    if direct_url:
        (dist_info / "direct_url.json").write_text(direct_url)
    lines = [f"{name},sha256={sha256(text)},{len(text)}" for name, text in FILES.items()]
    compiled = folder / "console" / "__pycache__" / "a.cpython-311.pyc"
    compiled.parent.mkdir()
    compiled.write_bytes(b"compiled")
    lines += ["console/__pycache__/a.cpython-311.pyc,,", "banco-1.2.3.dist-info/RECORD,,"]
    (dist_info / "RECORD").write_text("\n".join(lines))
    return Distribution.at(dist_info)


def test_files_as_they_were_installed_pass(tmp_path: Path) -> None:
    seen: list[None] = []
    found = inspect_files(install(tmp_path), tmp_path, lambda: seen.append(None))
    assert found.sound
    assert found.version == "1.2.3"
    assert found.checked == len(FILES)
    assert len(seen) >= len(FILES), "progress can be told, and the work ended, at each file"


@pytest.mark.parametrize("name", FILES)
def test_any_changed_file_is_named(name: str, tmp_path: Path) -> None:
    distribution = install(tmp_path)
    with (tmp_path / name).open("a") as file:
        file.write(" ")
    found = inspect_files(distribution, tmp_path)
    assert not found.sound
    assert found.changed == (name,)
    assert found.checked == len(FILES) - 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    distribution = install(tmp_path)
    (tmp_path / "jackpot/ledger/ledger.py").unlink()
    assert inspect_files(distribution, tmp_path).missing == ("jackpot/ledger/ledger.py",)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_file_that_was_not_installed_with_it_is_named(package: str, tmp_path: Path) -> None:
    distribution = install(tmp_path)
    (tmp_path / package / "extra.py").write_text("import os\n")
    found = inspect_files(distribution, tmp_path)
    assert found.strange == (f"{package}/extra.py",)
    assert not found.sound


def test_what_python_compiled_is_left_out(tmp_path: Path) -> None:
    distribution = install(tmp_path)
    (tmp_path / "console/__pycache__/b.cpython-311.pyc").write_bytes(b"made at the first start")
    assert inspect_files(distribution, tmp_path).sound


@pytest.mark.parametrize("digest", ["sha256=%%%", "sha256=", "md5=rL0Y20zC-Fzt72VPzMSk2A"])
def test_a_hash_that_is_none_passes_nothing(digest: str, tmp_path: Path) -> None:
    distribution = install(tmp_path)
    record = tmp_path / "banco-1.2.3.dist-info/RECORD"
    right = f"sha256={sha256(FILES['jackpot/ledger/ledger.py'])}"
    record.write_text(record.read_text().replace(right, digest))
    assert inspect_files(distribution, tmp_path).changed == ("jackpot/ledger/ledger.py",)


def test_an_editable_installation_cannot_be_verified(tmp_path: Path) -> None:
    direct_url = '{"url": "file:///somewhere", "dir_info": {"editable": true}}'
    with pytest.raises(Unavailable, match="editable"):
        inspect_files(install(tmp_path, direct_url), tmp_path)


def test_one_from_a_folder_can(tmp_path: Path) -> None:
    direct_url = '{"url": "file:///somewhere", "dir_info": {}}'
    assert inspect_files(install(tmp_path, direct_url), tmp_path).sound


def test_without_a_list_of_hashes_it_cannot_be_verified(tmp_path: Path) -> None:
    distribution = install(tmp_path)
    (tmp_path / "banco-1.2.3.dist-info/RECORD").unlink()
    with pytest.raises(Unavailable, match="RECORD"):
        inspect_files(distribution, tmp_path)


def test_another_copy_than_the_one_that_runs_is_no_proof(tmp_path: Path) -> None:
    elsewhere = tmp_path / "checkout"
    elsewhere.mkdir()
    with pytest.raises(Unavailable, match="is not what was installed"):
        inspect_files(install(tmp_path / "site"), elsewhere)

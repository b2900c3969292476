"""`banco key`: the table's own key, made once and shown."""

from pathlib import Path

import pytest

from console.command_line.main import main
from tests.console.running_table import configuration


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "table").mkdir()
    file = configuration(tmp_path / "table" / "table.toml")
    seal, key = tmp_path / "seal", tmp_path / "key"
    more = f'[key]\nstore = "file"\nfolder = "{key}"\n[ledger]\nseal = "{seal}"'
    file.write_text(file.read_text("utf-8").replace("[ledger]", more), "utf-8")
    return file


def test_it_is_made_once_and_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "make", str(file)]) == 0
    where, public, fingerprint = capsys.readouterr().out.splitlines()
    assert where == "the key is in a file, without a TPM: whoever reads it can sign as the table"
    assert public.startswith(f"public key  {file.parents[1]}/key/table.key.pub")
    assert main(["key", "show", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [where, fingerprint, "counter     0"]
    assert main(["ledger", "key", "--show", f"{file.parents[1]}/key/table.key.pub"]) == 0
    assert capsys.readouterr().out.split() == fingerprint.split()[1:]
    assert main(["key", "make", str(file)]) == 2
    assert "never overwritten" in capsys.readouterr().err


def test_a_key_that_is_not_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "show", str(file)]) == 2
    assert "the table's key cannot be read" in capsys.readouterr().err


def test_a_table_without_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = configuration(tmp_path / "table.toml")
    assert main(["key", "make", str(file)]) == 2
    assert capsys.readouterr().err == f"{file}: it has no section [key]\n"


def test_a_table_that_does_not_run_signs_nothing(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["key", "make", str(file)]) == 0
    capsys.readouterr()
    assert main(["key", "sign", str(file)]) == 2
    assert "the table cannot sign its newest record: " in capsys.readouterr().err

"""What `banco check` says of a table that is configured without mistakes, but at risk."""

import re
from pathlib import Path

import pytest

from console.configuration.file import load_configuration
from devices.device import Device
from tests.console.real_table import Ended, type_command
from tests.house.sources import ROOT

TABLES = sorted((ROOT / "docs/tables").glob("*.toml"))


PRODUCTION = [file for file in TABLES if 'kind = "production"' in file.read_text("utf-8")]


@pytest.mark.parametrize("file", PRODUCTION, ids=lambda file: file.stem)
def test_the_examples_have_copy_seal_and_key_and_say_what_that_leaves(file: Path) -> None:
    checked = type_command("check", str(file))
    assert checked.status == 0
    assert list_warnings(checked) == ["key.store", "witness"]


def test_each_board_for_which_version_1_is_asked_is_named(tmp_path: Path) -> None:
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8")
    file = tmp_path / "table.toml"
    file.write_text(re.sub(r'(port = "/dev/table/(rail|shuffler)")', r"\1\nprotocol = 1", text))
    boards = ["rail.protocol", "shuffler.protocol"]
    assert list_warnings(type_command("check", str(file))) == ["key.store", "witness", *boards]


def test_a_board_proves_itself_where_nothing_else_is_asked_for() -> None:
    """Not so a simulated one, at whose line nobody is"""
    real, simulated = (
        load_configuration(ROOT / f"docs/tables/{name}.toml")
        for name in ("caribbean-stud", "simulation")
    )
    assert real.board_protocols() == {Device.RAIL: 2, Device.SHUFFLER: 2}
    assert simulated.board_protocols() == {Device.RAIL: 1}


@pytest.mark.parametrize("file", sorted({*TABLES} - {*PRODUCTION}), ids=lambda file: file.stem)
def test_a_table_without_money_risks_nothing(file: Path) -> None:
    checked = type_command("check", str(file))
    assert (checked.status, checked.complaints.count("warning")) == (0, 0)


@pytest.mark.parametrize(
    ("left_out", "warned"),
    [
        (("mirror =",), ["ledger.mirror", "key.store", "witness"]),
        (("[key]", "store ="), ["key", "witness"]),
        (("[key]", "store =", "seal ="), ["ledger.seal", "key", "witness"]),
    ],
)
def test_a_real_table_without_one_is_warned_and_may_start(
    left_out: tuple[str, ...], warned: list[str], tmp_path: Path
) -> None:
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8").splitlines()
    file = tmp_path / "table.toml"
    lines = [line for line in text if not line.startswith(left_out)]
    file.write_text("\n".join(lines), "utf-8")
    checked = type_command("check", str(file))
    assert checked.status == 0
    assert list_warnings(checked) == warned


def test_a_table_with_a_tpm_and_a_witness_outside_risks_nothing(tmp_path: Path) -> None:
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8")
    file = tmp_path / "table.toml"
    tls = "".join(f'{name} = "/etc/banco/{name}"\n' for name in ("certificate", "key", "root"))
    witness = f'[witness]\nhosts = ["db1.casino.example"]\n{tls}'
    file.write_text(text.replace('store = "file"', 'store = "tpm"') + "\n" + witness, "utf-8")
    checked = type_command("check", str(file))
    assert (checked.status, list_warnings(checked)) == (0, [])
    file.write_text(text.replace('[key]\nstore = "file"\n', "") + "\n" + witness, "utf-8")
    without = type_command("check", str(file))
    assert without.status == 2
    assert "witness: its heads are signed with the table's key: add a section [key]" in (
        without.complaints
    )


def list_warnings(checked: Ended) -> list[str]:
    """What the warnings are about."""
    lines = checked.complaints.splitlines()
    return [line.split(": ")[1] for line in lines if line.startswith("warning: ")]

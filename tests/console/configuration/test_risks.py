"""What `banco check` says of a table that is configured without mistakes, but at risk."""

from pathlib import Path

import pytest

from tests.console.real_table import type_command
from tests.house.sources import ROOT

TABLES = sorted((ROOT / "docs/tables").glob("*.toml"))


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.stem)
def test_the_examples_risk_nothing(file: Path) -> None:
    checked = type_command("check", str(file))
    assert (checked.status, checked.complaints.count("warning")) == (0, 0)


@pytest.mark.parametrize("key", ["mirror", "seal"])
def test_a_real_table_without_one_is_warned_and_may_start(key: str, tmp_path: Path) -> None:
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8").splitlines()
    file = tmp_path / "table.toml"
    lines = [line for line in text if not line.startswith(f"{key} =")]
    file.write_text("\n".join(lines), "utf-8")
    checked = type_command("check", str(file))
    assert checked.status == 0
    assert checked.complaints.startswith(f"warning: ledger.{key}: there is no ")

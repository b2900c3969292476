"""The file of names: what is wrong in it is named, and where it lies."""

from pathlib import Path

import pytest

from console.configuration.person_names import load_names, names_of_ledger, save_names
from jackpot.failures import LedgerUnavailable


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('1 = "anna"', "'1': a number is eight digits"),
        ('10000001 = "Anna B"', "10000001: 'Anna B': a name is 1 to 24"),
        ("10000001 = 5", "10000001: '5': a name is 1 to 24"),
        ("10000001", "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "people-names.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(LedgerUnavailable) as raised:
        load_names(file)
    assert f"{file}: " in str(raised.value)
    assert says in str(raised.value)


@pytest.mark.parametrize("where", ["ledger", "."])
def test_it_lies_with_the_ledger_or_beside_it(where: str, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    ledger.mkdir()
    assert names_of_ledger(ledger) == {}
    save_names(tmp_path / where / "people-names.toml", {"10000001": "anna", "10000002": ""}, None)
    assert names_of_ledger(ledger) == {"10000001": "anna", "10000002": ""}

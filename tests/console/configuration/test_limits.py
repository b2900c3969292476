"""Ceilings for money: what only root writes holds for the line and for the table's own file."""

from pathlib import Path

import pytest

from console.command_line.main import main
from console.configuration import limits
from console.configuration.adopted import read_adopted
from console.configuration.file import check_content, content_of
from console.configuration.limits import Limits, load_limits, parse_limits
from console.configuration.named_files import FileUnusable, why_not_roots
from console.configuration.sections import Configuration
from tests.console.running_table import ROOT, configuration


def add_money(file: Path, line: str) -> Path:
    file.write_text(file.read_text("utf-8").replace("[ledger]", f"{line}\n[ledger]"), "utf-8")
    return file


def real_table() -> Configuration:
    file = ROOT / "docs/tables/caribbean-stud.toml"
    return check_content(str(file), content_of(file))


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ('base = "99999999.00"', "money.base: 99999999.00; at most 100000.00, as "),
        ('base = "100000.01"', "money.base: 100000.01; at most 100000.00, as "),
        ('opening = "100000.01"', "money.opening: 100000.01; at most 100000.00, as "),
        ('to_reserve = "50.01"\nto_jackpot = "10"', "money.to_reserve: 50.01; at most 50, as "),
    ],
)
def test_a_changed_table_file_keeps_within_the_limits(
    line: str, mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A limit also holds for what root, or whoever changed the file, wrote into it."""
    file = add_money(configuration(tmp_path / "table.toml"), line)
    with pytest.raises(FileUnusable) as raised:
        read_adopted(file)
    assert f"{file}: {mistake}{tmp_path / 'limits.toml'} has it" in str(raised.value)
    assert main(["check", str(file)]) == 2
    assert mistake in capsys.readouterr().err


def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    file = add_money(configuration(tmp_path / "table.toml"), 'base = "100000.00"')
    assert read_adopted(file).in_force.money.base == "100000.00"
    (tmp_path / "limits.toml").write_text('[highest]\nbase = "6000.00"\n')
    with pytest.raises(FileUnusable, match=r"money.base: 100000\.00; at most 6000\.00"):
        read_adopted(file)


def test_without_a_file_the_defaults_hold_which_are_those_of_the_example() -> None:
    assert load_limits(real_table()) == Limits()
    assert parse_limits((ROOT / "systemd/limits.toml").read_text("utf-8")) == Limits()


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("", "highest is missing"),
        ('[highest]\nbase = "5,00"', "highest.base: '5,00' is not an amount"),
        ('[highest]\nto_jackpot = "101"', "highest.to_jackpot: "),
        ("[highest]\nbase = 5000", "highest.base: write text in quotes, not a whole number"),
        ('[highest]\nbsae = "5.00"', "there is no key bsae"),
        ("]]", "is not TOML"),
    ],
)
def test_a_mistake_in_it_is_named_and_no_limit_is_guessed(text: str, mistake: str) -> None:
    with pytest.raises(FileUnusable) as raised:
        parse_limits(text)
    assert mistake in str(raised.value)


def test_limits_that_the_services_user_raised_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "limits.toml"
    file.write_text('[highest]\nbase = "99999999.00"\n')
    monkeypatch.setattr(limits, "LIMITS_FILE", file)
    file.chmod(0o664)
    with pytest.raises(FileUnusable, match="others than its owner may write it"):
        load_limits(real_table())
    assert why_not_roots(0o100644, 0) is None
    assert "belongs to user 999, not to root" in str(why_not_roots(0o100644, 999))


def test_limits_that_cannot_be_read_hold_the_table_back(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    (tmp_path / "limits.toml").mkdir()
    with pytest.raises(FileUnusable, match=r"limits.toml: cannot be read"):
        read_adopted(file)

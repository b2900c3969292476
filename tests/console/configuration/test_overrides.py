"""Settings written over a configuration: read with it, and every mistake told by file and key."""

from pathlib import Path

import pytest

from console.command_line.main import main
from console.configuration.adopted import read_adopted
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import (
    LONGEST_VALUE,
    OVERRIDES_FILE,
    Override,
    read_overrides,
    render_overrides,
)
from console.rules.structs import replace
from console.texts.language import Language
from jackpot.money.amounts import Cents
from tests.console.running_table import configuration

CCTALK = 'driver = "simulated"'


def write_overrides(folder: Path, **values: str) -> Path:
    """These keys (`money__token` for money.token), written by Rossi."""
    named = {key.replace("__", "."): value for key, value in values.items()}
    file = folder / OVERRIDES_FILE
    file.write_text(
        render_overrides({k: Override(v, "rossi", "23:11") for k, v in named.items()}), "utf-8"
    )
    return file


def mistakes(file: Path) -> str:
    with pytest.raises(FileUnusable) as raised:
        read_adopted(file)
    return str(raised.value)


def test_what_was_written_holds_instead_of_what_the_file_says(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    assert read_adopted(file).in_force.money.token == "2.00"
    write_overrides(tmp_path, money__token="5.00", language="en", panel__settle_ms="8")
    plan = read_adopted(file).in_force.plan()
    assert (plan.money.token, plan.language) == (Cents(500), Language.EN)
    assert read_adopted(file).in_force.panel.settle_ms == 8
    assert read_adopted(file).in_force.money.to_jackpot == "70"


def test_a_linked_table_does_not_start_with_money_written_on_the_line(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    link = '[link]\njackpot = "stud"\nhosts = ["127.0.0.1:5432"]\n'
    file.write_text(file.read_text("utf-8") + link, "utf-8")
    written = write_overrides(tmp_path, money__token="5.00", language="en")
    text = mistakes(file)
    assert f"{written}" in text
    assert "money.token: LINKED: of a linked jackpot two operators change it" in text
    write_overrides(tmp_path, language="en")
    assert read_adopted(file).in_force.language is Language.EN


def test_serial_numbers_are_those_of_a_cctalk_rail(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml", rail_kind="cctalk")
    write_overrides(tmp_path, rail__serials="1 2 3, 4 5,6 7")
    rail = read_adopted(file).in_force.rail
    assert rail is not None
    assert rail.serials == (1, 2, 3, 4, 5, 6, 7)
    write_overrides(tmp_path, rail__serials="1 2 3")
    assert "rail.serials: seven serial numbers" in mistakes(file)
    write_overrides(tmp_path, rail__serials="1 2 3 4 5 6 7" + " " * LONGEST_VALUE)
    assert "rail.serials: a value has at most 200 characters" in mistakes(file)
    configuration(file)
    write_overrides(tmp_path, rail__serials="1 2 3 4 5 6 7")
    assert "rail.serials: is not changed here; there are language," in mistakes(file)


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("money__token", "2,00", "'2,00' is not an amount"),
        ("money__token", "0", "a token must be worth something"),
        ("money__to_reserve", "40", "with to_jackpot it makes 110 %"),
        ("money__to_jackpot", "95", "with to_jackpot it makes 105 %"),
        ("language", "de", "'de'; it is one of it, en"),
        ("panel__settle_ms", "fast", "'fast'; write milliseconds"),
        ("panel__settle_ms", "50", "50; it must be 0 to 20"),
        ("table", "cs-2", "is not changed here"),
        ("money__opening", "0.00", "is not changed here"),
        ("no__such", "1", "is not changed here"),
    ],
)
def test_a_mistake_is_told_of_the_file_that_makes_it(
    key: str, value: str, what: str, tmp_path: Path
) -> None:
    file = configuration(tmp_path / "table.toml")
    overrides = write_overrides(tmp_path, **{key: value})
    (message,) = mistakes(file).splitlines()
    assert message.startswith(f"{overrides}: ")
    assert what in message


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("]] not toml", "is not TOML"),
        ('language = "en"', "'language': a setting is [KEY] with value"),
        ('[language]\nvalue = "en"\ncolour = "red"\n', "'language': a setting is [KEY]"),
        ('[language]\nwho = "rossi"\n', "with value = "),
        ("x" * 20_000, "is longer than"),
    ],
)
def test_a_damaged_file_is_told_and_nothing_starts(text: str, what: str, tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    (tmp_path / OVERRIDES_FILE).write_text(text)
    message = mistakes(file)
    assert message.startswith(f"{tmp_path / OVERRIDES_FILE}: ")
    assert what in message


def test_the_main_files_own_mistakes_come_first(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml", token="2,00")
    write_overrides(tmp_path, money__token="5.00")
    assert mistakes(file).startswith(f"{file}: money.token: '2,00'")


def test_what_is_written_is_read_back_as_it_was(tmp_path: Path) -> None:
    overrides = {"money.token": Override("5.00", "rossi", "2026-01-02T03:04:05.678+00:00")}
    file = tmp_path / OVERRIDES_FILE
    assert read_overrides(file) == {}
    file.write_text(render_overrides(overrides), "utf-8")
    assert read_overrides(file) == overrides


def test_check_reads_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = configuration(tmp_path / "table.toml")
    overrides = write_overrides(tmp_path, money__token="5.00")
    assert main(["check", str(file)]) == 0
    write_overrides(tmp_path, money__token="five")
    assert main(["check", str(file)]) == 2
    assert f"{overrides}: money.token: 'five'" in capsys.readouterr().err


def test_a_round_in_play_keeps_the_amounts_it_began_with(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    began = read_adopted(file).in_force.plan().settings()
    write_overrides(tmp_path, money__token="5.00", language="en")
    held = read_adopted(file).with_amounts_of_round(began)
    assert held is not None
    assert (held.in_force.money.token, held.adopted.money.token) == ("2.00", "5.00")
    assert held.in_force.language is Language.EN
    assert read_adopted(file).with_amounts_of_round(replace(began, table="cs-2")) is None
    configuration(file, token="3.00")
    write_overrides(tmp_path, language="en")
    assert read_adopted(file).with_amounts_of_round(began) is None  # it is root who changed that

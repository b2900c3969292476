"""The bordereau says which configuration the service ran, by its SHA-256."""

import json
from pathlib import Path

import pytest

from console.bordereau.json import json_of
from console.bordereau.nights import bordereau_of, newest_night
from console.bordereau.pdf import pdf_of
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import COLUMNS, group_hash, text_of
from console.bordereau.words import Wording
from console.configuration.adopted import read_adopted
from console.configuration.keys import fingerprint
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from tests.console.bordereau.played_nights import IN_ENGLISH, IN_ITALIAN, play_closed_night
from tests.console.bordereau.test_sections import text_of_pdf
from tests.console.running_table import configuration
from tests.console.table import Table

ROUND = ("press GAME_OVER", "key S", "wait 1s", "key R")


def run(folder: Path, token: str, *lines: str) -> str:
    """Play with this token's value; returns the configuration's SHA-256."""
    file = configuration(folder / "table.toml", token=token)
    adopted = read_adopted(file)
    with machine_in_virtual_time(adopted.plan(), folder) as machine:
        Table(machine.plan, machine).play(*ROUND, *lines)
        return fingerprint(adopted.in_force)


def test_each_configuration_of_the_night_is_in_it_once(tmp_path: Path) -> None:
    first, again, second = run(tmp_path, "2.00"), run(tmp_path, "2.00"), run(tmp_path, "3.00")
    assert first == again != second
    folder = tmp_path / "ledger"
    report = bordereau_of(folder, newest_night(folder))
    assert [sha256 for _, sha256 in report.configurations] == [first, second]
    assert [since for since, _ in report.configurations] == [report.starts[0], report.starts[2]]
    found = json.loads(json_of(report))["configurations"]
    assert [one["sha256"] for one in found] == [first, second]
    for say in (IN_ENGLISH, IN_ITALIAN):
        text, pdf = text_of(sheet_of(report, say)), text_of_pdf(pdf_of(sheet_of(report, say), say))
        assert max(map(len, text.splitlines())) <= COLUMNS
        for line in (*group_hash(first), *group_hash(second)):
            assert line in text
            assert line in pdf


def test_a_night_without_a_start_has_that_of_the_start_before_it(tmp_path: Path) -> None:
    more = ("declare tray 0", *ROUND)
    sha256 = run(tmp_path, "2.00", *more)
    folder = tmp_path / "ledger"
    report = bordereau_of(folder, newest_night(folder))
    assert report.starts == ()
    assert report.configurations == ((None, sha256),)


@pytest.mark.parametrize("words", [(IN_ENGLISH, "not on record"), (IN_ITALIAN, "non e'")])
def test_a_table_without_a_file_has_none(words: tuple[Wording, str], tmp_path: Path) -> None:
    say, none = words
    report = play_closed_night(tmp_path)
    assert [sha256 for _, sha256 in report.configurations] == [""]
    assert none in text_of(sheet_of(report, say))
    assert json.loads(json_of(report))["configurations"][0]["sha256"] is None

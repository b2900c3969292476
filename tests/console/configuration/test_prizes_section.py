"""[game] prizes: a prize file beside the table's, and what `banco check` says of it."""

import re
from pathlib import Path

import pytest

from console.configuration.file import load_configuration
from console.configuration.keys import fingerprint, keys_of
from console.configuration.named_files import FileUnusable
from console.simulation.scenario.script import parse_scenario
from jackpot.failures import Refused
from tests.console.real_table import type_command

SCENARIOS = Path(__file__).parents[2] / "scenarios"

TABLE = """
kind = "simulation"
table = "stud-1"
{game}
[ledger]
folder = "/var/tmp/stud-1"
[panel]
driver = "simulated"
[display]
driver = "simulated"
[rail]
kind = "slot"
driver = "simulated"
[shuffler]
driver = "simulated"
"""

NAMED = '[game]\nname = "caribbean-stud"\nprizes = "prizes.toml"'
FLUSH = '[[prize]]\ncombination = "FLUSH"\nshare = "1"\nkey = "JPL"\n'


def write_table(folder: Path, prizes: str, game: str = NAMED, more: str = "") -> Path:
    (folder / "prizes.toml").write_text(prizes, "utf-8")
    file = folder / "table.toml"
    file.write_text(TABLE.format(game=game) + more, "utf-8")
    return file


def test_a_tables_prizes_are_those_that_a_scenario_sets(tmp_path: Path) -> None:
    prizes = SCENARIOS / "prizes" / "new-names.toml"
    file = write_table(tmp_path, prizes.read_text("utf-8"))
    example = SCENARIOS / "one.scenario"
    scenario = parse_scenario(f"set prizes prizes/{prizes.name}", str(example))
    assert load_configuration(file).plan().prizes == scenario.plan.prizes
    assert type_command("check", str(file)).status == 0


def test_a_prize_file_is_among_the_keys_and_changes_the_fingerprint(tmp_path: Path) -> None:
    one = load_configuration(write_table(tmp_path, FLUSH))
    assert keys_of(one)["prizes.1"] == "FLUSH key JPL share 1"
    other = load_configuration(write_table(tmp_path, FLUSH.replace('"1"', '"2"')))
    assert fingerprint(one) != fingerprint(other)


def test_the_short_form_of_a_game_is_the_same_table(tmp_path: Path) -> None:
    """PRIZES 1.7"""
    short = load_configuration(write_table(tmp_path, "", 'game = "caribbean-stud"'))
    long = load_configuration(write_table(tmp_path, "", '[game]\nname = "caribbean-stud"'))
    assert (short, fingerprint(short)) == (long, fingerprint(long))
    assert not [key for key in keys_of(short) if key.startswith("prizes")]


@pytest.mark.parametrize(
    ("prizes", "game", "more", "mistake"),
    [
        ("", NAMED, "", "game.prizes: {folder}/prizes.toml:1: prize: 1 to 5 [[prize]] are needed"),
        (
            FLUSH.replace("JPL", "JPM"),
            NAMED,
            "",
            "game.prizes: {folder}/prizes.toml:4: prize 1: key: 'JPM' is neither JPH nor JPL",
        ),
        (FLUSH, NAMED.replace("prizes.", "no."), "", "game.prizes: {folder}/no.toml: cannot be"),
        (FLUSH, '[game]\nprizes = "prizes.toml"', "", "game.name: is missing: name the game"),
        (FLUSH, f"{NAMED}\nname2 = 1", "", "game.name2: unknown key; there are name, prizes"),
        (FLUSH, NAMED.replace('"prizes.toml"', "1"), "", "game.prizes: '1': name its file"),
        (FLUSH, 'prizes = 1\ngame = "caribbean-stud"', "", "prizes: unknown key; name the file in"),
    ],
)
def test_a_mistake_names_file_line_and_key(
    prizes: str, game: str, more: str, mistake: str, tmp_path: Path
) -> None:
    """PRIZES 1.5"""
    file = write_table(tmp_path, prizes, game, more)
    ended = type_command("check", str(file))
    assert ended.status == 2
    assert mistake.format(folder=tmp_path) in ended.complaints


@pytest.mark.parametrize(
    ("written", "locale", "asked", "italian"),
    [
        ("", {"LANG": "it_IT.UTF-8"}, (), True),
        ("", {"LANG": "it_IT.UTF-8", "LC_MESSAGES": "de_DE"}, (), False),
        ("", {"LANG": "C", "LC_ALL": "it"}, (), True),
        ("", {"LC_ALL": "", "LANG": ""}, (), False),
        ('language = "en"\n', {"LANG": "it_IT.UTF-8"}, (), False),
        ('language = "it"\n', {"LANG": "C"}, (), True),
        ('language = "it"\n', {"LANG": "C"}, ("--language", "en"), False),
        ('language = "en"\n', {"LANG": "C"}, ("--language", "it"), True),
    ],
)
def test_a_mistake_is_said_in_the_language_asked_for_else_the_tables_else_the_locales(
    written: str,
    locale: dict[str, str],
    asked: tuple[str, ...],
    italian: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PRIZES 1.5"""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, locale.get(name, ""))
    file = write_table(tmp_path, FLUSH.replace("JPL", "JPM"))
    file.write_text(written + file.read_text("utf-8"), "utf-8")
    command = ("forecast", *asked, "--config") if asked else ("check",)
    ended = type_command(*command, str(file))
    assert ended.status == 2
    italian_text = "premio 1: key: 'JPM' non va bene: scrivere JPH o JPL"
    assert (italian_text in ended.complaints) == italian
    assert ("prize 1: key: 'JPM' is neither JPH nor JPL" in ended.complaints) != italian


def test_a_game_without_a_progressive_has_no_prizes(tmp_path: Path) -> None:
    game = NAMED.replace("caribbean-stud", "black-jack")
    mistakes = find_mistakes(write_table(tmp_path, FLUSH, game))
    assert "game.prizes: black-jack has no progressive; leave it out" in mistakes


def test_what_the_house_puts_in_keeps_below_the_limit(tmp_path: Path) -> None:
    """PRIZES 2.14"""
    limited = 'limit = "4000.00"\n' + FLUSH
    file = write_table(tmp_path, limited, more='[money]\nopening = "4000.01"\nbase = "4000.00"\n')
    assert find_mistakes(file) == [
        "money.opening: 4000.01; it must be at most 4000.00, the limit in prizes.toml"
    ]
    file = write_table(tmp_path, limited, more='[money]\nopening = "4000.00"\nbase = "4000.01"\n')
    assert find_mistakes(file) == [
        "money.base: 4000.01; it must be at most 4000.00, the limit in prizes.toml"
    ]


LINK = """
[link]
jackpot = "stud"
hosts = ["db1.casino.example"]
database = "banco"
"""


@pytest.mark.parametrize(
    ("prizes", "mistake"),
    [
        (FLUSH + 'envy = "5.00"\n', "FLUSH: envy: a linked jackpot pays none beside its highest"),
    ],
)
def test_what_the_centre_does_not_divide_is_refused_at_a_linked_table(
    prizes: str, mistake: str, tmp_path: Path
) -> None:
    """PRIZES 2.20"""
    file = write_table(tmp_path, prizes)
    assert load_configuration(file).plan().prizes
    file = write_table(tmp_path, prizes, more=LINK)
    assert [one for one in find_mistakes(file) if f"game.prizes: prizes.toml: {mistake}" in one]
    example = tmp_path / "one.scenario"
    with pytest.raises(Refused, match=re.escape(mistake)):
        parse_scenario("set prizes prizes.toml\nset link stud", str(example))


def test_a_linked_table_may_have_a_file_of_shares_and_amounts(tmp_path: Path) -> None:
    amount = FLUSH.replace("share", "amount").replace("FLUSH", "SUITED_21")
    head = 'currency = "CHF"\nlimit = "20000.00"\n'
    prizes = f'{head}{FLUSH}{amount}it = "21"\nen = "21"\n'
    load_configuration(write_table(tmp_path, prizes, more=LINK))
    load_configuration(write_table(tmp_path, f'{prizes}envy = "5.00"\n', more=LINK))
    of_house = f'{prizes}envy = "5.00"\nfrom = "house"\n'
    load_configuration(write_table(tmp_path, of_house, more=LINK))


def find_mistakes(file: Path) -> list[str]:
    with pytest.raises(FileUnusable) as refused:
        load_configuration(file)
    return [line.removeprefix(f"{file}: ") for line in str(refused.value).splitlines()]

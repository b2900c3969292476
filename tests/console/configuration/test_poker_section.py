"""[poker] in a table's configuration, and the file of a tournament's structure."""

from pathlib import Path

import pytest

from console.configuration.file import load_configuration
from console.configuration.keys import keys_of
from console.rules.poker_settings import PokerSettings
from console.simulation.scenario.script import parse_scenario
from tests.console.real_table import type_command

TABLE = """
kind = "simulation"
table = "poker-1"
game = "{game}"
[ledger]
folder = "/var/tmp/poker-1"
[panel]
driver = "simulated"
[display]
driver = "simulated"
"""

STRUCTURE = """
late_registration = 1
[[step]]
minutes = 10
blinds = "100/200"
[[step]]
break = 5
[[step]]
minutes = 12
blinds = "200/400"
ante = 50
"""


def write_table(
    folder: Path, poker: str, structure: str = STRUCTURE, game: str = "texas-holdem"
) -> Path:
    (folder / "evening.toml").write_text(structure, "utf-8")
    file = folder / "table.toml"
    file.write_text(f"{TABLE.format(game=game)}[poker]\n{poker}", "utf-8")
    return file


def set_in_scenario(*lines: str) -> object:
    settings = ["set game texas-holdem", *(f"set {line}" for line in lines)]
    return parse_scenario("\n".join(settings), "one.scenario").plan.poker


def test_a_cash_table_is_what_a_scenario_sets(tmp_path: Path) -> None:
    file = write_table(
        tmp_path,
        'house = "san-marino"\nplayers = 6\nhole = 4\nblinds = "10/20"\ntime = "40+5"\n'
        'rake_rate = "2.5"\nrake_fixed = "1.00"\nrake_cap = "2:10 5:20"\n'
        'chips = [100, 50, 20, 5, "0.50"]',
    )
    assert load_configuration(file).plan().poker == set_in_scenario(
        "house san-marino",
        "players 6",
        "hole 4",
        "blinds 10/20",
        "time 40+5",
        "rake-rate 2.5",
        "rake-fixed 1.00",
        "rake-cap 2:10 5:20",
        "chips 100 50 20 5 0.50",
    )


def test_a_tournaments_levels_are_read_from_their_file(tmp_path: Path) -> None:
    """POKER 16.1"""
    poker = 'form = "tournament"\nhouse = "city"\nstructure = "evening.toml"'
    configuration = load_configuration(write_table(tmp_path, poker))
    assert configuration.plan().poker == set_in_scenario(
        "form tournament",
        "house city",
        "level 10m 100/200",
        "break 5m",
        "level 12m 200/400/50",
        "late-registration 1",
    )
    steps = keys_of(configuration)["poker.structure.steps"]
    assert steps == "level 10m 100/200 break 5m level 12m 200/400/50"


def test_the_structure_that_the_rules_print_is_one(tmp_path: Path) -> None:
    """POKER 16.1: an excerpt of a structure: it ends with a break, and names a level to come."""
    rules = (Path(__file__).parents[3] / "docs" / "reference" / "poker-rules.md").read_text("utf-8")
    section = rules.partition("## 16. ")[2].partition("## 17. ")[0]
    printed = [line.strip() for line in section.splitlines() if line.startswith("    ")]
    file = write_table(tmp_path, f'{TOURNAMENT}house = "tda-2011"', "\n".join(printed))
    assert type_command("check", str(file)).status == 0
    assert load_configuration(file).plan().poker == set_in_scenario(
        "form tournament",
        "house tda-2011",
        "level 10m 100/200",
        "break 5m",
        "late-registration 2",
    )


def test_a_poker_table_needs_no_section_and_no_rail(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(TABLE.format(game="texas-holdem"), "utf-8")
    plan = load_configuration(file).plan()
    assert (plan.poker, plan.rail) == (PokerSettings(), None)


def check_refusal(file: Path) -> list[str]:
    """The answer of `banco check`: a line for each mistake, without the file's name."""
    checked = type_command("check", str(file))
    assert checked.status == 2
    return [line.removeprefix(f"{file}: ") for line in checked.complaints.splitlines()]


TOURNAMENT = 'form = "tournament"\nstructure = "evening.toml"\n'


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("poker", "mistake"),
    [
        ('house = "las-vegas"', "poker.house: cannot be 'las-vegas'; it is one"),
        ('form = "sit-and-go"', "poker.form: cannot be 'sit-and-go'; it is one of c"),
        ('haus = "city"', "poker: there is no key haus; its keys are form"),
        ('house = "city"', "poker.house: city has no cash, but tournament"),
        (f'{TOURNAMENT}house = "san-marino"', "poker.house: san-marino has no tournament, but"),
        ("players = 11", "poker.players: 11; 2 to 10"),
        ("hole = 3", "poker.hole: 3; 2 for Hold'em, 4 for Omaha"),
        ('shuffler = "deck"', "shuffler: poker.shuffler = 'deck' needs a [shuffler] section"),
        (
            '[shuffler]\ndriver = "simulated"',
            "poker.shuffler: with a [shuffler] section it is 'deck'; or leave that section out",
        ),
        ('shuffler = "mixer"', "poker.shuffler: "),
        ('blinds = "10/5"', "poker.blinds: '10/5': write blinds as 200/400"),
        ('blinds = "10001/20002"', "poker.blinds: \"HOLD'EM 10.001K/20.002K\" has 23 characters"),
        ('time = "soon"', "poker.time: 'soon': write 25+5 or 60"),
        ('rake_rate = "5"', "poker.rake: rate and fixed part are set in san-marino only"),
        ('rake_cap = "5:20 2:10"', "poker.rake_cap: '5:20 2:10' is no cap such as 30"),
        ('house = "prestige"\nrake_cap = "30"', "poker.rake: the cap of prestige is 25"),
        ("chips = [100, 25, 5, 1]", "poker.chips: write the values of the 5 chips"),
        ("chips = [100, 25, 5, 1, 0]", "poker.chips: the values of the 5 buttons, each above 0"),
        ('chips = [100, 25, 5, 1, "0,5"]', "poker.chips: '0,5' is not an amount such as"),
        ('form = "tournament"', "poker.structure: a tournament needs levels: name the file"),
        ('structure = "evening.toml"', "poker.structure: levels belong to form = 'tournament'"),
        ("structure = 3", "poker.structure: name its file"),
        ('structure = {step = []}', "poker.structure: name its file"),
        (
            'form = "tournament"\nstructure = "night.toml"',
            "poker.structure: {folder}/night.toml: cannot be read: No such file",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_its_key(
    poker: str, mistake: str, tmp_path: Path
) -> None:
    (line,) = check_refusal(write_table(tmp_path, poker))
    assert line.startswith(mistake.format(folder=tmp_path))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("structure", "mistake"),
    [
        ("", "the file: step is missing; its keys are late_registration"),
        ("step = []", "step: a tournament begins with a level: minutes = 10"),
        ("[[step]]\nbreak = 5", "step: a tournament begins with a level: minutes = 10"),
        ("[[step]]\nminutes = 10", "step 1: a step is a level: minutes = 10, blinds = "),
        (f"{STRUCTURE}break = 5", "step 3: a step is a level: minutes = 10, blinds = "),
        (STRUCTURE.replace("= 5\n", "= 0\n"), "step 2: break: 0; it must be 1 to 1440 minutes"),
        (STRUCTURE.replace("12", "1.5"), "step 3: minutes: write a whole number, not a number"),
        (STRUCTURE.replace("12", "1441"), "step 3: minutes: 1441; it must be 1 to 1440 minutes"),
        (STRUCTURE.replace("100/200", "200"), "step 1: blinds: '200'; write them as 100/200"),
        (STRUCTURE.replace("100/200", "1/2/1"), "step 1: blinds: '1/2/1'; write the ante as"),
        (STRUCTURE.replace("50", "-1"), "step 3: ante: -1; it must be 0 to 9999999"),
        (STRUCTURE.replace("= 1\n", "= -1\n"), "late_registration: -1; it must be a level, or 0"),
        ("[[level]]\nminutes = 3", "the file: there is no key level; its keys are"),
        ("[[step]", "is not TOML: "),
    ],
)  # fmt: skip
def test_a_structure_is_refused_with_file_and_step(
    structure: str, mistake: str, tmp_path: Path
) -> None:
    (line,) = check_refusal(write_table(tmp_path, TOURNAMENT, structure))
    assert line.startswith(f"poker.structure: {tmp_path / 'evening.toml'}: {mistake}")


def test_blinds_of_a_level_must_fit_the_display_in_both_languages(tmp_path: Path) -> None:
    """POKER 13.32: `BLIND 12.5K/25K/2500` has 20 characters; `BLIND 12.5K/25.5K/2500` has 22."""
    fits = STRUCTURE.replace("200/400", "12500/25000").replace("50\n", "2500\n")
    load_configuration(write_table(tmp_path, TOURNAMENT, fits))
    too_long = fits.replace("12500/25000", "12500/25500")
    (line,) = check_refusal(write_table(tmp_path, TOURNAMENT, too_long))
    assert line == (
        "poker.structure: blinds of level 2: 'BLIND 12.5K/25.5K/2500' has 22 characters; "
        "at most 20 fit"
    )


def test_another_game_has_no_poker_section(tmp_path: Path) -> None:
    file = write_table(tmp_path, "", game="ultimate-texas-holdem")
    mistake = "poker: ultimate-texas-holdem is no poker table; leave the section out"
    assert check_refusal(file) == [mistake]


def test_a_poker_table_is_not_linked_to_a_jackpot_of_tokens(tmp_path: Path) -> None:
    file = write_table(tmp_path, '[link]\njackpot = "stud"\nhosts = ["db1"]')
    assert check_refusal(file) == ["link: texas-holdem has no jackpot; leave the section out"]

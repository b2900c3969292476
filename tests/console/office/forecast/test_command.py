"""`banco forecast` as a user types it."""

import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from console.bordereau.words import Wording
from console.command_line.main import main
from console.office.forecast.outlook import SimulatedRuns, find_band, make_outlook
from console.office.forecast.plot import draw_plot
from console.texts.language import Language
from jackpot.money.expected import ForecastTerms, Pace
from jackpot.money.prize_file import load_prizes
from jackpot.money.settings import MoneySettings

QUICK = ("--years", "0.1", "--runs", "3", "--seed", "28")
TABLES = Path(__file__).parents[4] / "docs" / "tables"
PRIZES = Path(__file__).parents[3] / "scenarios" / "prizes"


def configure(folder: Path, prizes: str) -> Path:
    """The Caribbean Stud table of the documents, with a prize file beside it."""
    text = (TABLES / "caribbean-stud.toml").read_text("utf-8")
    (folder / "prizes.toml").write_text(prizes, "utf-8")
    game = '[game]\nname = "caribbean-stud"\nprizes = "prizes.toml"\n'
    lines = [line for line in text.splitlines() if not line.startswith("game =")]
    table = folder / "table.toml"
    table.write_text("\n".join(lines) + "\n" + game, "utf-8")
    return table


def forecast(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["forecast", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(forecast(capsys, "--json", *words))
    return answer


def test_the_first_three_lines_answer_an_office(capsys: pytest.CaptureFixture[str]) -> None:
    """PRIZES 3.10: in both languages; --json has the same lines."""
    english = forecast(capsys, "--sim", *QUICK, "--language", "en").splitlines()
    assert english[:2] == [
        "Of 100 tokens (200.00 EUR) the jackpot costs 160.00 EUR.",
        "It is won whole once in 649,740 tokens (5,414 h of play); "
        "some prize once in 273 tokens (2.3 h).",
    ]
    assert english[2].startswith("After 24 hours it reads 1")
    assert english[3] == ""
    italian = forecast(capsys, "--sim", *QUICK).splitlines()
    assert italian[0] == "Su 100 gettoni (200,00 EUR) il jackpot costa 160,00 EUR."
    assert as_json(capsys, "--sim", *QUICK, "--language", "en")["lines"] == english[:3]


def test_json_has_the_exact_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """PRIZES 3.11, 3.12: a casino's analyst can check each of them."""
    table = configure(tmp_path, (PRIZES / "fixed.toml").read_text("utf-8"))
    answer = as_json(capsys, "--config", str(table), *QUICK)
    assert answer["prizes"][0]["chance"] == "1/649740"
    assert answer["prizes"][0]["hours_between"] == "10829/2"
    at_first = answer["simulation"]["meter"][0]
    assert at_first["hours"] == 0
    assert {at_first[name] for name in ("low", "median", "high")} == {"10000.00"}


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """PRIZES 3.8: and a seed that is not named is shown, so that it can be."""
    first, again = (forecast(capsys, "--sim", *QUICK) for _ in range(2))
    assert first == again
    drawn = as_json(capsys, "--sim", *QUICK[:4])
    seed = str(drawn["simulation"]["seed"])
    assert as_json(capsys, "--sim", *QUICK[:4], "--seed", seed) == drawn


def test_a_prize_of_which_nothing_is_known_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """PRIZES 3.4: exit 2."""
    prizes = '[[prize]]\ncombination = "LUCKY"\nit = "LUCKY"\nen = "LUCKY"\nshare = "100"\n'
    table = configure(tmp_path, prizes + 'key = "JPH"\n')
    assert main(["forecast", "--config", str(table), *QUICK]) == 2
    out, err = capsys.readouterr()
    assert (out, err.partition(":")[0]) == ("", "LUCKY")
    assert "ways" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--tokens-per-hour", "400"), "must have 1 to 7"),
        (("--config", str(TABLES / "black-jack.toml")), "has no progressive"),
    ],
)
def test_what_cannot_be_forecast_is_said(
    words: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = () if "--config" in words else ("--sim",)
    assert main(["forecast", *table, *QUICK, *words, "--language", "en"]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--runs", "0"), ("--years", "0.01"), ("--years", "x")])
def test_a_wrong_argument_is_refused(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["forecast", "--sim", *words])
    assert refused.value.code == 2
    assert words[0] in capsys.readouterr().err


def test_a_plot_is_written_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """PRIZES 3.11: an SVG that a browser reads; a file that is there stays as it is."""
    plot = tmp_path / "forecast.svg"
    forecast(capsys, "--sim", *QUICK, "--plot", str(plot), "--language", "en")
    texts = [one.text for one in ET.parse(plot).iter() if one.tag.endswith("text")]
    assert "The meter forecast, EUR" in texts
    assert "equilibrium" in texts
    assert main(["forecast", "--sim", *QUICK, "--plot", str(plot)]) == 2
    assert "never overwrites" in capsys.readouterr().err


def test_what_was_played_is_drawn_on_the_same_plot() -> None:
    terms = ForecastTerms(load_prizes("caribbean-stud"), MoneySettings(), 5, Pace())
    outlook = make_outlook(terms, SimulatedRuns(3, 800, 1), lambda _: None)
    say = Wording(Language.EN)
    read = [(Fraction(hour), Fraction(1_000_000 + hour)) for hour in (0, 700, 900)]
    played = draw_plot(outlook, say, read)
    assert 'class="played" points="100.0,' in played
    assert played.count('class="played"') == 2
    assert 'class="played"' not in draw_plot(outlook, say)


def test_a_band_is_that_of_the_ranked_runs() -> None:
    figures = list(range(100, 0, -1))
    band = find_band(figures)
    assert (band.low, band.median, band.high) == (5, 50, 95)
    assert find_band([7]).low == find_band([7]).high == 7


SHARE_AND_ENVY = """
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
envy = "25.00"
from = "house"
key = "JPH"
"""


def test_a_share_is_the_jackpots_where_the_house_pays_the_envy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = configure(tmp_path, SHARE_AND_ENVY)
    printed = forecast(capsys, "--config", str(table), *QUICK, "--language", "en")
    (row,) = (line.split() for line in printed.splitlines() if line.startswith("ROYAL FLUSH"))
    assert row[2:6] == ["100", "%", "25.00,", "house"]

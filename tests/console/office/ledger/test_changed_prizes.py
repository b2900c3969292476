"""The office's commands on a ledger with envy, a limit, and a prize file that changed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.console.real_table import Ended, type_command
from tests.console.table import table_in

OLD = """
limit = "10001.00"
[[prize]]
combination = "FLUSH"
amount = "50.00"
envy = "5.00"
key = "JPL"
"""
NEW = """
currency = "CHF"
limit = "10000.00"
overflow = "house"
[[prize]]
combination = "MINI_ROYAL"
it = "MINI SCALA"
en = "MINI ROYAL"
amount = "500.00"
from = "house"
envy = "25.00"
key = "JPL"
"""
STAKED = ("press GAME_OVER", "token 1 2 3", "press COIN_IN")
AWARD = ("key JPL", "press JPOT", "key R", "press GAME_OVER", "press COIN_IN")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night of the old file, and one of the new; each jackpot reaches its limit."""
    folder, folders = tmp_path_factory.mktemp("changed"), []
    for text, button in ((OLD, "FLUSH"), (NEW, "MINI_ROYAL")):
        file = folder / "prizes.toml"
        file.write_text(text, "utf-8")
        with table_in(folder / "table", f"prizes {file}") as table:
            table.play(*STAKED, f"press {button}", *AWARD, "declare tray 3")
            folders.append(table.machine.disk.folder)
    return folders[-1]


@pytest.fixture(scope="module")
def give(ledger: Path) -> Callable[..., Ended]:
    """A command about this ledger, as the office types it."""
    return lambda *words: type_command("ledger", *words, str(ledger))


def test_chain_postings_and_acts_are_in_order(give: Callable[..., Ended]) -> None:
    verified = give("verify")
    assert verified.status == 0, verified.out
    assert "played again, every act leads to the state on record" in verified.out
    # 10,000.00 and 1.00 of the tokens, less 50.00 and envy 2 x 5.00; then 4.20 of three tokens
    assert "jackpot           9945.20 " in verified.out


def test_the_accounts_are_rebuilt_in_todays_currency(give: Callable[..., Ended]) -> None:
    rebuilt = give("rebuild")
    assert rebuilt.status == 0
    assert "rebuilt, CHF" in rebuilt.out
    assert "EUR" not in rebuilt.out


@pytest.mark.parametrize(
    ("number", "language", "words"),
    [
        ("1", "en", "pending flush x1, 50.00 each, envy x2 5.00 each from the jackpot"),
        ("1", "it", "in sospeso COLORE x1, 50,00 ciascuno, envy x2 5,00 ciascuno dal jackpot"),
        ("3", "en", "pending mini royal x1, 500.00 each from the house, envy x2 25.00 each from"),
        ("3", "it", "in sospeso MINI SCALA x1, 500,00 ciascuno dalla casa, envy x2 25,00"),
    ],
)
def test_each_round_is_replayed_by_its_own_file(
    give: Callable[..., Ended], number: str, language: str, words: str
) -> None:
    replayed = give("replay", number, "--language", language)
    assert replayed.status == 0, replayed.out
    assert words in " ".join(replayed.out.split())


def test_the_record_names_each_award_by_its_own_file(give: Callable[..., Ended]) -> None:
    shown = give("show")
    paid = [line.partition("paid ")[2] for line in shown.out.splitlines() if "paid " in line]
    assert [one.partition(" x1")[0] for one in paid] == ["mini royal", "flush"]


def test_an_export_is_checked_with_all_that_the_files_say(
    give: Callable[..., Ended], tmp_path: Path
) -> None:
    key, export = tmp_path / "house.key", tmp_path / "night.export"
    assert type_command("ledger", "key", str(key)).status == 0
    exported = give("export", "--key", str(key), "--out", str(export))
    assert exported.status == 0, exported.complaints
    words = ("ledger", "check-export", str(export), "--key", f"{key}.pub")
    checked = type_command(*words)
    assert checked.status == 0, checked.out
    content = export.read_text("utf-8")
    assert "MINI SCALA" in content
    export.write_text(content.replace("MINI SCALA", "MAXI SCALA"), "utf-8")
    assert type_command(*words).status == 1


@pytest.mark.parametrize(
    ("which", "currency", "house"), [("1", "EUR", "0.00"), ("3", "CHF", "550.00")]
)
def test_each_nights_bordereau_has_its_own_file(
    ledger: Path, tmp_path: Path, which: str, currency: str, house: str
) -> None:
    rounds, out = f"{which}-{int(which) + 1}", tmp_path / "report.json"
    words = ("--rounds", rounds, "--format", "json", "--out", str(out))
    report = type_command("report", str(ledger), *words)
    assert report.status == 0, report.complaints
    values = json.loads(out.read_text("utf-8"))
    assert values["currency"] == currency
    assert [one["by_house"] for one in values["awards"]] == [house]
    assert "by_currency" not in values

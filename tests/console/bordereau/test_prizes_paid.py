"""The bordereau of a table with a prize file: names, currency, envy, who pays."""

import json
from datetime import UTC
from pathlib import Path

import pytest

from console.bordereau.figures import Bordereau, RecordRange, add_up_prizes
from console.bordereau.json import plain
from console.bordereau.nights import bordereau_of
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import ascii_of, text_of
from console.bordereau.words import Wording
from console.texts import bordereau_texts
from console.texts.language import Language
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import UNITS_PER_CENT
from tests.console.table import table_in

PRIZES = Path(__file__).parents[2] / "scenarios" / "prizes"
AWARDS = ("press JPOT", "key R")
NEXT = ("press GAME_OVER", "token 1 2 3", "press COIN_IN")


def play_night(folder: Path, prizes: str, *acts: str) -> Bordereau:
    with table_in(folder, f"prizes {PRIZES / prizes}") as table:
        table.play(*acts)
        ledger, last = table.machine.disk.folder, table.records[-1].seq
        return bordereau_of(ledger, RecordRange(0, last))


def units(report: Bordereau, account: Account) -> int:
    """What awards posted to an account: pending, raised, cancelled, final."""
    reasons = (Reason.AWARD_PENDING, Reason.AWARD_RAISED, Reason.AWARD_CANCELLED)
    return sum(report.money.of(reason).of(account) for reason in (*reasons, Reason.AWARD_FINAL))


NEW_NAMES = (
    *(*NEXT, "press STRAIGHT_FLUSH", "key JPL", *AWARDS),
    *(*NEXT, "press STRAIGHT_FLUSH", "key JPL", "press JPOT", "press JPOT", "key R"),
    *(*NEXT, "press STRAIGHT_FLUSH", "key JPL", "press JPOT", "press STRAIGHT_FLUSH", "key R"),
    *(*NEXT, "press MINI_ROYAL", "key JPH", *AWARDS),
)
FOUR = (
    *(*NEXT, "press FOUR_OF_A_KIND", "key JPL", *AWARDS),
    *(*NEXT, "press FULL_HOUSE", "key JPL", *AWARDS),
)


@pytest.mark.parametrize(
    ("prizes", "acts"), [("new-names.toml", NEW_NAMES), ("fixed-envy.toml", FOUR)]
)
def test_what_each_prize_paid_adds_up_to_what_was_posted(
    prizes: str, acts: tuple[str, ...], tmp_path: Path
) -> None:
    report = play_night(tmp_path, prizes, *acts)
    rows = add_up_prizes(report)
    by_jackpot = sum(row.by_jackpot for row in rows) * UNITS_PER_CENT
    by_house = sum(row.by_house for row in rows) * UNITS_PER_CENT
    assert by_jackpot == -units(report, Account.JACKPOT)
    assert by_house == -units(report, Account.HOUSE)
    assert by_jackpot + by_house == report.money.paid == units(report, Account.PAID)
    assert report.differs == ()


def test_each_prize_has_a_line_and_so_has_its_envy(tmp_path: Path) -> None:
    report = play_night(tmp_path, "new-names.toml", *NEW_NAMES)
    rows = [
        (row.combination, row.is_envy, row.paid_to, row.by_jackpot, row.by_house)
        for row in add_up_prizes(report)
    ]
    assert rows[:2] == [
        ("STRAIGHT_FLUSH", False, 3, 0, 21_000),
        ("STRAIGHT_FLUSH", True, 3, 0, 2_000),
    ]
    assert [row[:3] for row in rows[2:]] == [("MINI_ROYAL", False, 1)]
    values = json.loads(json.dumps(plain(report)))
    assert values["currency"] == "CHF"
    assert values["prizes"][1] == {
        "combination": "STRAIGHT_FLUSH",
        "envy": True,
        "paid_to": 3,
        "jackpot": "0.00",
        "house": "20.00",
    }
    assert values["awards"][0]["envy"] == {"seats": 2, "each": "5.00"}
    assert values["awards"][0]["by_house"] == "80.00"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (Language.IT, ("Premi pagati, CHF", "MINI SCALA", "SCALA COLORE, envy", "dalla casa")),
        (Language.EN, ("Prizes paid, CHF", "MINI ROYAL", "STRAIGHT FLUSH, envy", "from the house")),
    ],
)
def test_the_sheet_says_it_in_both_languages(
    language: Language, words: tuple[str, ...], tmp_path: Path
) -> None:
    report = play_night(tmp_path, "new-names.toml", *NEW_NAMES)
    paper = text_of(sheet_of(report, Wording(language, UTC)))
    assert [word for word in words if word.upper() not in paper.upper()] == [], paper
    assert "EUR" not in paper
    say = Wording(language, UTC)
    (awards,) = (
        one.table
        for one in sheet_of(report, say).sections
        if one.title == say(bordereau_texts.AWARDS_IN.fill("CHF"))
    )
    assert awards is not None
    names = [item.cells[2] for item in awards.items]
    assert names[0].endswith(f", envy x2 {say.cents(500)}")
    assert "envy" not in names[-1]


def test_a_table_without_a_file_has_no_such_section(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*NEXT, "press FLUSH", "key JPL", *AWARDS)
        ledger, last = table.machine.disk.folder, table.records[-1].seq
        report = bordereau_of(ledger, RecordRange(0, last))
    values = plain(report)
    assert {"currency", "prizes"}.isdisjoint(values)
    assert {"envy", "by_house"}.isdisjoint(values["awards"][0])
    paper = text_of(sheet_of(report, Wording(Language.EN, UTC)))
    assert "PRIZES PAID" not in paper
    assert "AWARDS, EUR" in paper


FIRST_HALF = (*NEXT, "press FLUSH", "key JPL", *AWARDS, "press GAME_OVER", "press COIN_IN")
SECOND_HALF = (*NEXT, "press STRAIGHT_FLUSH", "key JPL", *AWARDS, *(NEXT[0], NEXT[2]))


def play_changed_night(folder: Path, *halves: tuple[str, tuple[str, ...]]) -> Bordereau:
    """A night whose table starts again with other prizes; "": the game's own."""
    reports = []
    for prizes, acts in halves:
        named = [f"prizes {PRIZES / prizes}"] if prizes else []
        with table_in(folder, *named) as table:
            table.play(*acts)
            last = table.records[-1].seq
            reports.append(bordereau_of(table.machine.disk.folder, RecordRange(0, last)))
    return reports[-1]


@pytest.mark.parametrize("language", Language)
def test_a_night_with_two_currencies_says_both_and_adds_up_neither(
    language: Language, tmp_path: Path
) -> None:
    report = play_changed_night(
        tmp_path, ("", FIRST_HALF), ("new-names.toml", SECOND_HALF), ("", NEXT)
    )
    say = Wording(language, UTC)
    assert report.currency == "EUR / CHF"
    paper = text_of(sheet_of(report, say))
    for words in (
        [f"{say(bordereau_texts.VALUE_IN.fill(one))}  " for one in ("EUR", "CHF")],
        [say(bordereau_texts.MOVEMENTS_IN.fill(one)).upper() for one in ("EUR", "CHF")],
        [say(bordereau_texts.PRIZES_PAID_IN.fill(one)).upper() for one in ("EUR", "CHF")],
        [say(bordereau_texts.ACCOUNTS_IN.fill("EUR / CHF")).upper()],
        [f"{say.cents(10_004)} EUR\n", f"{say.cents(7_000)} CHF\n", f"{say.cents(500)} CHF\n"],
        [f"CHF{say.cents(8_000):>37}\n", f"EUR{say.cents(10_004):>37}\n"],
    ):
        assert [one for one in words if one not in paper] == [], paper
    clock = say.clock(report.settings[1][0].wall) if report.settings[1][0] else ""
    changed = say(bordereau_texts.CURRENCY_CHANGED.fill(clock, "EUR", "CHF"))
    assert ascii_of(changed) in " ".join(paper.split())
    values = plain(report)
    moved = values["by_currency"]
    assert [moved[one]["tokens"]["value"] for one in ("EUR", "CHF")] == ["12.00", "6.00"]
    assert [(row["currency"], row["combination"]) for row in values["prizes"]] == [
        ("EUR", "FLUSH"),
        ("CHF", "STRAIGHT_FLUSH"),
        ("CHF", "STRAIGHT_FLUSH"),
    ]
    assert report.differs == ()


def test_a_prize_that_changed_has_lines_before_and_after(tmp_path: Path) -> None:
    flush = (*NEXT, "press FLUSH", "key JPL", *AWARDS, NEXT[0], NEXT[2])
    report = play_changed_night(tmp_path, ("", flush), ("fixed.toml", flush))
    assert [(row.combination, row.by_jackpot) for row in add_up_prizes(report)] == [
        ("FLUSH", 10_004),
        ("FLUSH", 5_000),
    ]
    paper = text_of(sheet_of(report, Wording(Language.EN, UTC)))
    assert "FLUSH                              50.00\n" in paper
    assert "CHF" not in paper
    before, after = plain(report)["settings"]
    assert ("prizes" in before, after["prizes"][-1]) == (False, "FLUSH key JPL amount 50.00")
    assert "by_currency" not in plain(report)


def test_a_currency_in_which_nothing_moved_is_not_named(tmp_path: Path) -> None:
    """A table begins a night with the new file: its last start was before the tray was counted."""
    report = play_changed_night(tmp_path, ("", FIRST_HALF), ("new-names.toml", SECOND_HALF))
    after = next(since.seq for since, currency in report.currencies if since and currency == "CHF")
    with table_in(tmp_path, f"prizes {PRIZES / 'new-names.toml'}") as table:
        night = bordereau_of(table.machine.disk.folder, RecordRange(after - 2, report.last.seq))
    assert len(night.settings) == 2
    assert night.currency == "CHF"

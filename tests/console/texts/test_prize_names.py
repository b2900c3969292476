"""The words of records where a prize file brings its own combinations, fixed amounts and envy."""

from pathlib import Path

import pytest

from console.office.ledger.rounds import record_lines, render_replay, text_of
from console.rules.replay import replay
from console.texts.language import Language
from console.texts.record_texts import Boots
from console.texts.table_texts import names_of
from console.web.serving.record import view_record
from tests.console.table import Table, table_in

PRIZES = Path(__file__).parents[2] / "scenarios" / "prizes"
IT, EN = Language.IT, Language.EN

STAKED = ("press GAME_OVER", "token 1 2", "press COIN_IN")
NEW_NAMES = (*STAKED, "press STRAIGHT_FLUSH", "press MINI_ROYAL", "key JPH", "press JPOT", "key R")
FROM_THE_HOUSE = (*STAKED, "press STRAIGHT_FLUSH", "key JPL", "press JPOT", "key R")


def words_of(table: Table, language: Language) -> str:
    """All records in words, as `banco ledger show`, `round` and the pages have them."""
    names = names_of(table.state.settings)
    boots = Boots()
    lines = [
        " ".join(part.strip() for part in record_lines(record, language, names, boots))
        for record in table.records
    ]
    lines += render_replay(list(replay(table.records)), 1, language)
    for record in table.records:
        lines.append(view_record(record, names).text[language.value])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            IT,
            (" MINI SCALA\n", "in sospeso MINI SCALA x1", "pagato MINI SCALA x1"),
        ),
        (EN, (" MINI ROYAL\n", "pending mini royal x1", "paid mini royal x1")),
    ],
)
def test_a_new_combination_has_the_words_of_its_file(
    language: Language, words: tuple[str, ...], tmp_path: Path
) -> None:
    with table_in(tmp_path, f"prizes {PRIZES / 'new-names.toml'}") as table:
        table.play(*NEW_NAMES)
        text = words_of(table, language)
        names = names_of(table.state.settings)
        presses = [text_of(one, names) for one in table.records if one.kind == "button"]
    assert [word for word in words if word not in text] == [], text
    assert "MINI_ROYAL" not in text
    assert "press MINI_ROYAL" in presses
    assert presses.count("press STRAIGHT_FLUSH") == 1


@pytest.mark.parametrize(
    ("prizes", "language", "words"),
    [
        (
            "new-names",
            IT,
            "SCALA COLORE x1, 70,00 ciascuno dalla casa, envy x1 5,00 ciascuno dalla casa",
        ),
        (
            "new-names",
            EN,
            "paid straight flush x1, 70.00 each from the house, envy x1 5.00 each from the house",
        ),
    ],
)
def test_an_award_says_the_envy_and_who_pays_it(
    prizes: str, language: Language, words: str, tmp_path: Path
) -> None:
    with table_in(tmp_path, f"prizes {PRIZES / f'{prizes}.toml'}") as table:
        table.play(*FROM_THE_HOUSE)
        assert words in words_of(table, language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (IT, "1 POKER x1, 500,00 ciascuno, envy x1 10,50 ciascuno dal jackpot, mancano 14,50"),
        (EN, "four of a kind x1, 500.00 each, envy x1 10.50 each from the jackpot, 14.50 lacking"),
    ],
)
def test_what_the_jackpot_lacks_stands_on_record(
    language: Language, words: str, tmp_path: Path
) -> None:
    four = ("press FOUR_OF_A_KIND", "key JPL", "press JPOT", "key R")
    with table_in(tmp_path, f"prizes {PRIZES / 'fixed-envy.toml'}", "jackpot 507.70") as table:
        table.play(*STAKED, *four)
        (final,) = table.decisions("award-final")
        assert final["lacking"] == 1_450
        assert words.removeprefix("1 ") in words_of(table, language)


def test_a_table_without_a_file_says_what_it_said(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*STAKED, "press FLUSH", "key JPL", "press JPOT", "key R")
        (final,) = table.decisions("award-final")
        text = words_of(table, EN)
    assert set(final) == {"decision", "combination", "winners", "each"}
    assert f"paid flush x1, {int(str(final['each'])) / 100:.2f} each\n" in text + "\n"

"""Every mistake that a house can make in a prize file, said in both languages (PRIZES 1.5)."""

import re

import pytest

from console.texts.file_texts import MISTAKES, word_mistake
from console.texts.language import Words
from jackpot.money.prize_file import MistakeKind, PrizesUnusable, parse_prizes
from tests.jackpot.test_prize_file import NEW, ROW


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "x.toml:1: prize: 1 to 5"),
        ("prize = 1", "x.toml:1: prize: 1 to 5"),
        ("prize = [1]", "x.toml:1: prize 1: a prize is a section"),
        ("\n\n[[prize", "x.toml:3: "),
        (ROW * 6, "x.toml:1: prize: 1 to 5"),
        (ROW + ROW, "x.toml:6: prize 2: combination: 'FLUSH' stands there twice"),
        ("game = 1\n" + ROW, "x.toml:1: game: unknown key; there are currency"),
        ('currency = "eur"\n' + ROW, "x.toml:1: currency: 'eur' is no currency"),
        ("currency = 7\n" + ROW, "x.toml:1: currency: .* not text"),
        ('limit = "1e9"\n' + ROW, "x.toml:1: limit: '1e9' is not an amount"),
        (f'limit = "{"9" * 10}"\n' + ROW, "x.toml:1: limit: '9999999999' is not an amount"),
        ("currency = " + "[" * 4_000, "x.toml:1: is not TOML: "),
        ("overflow = []\n" + ROW, "x.toml:1: overflow: .* not text"),
        ('limit = "0"\n' + ROW, "x.toml:1: limit: it must be more than 0"),
        ('\noverflow = "tray"\n' + ROW, "x.toml:2: overflow: 'tray' is neither reserve nor house"),
        (ROW.replace("FLUSH", "PAIR"), "x.toml:1: prize 1: it: the display's words for PAIR"),
        (ROW.replace("FLUSH", "pair"), "x.toml:2: prize 1: combination: 'pair' is no name"),
        (ROW.replace("FLUSH", "P"), "x.toml:2: prize 1: combination: 'P' is no name"),
        (ROW.replace("FLUSH", "P" * 21), "x.toml:2: prize 1: combination: .* is no name"),
        (ROW.replace("FLUSH", "JPOT"), "x.toml:2: prize 1: combination: JPOT is taken"),
        (ROW.replace('"1"', '"101"'), "x.toml:3: prize 1: share: '101' is not a percentage"),
        (ROW.replace('"1"', '"0.001"'), "x.toml:3: prize 1: share: '0.001' is not a percentage"),
        (ROW.replace('"1"', '"0"'), "x.toml:3: prize 1: share: it must be more than 0"),
        (ROW.replace('"1"', "1"), "x.toml:3: prize 1: share: .* not text"),
        (ROW.replace("JPL", "S"), "x.toml:4: prize 1: key: 'S' is neither JPH nor JPL"),
        (ROW.replace("key", "turn"), "x.toml:1: prize 1: key: is missing"),
        (ROW.replace("key", "turn"), "x.toml:4: prize 1: turn: unknown key"),
        (ROW.replace("combination", "name"), "x.toml:1: prize 1: combination: is missing"),
        (ROW.replace("share", "amount").replace("1", "-1"), "x.toml:3: prize 1: amount: '-1'"),
        (ROW + 'amount = "5.00"\n', "x.toml:3: prize 1: share: .* one of the two"),
        (ROW.replace("share", "#"), "x.toml:1: prize 1: share: .* one of the two"),
        (ROW + 'envy = "0.00"\n', "x.toml:5: prize 1: envy: it must be more than 0"),
        (ROW + 'from = "reserve"\n', "x.toml:5: prize 1: from: 'reserve' is neither jackpot nor"),
        (ROW + 'from = "house"\n', "x.toml:5: prize 1: from: a share is the jackpot's"),
        (NEW.replace("BICICLETTA", "B" * 15), "x.toml:3: prize 1: it: .* 1 to 14 characters"),
        (NEW.replace("Wheel", "   "), "x.toml:4: prize 1: en: .* 1 to 14 characters"),
        (NEW.replace("BICICLETTA", "\\u0007A"), "x.toml:3: prize 1: it: "),
        (NEW + 'ways = "5"\n', "x.toml:7: prize 1: ways: '5' is not hands of all hands"),
        (NEW + 'ways = "5/4"\n', "x.toml:7: prize 1: ways: '5/4' is not hands of all hands"),
    ],
)
def test_a_mistake_names_file_line_and_key_and_what_would_be_right(text: str, why: str) -> None:
    """PRIZES 1.5"""
    mistakes = say_mistakes(text)
    assert any(re.match(why, words.en) for words in mistakes), mistakes


ITALIAN = (
    ("", "x.toml:1: prize: servono da 1 a 5 sezioni [[prize]]"),
    (
        ROW.replace('"1"', '"101"'),
        "x.toml:3: premio 1: share: '101' non è una percentuale da 0 a 100 come 70 o 12.25 "
        "(al massimo due decimali)",
    ),
    ("prize = [1]", "x.toml:1: premio 1: un premio è una sezione [[prize]]"),
)


@pytest.mark.parametrize(("text", "why"), ITALIAN)
def test_a_mistake_is_said_in_italian(text: str, why: str) -> None:
    """PRIZES 1.5"""
    assert why in [words.it for words in say_mistakes(text)]


def test_each_kind_of_mistake_has_its_words() -> None:
    assert set(MISTAKES) == set(MistakeKind)


def say_mistakes(text: str) -> list[Words]:
    with pytest.raises(PrizesUnusable) as raised:
        parse_prizes(text, "x.toml")
    return [word_mistake(one) for one in raised.value.mistakes]

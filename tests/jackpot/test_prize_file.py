"""Prize files, and every mistake that a house can make in one (PRIZES section 1)."""

import pytest

from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import PrizesUnusable, load_prizes, parse_prizes, write_prize
from jackpot.money.prizes import Prize

ROW = '[[prize]]\ncombination = "FLUSH"\nshare = "1"\nkey = "JPL"\n'
WORDS = 'it = "BICICLETTA"\nen = "Wheel"\n'
NEW = f'[[prize]]\ncombination = "WHEEL"\n{WORDS}amount = "50.00"\nkey = "JPL"\n'

WHOLE = """\
currency = "CHF"
limit = "250000.00"
overflow = "house"

[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
from = "house"
envy = "25.00"
key = "JPH"

[[prize]]
combination = "MINI_ROYAL"
it = "Mini scalà"
en = "mini royal"
amount = "500.00"
key = "JPL"
ways = "4/22100"
"""


def test_a_whole_file() -> None:
    table = parse_prizes(WHOLE, "x.toml")
    assert (table.currency, table.limit, table.overflow) == ("CHF", 25_000_000, Account.HOUSE)
    royal = Prize("ROYAL_FLUSH", 10_000, high=True, envy=Cents(2_500), by_house=True)
    mini = Prize(
        "MINI_ROYAL",
        0,
        high=False,
        amount=Cents(50_000),
        it="MINI SCALA",
        en="MINI ROYAL",
        ways="4/22100",
    )
    assert table.prizes == (royal, mini)
    assert write_prize(royal) == "ROYAL_FLUSH key JPH share 100 from house envy 25.00"


def test_the_house_s_own_prizes_have_no_limit_and_are_euros() -> None:
    table = load_prizes("caribbean-stud")
    assert (table.currency, table.limit, table.overflow) == ("EUR", None, Account.RESERVE)


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
        (ROW + 'envy = "0.00"\n', "x.toml:5: prize 1: envy: it must be more than 0.00"),
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
    with pytest.raises(PrizesUnusable, match=why):
        parse_prizes(text, "x.toml")


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(PrizesUnusable) as raised:
        parse_prizes(ROW.replace('"1"', '"x"') + NEW.replace("JPL", "K"), "x.toml")
    assert [one.split(": ")[0] for one in raised.value.mistakes] == ["x.toml:3", "x.toml:10"]

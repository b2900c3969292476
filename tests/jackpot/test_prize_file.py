"""Prize files, and every mistake that a house can make in one (PRIZES section 1)."""

import pytest

from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import (
    MistakeKind,
    PrizeMistake,
    PrizesUnusable,
    load_prizes,
    parse_prizes,
    write_prize,
)
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


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(PrizesUnusable) as raised:
        parse_prizes(ROW.replace('"1"', '"x"') + NEW.replace("JPL", "K"), "x.toml")
    assert raised.value.mistakes == [
        PrizeMistake("x.toml:3", MistakeKind.BAD_SHARE, ("'x'",), 1, "share"),
        PrizeMistake("x.toml:10", MistakeKind.BAD_KEY, ("'K'",), 2, "key"),
    ]

"""100 random prize files, each played by random rounds with power cuts.

The table's accounts and awards are held against an arithmetic of this file's own, from the words of
the prize file; the ledger is verified and rebuilt. The seed is in the test's name.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from console.rules.codes import Phase
from jackpot.ledger.ledger import rebuild, verify
from jackpot.money.amounts import parse_cents
from tests.console.table import Table, table_in

CENT = 10_000
"""Units."""

NAMES = ("ROYAL_FLUSH", "STRAIGHT_FLUSH", "FLUSH", "MINI_ROYAL", "WHEEL", "A2345", "TRIS_7")
TOKEN, TO_JACKPOT, TO_RESERVE = 200, 70, 10
"""Cents, and per cent of them: the defaults."""

ROUNDS = 6


@dataclass(frozen=True)
class Words:
    """One prize in the words of its file."""

    name: str
    share: str = ""
    amount: str = ""
    payer: str = "jackpot"
    envy: str = ""
    key: str = "JPL"

    def write(self) -> str:
        keys = {
            "combination": self.name,
            "it": self.name[:14],
            "en": self.name[:14],
            "share": self.share,
            "amount": self.amount,
            "from": self.payer,
            "envy": self.envy,
            "key": self.key,
        }
        return "[[prize]]\n" + "".join(f'{key} = "{text}"\n' for key, text in keys.items() if text)


@dataclass
class Books:
    """What the accounts must hold, in units; `limit` in cents, or None."""

    jackpot: int
    house: int
    limit: int | None
    overflow: str
    reserve: int = 0
    pending: int = 0
    paid: int = 0

    def stake(self) -> None:
        part = TOKEN * TO_JACKPOT * CENT // 100
        kept_in = part
        if self.limit is not None:
            kept_in = min(part, max(self.limit * CENT - self.jackpot, 0))
        self.jackpot += kept_in
        self.reserve += TOKEN * TO_RESERVE * CENT // 100
        self.house += TOKEN * (100 - TO_JACKPOT - TO_RESERVE) * CENT // 100
        if self.overflow == "house":
            self.house += part - kept_in
        else:
            self.reserve += part - kept_in

    def write_accounts(self) -> dict[str, str]:
        accounts = {
            "jackpot": self.jackpot,
            "reserve": self.reserve,
            "house": self.house,
            "pending": self.pending,
            "paid": self.paid,
        }
        return {name: write_cents(units // CENT) for name, units in accounts.items()}


def write_cents(cents: int) -> str:
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{part:02d}"


def any_prizes(random: Random) -> list[Words]:
    names = random.sample(NAMES, random.randint(1, 5))
    return [any_prize(random, name) for name in names]


def any_prize(random: Random, name: str) -> Words:
    envy = random.choice(("", "0.01", "5.00", "250.00"))
    key = random.choice(("JPL", "JPH"))
    if random.random() < 0.5:
        payer = random.choice(("jackpot", "house")) if envy else "jackpot"
        share = random.choice(("100", "50", "33.33", "10", "0.01"))
        return Words(name, share=share, payer=payer, envy=envy, key=key)
    amount = random.choice(("0.01", "50.00", "100.01", "4000.00", "99999.99"))
    return Words(name, amount=amount, payer=random.choice(("jackpot", "house")), envy=envy, key=key)


class Evening:
    """A table with a prize file, and what its books must hold."""

    def __init__(self, table: Table, prizes: list[Words], books: Books, random: Random) -> None:
        self.table, self.prizes, self.books, self.random = table, prizes, books, random

    def round(self) -> None:
        seats = self.random.sample(range(1, 8), self.random.randint(1, 7))
        self.table.play("press GAME_OVER", f"token {' '.join(map(str, sorted(seats)))}")
        self.cut_power()
        self.table.play("press COIN_IN", "expect phase PLAYING")
        for _ in seats:
            self.books.stake()
        self.check()
        places = len(seats)
        for _ in range(self.random.randint(0, 2)):
            if places:
                places -= self.award(self.random.choice(self.prizes), places, len(seats))

    def award(self, prize: Words, places: int, seats: int) -> int:
        """One award on these places; how many of them it used up."""
        self.table.play(f"press {prize.name}", f"key {prize.key}", "press JPOT")
        winners = self.random.randint(1, min(places, 3))
        for _ in range(winners - 1):
            self.cut_power()
            self.table.play("press JPOT")
        before = self.books.jackpot
        self.raise_award(prize, winners, seats - winners)
        self.cut_power()
        self.check()
        by_jackpot = before - self.books.jackpot
        if self.random.random() < 0.2:
            self.table.play(f"press {prize.name}", "key R", "expect phase PLAYING")
            self.books.jackpot = before
            self.books.house += self.books.pending - by_jackpot
            self.books.pending = 0
            self.check()
            return 0
        self.table.play("key R", "expect phase PLAYING", "expect envy none")
        self.books.paid += self.books.pending
        self.books.pending = 0
        if prize.share and winners * Fraction(prize.share) >= 100:
            self.reset()
        self.check()
        return winners

    def raise_award(self, prize: Words, winners: int, others: int) -> None:
        """The award that must be pending, and its postings."""
        reading = self.books.jackpot // CENT
        if prize.share:
            part = min(winners * Fraction(prize.share) / 100, Fraction(1))
            each, payer = int(part * reading / winners), "jackpot"
        else:
            each, payer = parse_cents(prize.amount), prize.payer
            if payer == "jackpot" and each * winners > reading:
                each = reading // winners
        left = reading - (each * winners if payer == "jackpot" else 0)
        envied = winners * parse_cents(prize.envy) if prize.envy and others else 0
        if prize.payer == "jackpot" and others:
            envied = min(envied, left // others)
        for account, cents in ((payer, each * winners), (prize.payer, envied * others)):
            self.move(account, cents)
        self.table.play(f"expect winners {winners}", f"expect each {write_cents(each)}")
        envy = write_cents(envied) if prize.envy and others else "none"
        self.table.play(f"expect envy {envy}")

    def move(self, account: str, cents: int) -> None:
        self.books.pending += cents * CENT
        if account == "house":
            self.books.house -= cents * CENT
        else:
            self.books.jackpot -= cents * CENT

    def reset(self) -> None:
        """The jackpot starts again from its base of 5,000.00 (rule 3.24)."""
        lacking = 500_000 * CENT - self.books.jackpot
        from_reserve = min(max(lacking, 0), self.books.reserve)
        self.books.reserve -= from_reserve
        self.books.house -= lacking - from_reserve
        self.books.jackpot = 500_000 * CENT

    def cut_power(self) -> None:
        if self.random.random() < 0.3:
            self.table.play("power off", "power on", "wait 5s")

    def check(self) -> None:
        seen = self.table.seen
        assert dict(seen.accounts) == self.books.write_accounts()
        assert self.books.jackpot >= 0
        balances = self.table.state.balances
        assert sum(balances.to_dict().values()) == 0


@pytest.mark.sampled(of=10)
@pytest.mark.parametrize("seed", range(100))
def test_random_prizes_are_paid_as_their_file_says(seed: int, tmp_path: Path) -> None:
    """PRIZES 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.9, 2.11, 2.12"""
    random = Random(seed)
    prizes = any_prizes(random)
    limit = random.choice((None, None, 1_000_300, 1_000_001))
    overflow = random.choice(("reserve", "house"))
    head = f'overflow = "{overflow}"\n'
    if limit is not None:
        head += f'limit = "{write_cents(limit)}"\n'
    file = tmp_path / "prizes.toml"
    file.write_text(head + "".join(prize.write() for prize in prizes), "utf-8")
    books = Books(1_000_000 * CENT, -1_000_000 * CENT, limit, overflow)
    with table_in(tmp_path / "table", f"prizes {file}") as table:
        evening = Evening(table, prizes, books, random)
        for _ in range(ROUNDS):
            evening.round()
            table.play("expect refused none")
        ledger = table.machine.disk.folder
        assert table.state.phase is Phase.PLAYING
    verify(ledger)
    assert rebuild(ledger).balances.jackpot == books.jackpot

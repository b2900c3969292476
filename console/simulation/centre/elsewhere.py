"""The other member of a rehearsal, `elsewhere` (docs/reference/link-rules.md, 10)."""

from console.rules.link import (
    Agree,
    Answer,
    AnyCall,
    Cancel,
    Claim,
    Close,
    Deliver,
    Join,
    MemberHello,
    Open,
    Welcome,
)
from console.simulation.centre.books import GENESIS, AwardPart
from console.simulation.centre.centre import Centre
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Balances
from jackpot.money.prizes import Combination
from jackpot.money.settings import MoneySettings

NAME = "elsewhere"


class Elsewhere:
    """A table somewhere else on the same jackpot: what it does is at the centre at once."""

    def __init__(self, centre: Centre, name: str = NAME) -> None:
        """It joins with nothing, and has no round open."""
        terms = centre.books.terms
        self._settings = MoneySettings(terms.token, terms.to_jackpot, terms.to_reserve)
        self._calls = centre.member(name)
        self._name = name
        self._centre = centre
        self._head = Head(0, GENESIS)
        self._n = self._round = self._awards = 0
        hello = MemberHello(1, terms, 0, GENESIS, self._head)
        welcome = self._calls.hello(hello)
        self._session = welcome.session if isinstance(welcome, Welcome) else 0
        self._ask(Join(self._next(), Balances()))

    def open(self, stakes: int = 1) -> Answer:
        """It opens its next round, with so many stakes."""
        self._round += 1
        self._awards = 0
        self._ask(Open(self._next(), self._round))
        taken = tuple(
            movements.stake(self._settings, f"{self._name}/round-{self._round}/seat-{seat}/stake")
            for seat in range(1, stakes + 1)
        )
        return self._ask(Deliver(self._next(), self._round, taken))

    def claim(self, combination: Combination) -> Answer:
        """It claims; while its award is pending, one winner more."""
        part = self._part
        if part is None or not part.live:
            self._awards += 1
        winners = part.winners + 1 if part is not None and part.live else 1
        return self._ask(Claim(self._next(), self._round, self._award, combination, winners))

    def agree(self) -> Answer:
        """Its key is back in R."""
        return self._ask(Agree(self._next(), self._award))

    def cancel(self) -> Answer:
        """Its combination is pressed."""
        return self._ask(Cancel(self._next(), self._award))

    def close(self) -> Answer:
        """Its round is over."""
        return self._ask(Close(self._next(), self._round))

    @property
    def _award(self) -> str:
        return f"{self._name}/round-{self._round}/award-{self._awards}"

    @property
    def _part(self) -> AwardPart | None:
        """What the centre has of its award."""
        known = self._centre.books.part_of(self._name, self._award)
        return known[1] if known else None

    def _next(self) -> int:
        self._n += 1
        return self._n

    def _ask(self, call: AnyCall) -> Answer:
        return self._calls.call(self._session, call, 0, self._head)

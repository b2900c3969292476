"""A house with a tournament jackpot, its cash desks and two operators."""

from datetime import date

from console.link.centre.membership import admit_member, create_tournament_jackpot
from console.link.centre.proposals import (
    ProposalRefusal,
    ProposalText,
    TwoPeopleAct,
    approve,
    propose,
)
from console.link.centre.tournament import (
    CashDesk,
    Level,
    TournamentJackpot,
    read_tournaments,
)
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from tests.console.link.centre.postgres_centre import PostgresCentre

POKER = "poker"
MONDAY = date(2025, 11, 24)
TUESDAY = date(2025, 11, 25)
BASE = Cents(1_000_000)
FEE = Cents(500)


class TournamentHouse:
    """The jackpot "poker", base 10,000.00, fee 5.00, and the desks "cash-1" and "cash-2"."""

    def __init__(self, centre: PostgresCentre, opening: Cents = BASE) -> None:
        self.centre = centre
        create_tournament_jackpot(centre.superuser, POKER, FEE, BASE, opening)
        for name in ("cash-1", "cash-2"):
            admit_member(centre.superuser, name, POKER)
        for name in ("olga", "piero", "rosa", "silvio"):
            centre.make_role(name, "link_operator")
        self.cashier = CashDesk(centre.connect("cash-1"))
        self.other_cashier = CashDesk(centre.connect("cash-2"))

    def begin(self, day: date = MONDAY, *tournaments: str) -> None:
        """Begin the day, and these tournaments."""
        assert self.cashier.begin_day(day).refusal is None
        for tournament in tournaments:
            self.begin_tournament(day, tournament)

    def begin_tournament(self, day: date, tournament: str) -> None:
        """Its first level: fees are sold."""
        assert self.cashier.set_level(day, tournament, Level.FIRST).refusal is None

    def propose_win(
        self,
        ticket: str,
        level: Level = Level.FIRST,
        tournament: str = "night",
        day: date = MONDAY,
        by: str = "olga",
    ) -> tuple[int, ProposalText]:
        """Propose; the proposal's number and text."""
        asked = {"day": str(day), "tournament": tournament, "ticket": ticket, "level": level}
        text = ProposalText(POKER, TwoPeopleAct.WIN, asked)
        return propose(self.centre.connect(by), text), text

    def win(
        self,
        ticket: str,
        level: Level = Level.FIRST,
        tournament: str = "night",
        day: date = MONDAY,
    ) -> ProposalRefusal | None:
        """Olga proposes, Piero approves; why not, or None."""
        number, text = self.propose_win(ticket, level, tournament, day)
        return approve(self.centre.connect("piero"), number, text)

    @property
    def now(self) -> TournamentJackpot:
        """What a reader sees."""
        self.centre.make_role("room", "link_reader")
        (jackpot,) = read_tournaments(self.centre.connect("room"))
        return jackpot

    @property
    def balances(self) -> Balances:
        """The jackpot's accounts."""
        return Balances.from_dict(self.centre.one("SELECT to_jsonb(link.sum_balances(%s))", POKER))

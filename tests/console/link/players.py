"""What is pressed at a table of a random schedule, by chance and as the round allows it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from msgspec import UNSET, UnsetType

from console.rules.link import (
    Agree,
    Barred,
    Cancel,
    CentreBars,
    CentreRefusal,
    Claim,
    Close,
    Deliver,
    Open,
)
from jackpot.money.prizes import Combination
from tests.console.link.invariants import HIGHEST
from tests.console.link.linked_table import Card, LinkedTable
from tests.console.link.lossy_wire import LossyWire, NoAnswer

SEATS = 7


@dataclass
class Player:
    """A table and those who play at it. `up`: it has a session."""

    table: LinkedTable
    wire: LossyWire
    random: Random
    up: bool = False
    greeted: bool = False
    """Whether a hello was good since the last start."""
    habits: tuple[int, ...] = (3, 2, 10, 5, 0)
    """How likely in PLAYING: a token more, one back, a hit, GAME OVER, nothing."""
    counts: Counter[str] = field(default_factory=Counter)
    late: Claim | None = None
    """The last claim that came after the end of its round."""

    @property
    def card(self) -> Card:
        """What the table holds."""
        return self.table.card

    def connect(self) -> None:
        """Say hello. Raises NoAnswer, CentreBars."""
        self.table.hello()
        self.up = self.greeted = True

    def heal(self, connect: Callable[["Player"], None]) -> None:
        """All that is in the outbox arrives, and a beat."""
        self.wire.loss = None
        if not self.up:
            connect(self)
        while self.card.outbox:
            self.send()
        self.table.beat()

    def act(self) -> None:
        """Somebody presses something."""
        card = self.card
        if card.opening:
            self.answer_opening()
        elif not card.playing:
            self.open()
        elif card.current is None:
            self.play()
        else:
            self.award()

    def open(self) -> None:
        """COIN IN asks first; only with a link."""
        card = self.card
        if self.up:
            if card.void or not self.opening_was_refused():
                card.round += 1
                card.awards = 0
            card.claims.clear()
            card.opening, card.unclosed, card.void, card.stakes = True, False, False, 0
            self.table.ask(lambda n: Open(n, card.round))

    def opening_was_refused(self) -> bool:
        """Whether the round was asked for and came to nothing: it has its number again."""
        return self.card.round > 0 and self.card.stakes == 0

    def answer_opening(self) -> None:
        """Answered: stakes. Not, or the reading fell: refused, and closed by the next message."""
        card = self.card
        card.opening = False
        waits = any(isinstance(one, Open) for one in card.outbox)
        if waits or self.random.random() < 0.1:
            card.unclosed = self.random.random() < 0.3
            if not card.unclosed:
                self.table.ask(lambda n: Close(n, card.round))
            return
        card.playing = True
        self.stake(self.random.randint(1, 3))

    def play(self) -> None:
        """In PLAYING: a token more, one back, a hit, GAME OVER."""
        kinds = (self.stake_one, self.take_token_back, self.claim, self.close, self.wait)
        self.random.choices(kinds, self.habits)[0]()

    def stake_one(self) -> None:
        """A token more."""
        self.stake(1)

    def close(self) -> None:
        """GAME OVER."""
        self.card.playing = False
        self.table.ask(lambda n: Close(n, self.card.round))

    def wait(self) -> None:
        """A long hand."""

    def stake(self, tokens: int) -> None:
        """Tokens drop."""
        tokens = min(tokens, SEATS - self.card.stakes)
        if not tokens:
            return
        self.card.stakes += tokens
        transactions = tuple(self.table.token() for _ in range(tokens))
        self.table.ask(lambda n: Deliver(n, self.card.round, transactions))

    def take_token_back(self) -> None:
        """A token goes back."""
        seat = self.random.randint(1, self.card.stakes)
        if self.table.identity(f"seat-{seat}/returned") not in self.card.ledger:
            back = self.table.take_token_back(seat)
            self.table.ask(lambda n: Deliver(n, self.card.round, (back,)))

    def claim(self) -> None:
        """JPOT; now and then one more than there are places."""
        card = self.card
        used = sum(card.claims.values())
        if used < card.stakes or self.random.random() < 0.1:
            combination = self.random.choice(
                (HIGHEST, HIGHEST, HIGHEST, Combination.STRAIGHT_FLUSH, Combination.FLUSH)
            )
            if card.current is None:
                card.awards += 1
                card.current = self.table.award
            else:
                combination = self.combination_of()
            card.claims[card.current] = card.claims.get(card.current, 0) + 1
            winners = card.claims[card.current]
            identity = card.current
            others = self.count_others(combination, winners)
            self.table.ask(lambda n: Claim(n, card.round, identity, combination, winners, others))

    def count_others(self, combination: str, winners: int) -> int | UnsetType:
        """The seats that envy goes to: some may have lost their right."""
        prize = self.table.terms.prize_of(combination)
        if not prize.envy or prize.by_house:
            return UNSET
        return self.random.randint(0, max(self.card.stakes - winners, 0))

    def combination_of(self) -> str:
        """The award's combination."""
        card = self.card
        claims = [one for one in card.outbox if isinstance(one, Claim)]
        mine = [one.combination for one in claims if one.identity == card.current]
        return mine[0] if mine else card.awards_seen[card.current or ""].combination

    def award(self) -> None:
        """In AWARDING: one winner more, the key back in R, the combination pressed."""
        card = self.card
        assert card.current is not None
        asked = any(getattr(one, "identity", None) == card.current for one in card.outbox)
        seen = card.awards_seen.get(card.current)
        chance = self.random.random()
        if seen is None and asked and chance < 0.15:
            identity = card.current
            self.table.ask(lambda n: Cancel(n, identity))
            card.claims.pop(identity)
            card.current = None
        elif chance < 0.3:
            self.claim()
        elif not asked and seen is not None:
            fixed = self.greeted and seen.tables == 1 and card.awaited == 0
            self.decide(fixed, Agree if chance < 0.75 else Cancel)

    def decide(self, fixed: bool, call: type[Agree] | type[Cancel]) -> None:
        """Agree or cancel; a fixed award ends at once, and PLAYING goes on."""
        card = self.card
        identity = card.current
        assert identity is not None
        self.table.ask(lambda n: call(n, identity))
        if fixed:
            self.counts["ended as fixed"] += 1
            if call is Cancel:
                card.claims.pop(identity)
            card.current = None

    def send(self) -> None:
        """Send the oldest call without an answer; a refusal takes the claim back."""
        call = self.card.outbox[0]
        answer = self.table.send()
        if answer.refusal is not None and isinstance(call, Claim):
            self.take_claim_back(call)
            if answer.refusal is CentreRefusal.ROUND_CLOSED:
                self.late = call

    def take_claim_back(self, claim: Claim) -> None:
        """The claim was refused; without an award nothing is asked any more."""
        card = self.card
        if claim.identity in card.claims:
            card.claims[claim.identity] -= 1
            if card.claims[claim.identity] == 0:
                card.claims.pop(claim.identity)
                if card.current == claim.identity:
                    card.current = None

    def recall(self) -> bool:
        """One try to tell a centre that recovers all; whether it is done.

        Others may not have told yet, or operators have not looked at the table.
        """
        try:
            self.table.hello()
        except NoAnswer:
            self.counts["lost in recover"] += 1
            return False
        except CentreBars as bars:
            if bars.barred not in (Barred.BEHIND, Barred.SETTINGS):
                raise
        return True

    def end(self) -> None:
        """End what is going on at the table, one act of it."""
        card = self.card
        if card.opening or card.unclosed:
            card.opening = card.unclosed = False
            self.table.ask(lambda n: Close(n, card.round))
        elif card.current is not None:
            identity = card.current
            self.table.ask(lambda n: Agree(n, identity))
        elif card.playing:
            card.playing = False
            self.table.ask(lambda n: Close(n, card.round))

"""What a linked table knows of the centre, and the acts that tell it what the centre has answered.

docs/reference/link-rules.md, sections 3 and 4. The outbox is part of the state: every call is in
the journal before it is sent.
"""

from msgspec import UNSET, Struct, UnsetType

from console.rules.link import Answer, AnyCall, Barred, Claim, LinkedAward, Rejoined, Shown
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from jackpot.money.awards import Envy
from jackpot.money.prizes import CombinationName


class AskedOpening(Struct, frozen=True):
    """COIN IN has asked with call `n`; without an answer it is refused at `until` (ms).

    `shown`: the amount on the display then; None: dashes.
    """

    n: int
    until: int
    shown: Cents | None


class OwnAward(Struct, frozen=True):
    """The award of this table in AWARDING. `winners`: of this table, as claimed.

    `centre`: the award as the centre has answered; None: asked. `others`: the seats for envy, as
    the first, the second, ... winner was claimed; unset: the prize has no envy.
    """

    identity: str
    combination: CombinationName
    winners: int
    centre: LinkedAward | None = None
    others: tuple[int, ...] | UnsetType = UNSET

    def others_for(self, winners: int) -> int:
        """The seats that envy goes to beside so many winners."""
        return self.others[winners - 1] if self.others and winners <= len(self.others) else 0


class EnvyPending(Struct, frozen=True):
    """Envy that this table pays of the house's money (docs/reference/prizes.md, 2.17).

    `identity`: of its award at the centre. `winners`: of this table. `total`: of all seats.
    """

    identity: str
    winners: int
    total: Cents


class LinkState(Struct, frozen=True, tag_field="link", tag="member"):
    """The link of a table that plays for a linked jackpot."""

    epoch: int = 1
    n: int = 0
    """The number of the last call made."""
    outbox: tuple[AnyCall, ...] = ()
    """Calls without an answer, in their order. The first may have been sent, the others not."""
    answered: int = 0
    """The number of the last call answered."""
    answer_hash: str = ""
    act: int = 0
    """The last of the centre's acts that is booked here."""
    reading: Cents | None = None
    """The jackpot, as the centre answered last."""
    opening: AskedOpening | None = None
    round: int | None = None
    """The round that is open at the centre."""
    award: OwnAward | None = None
    settled: tuple[str, ...] = ()
    """Awards that this table has ended itself; the centre's act is still to come."""
    paid: Cents | None = None
    """What each winner of this round's last final award gets."""
    paid_envy: Envy | UnsetType = UNSET
    """Its envy; unset: none."""
    envy: tuple[EnvyPending, ...] | UnsetType = UNSET
    """What this table has pending as envy; unset: nothing."""
    welcomed: bool = False
    """Whether the centre has taken a hello since the start."""
    timeline: int = 0
    """The centre's, as a good hello told it last; 0: none has."""
    leaving: bool = False
    """An operator has asked the table to leave; it does when it is paused (section 3.14)."""
    left: Balances | None = None
    """It has left, with these balances; it waits to be started without the link."""

    @property
    def fixed(self) -> bool:
        """Whether no other table can change the award (section 3.4)."""
        award = self.award
        return (
            award is not None
            and award.centre is not None
            and award.centre.fixed
            and not self.claims_of(award.identity)
        )

    def claims_of(self, identity: str) -> list[Claim]:
        """The claims of an award that wait for their answers."""
        return [
            call for call in self.outbox if isinstance(call, Claim) and call.identity == identity
        ]


class LeftLink(Struct, frozen=True, tag_field="link", tag="left"):
    """A table that was linked, left, and plays for its own jackpot.

    `balances`: those it left with; what it has made since is what it brings when it joins again
    (docs/reference/link-rules.md, section 3.14). The other fields are those of its `LinkState`.
    """

    epoch: int
    n: int
    answered: int
    answer_hash: str
    act: int
    timeline: int
    balances: Balances


class LinkAnswered(Struct, frozen=True):
    """The centre has answered `call`, the first one that waited.

    With the call in its record, the record alone says what a centre that was set back must be told
    again.
    """

    answer: Answer
    call: AnyCall


class LinkShown(Struct, frozen=True):
    """The centre has answered a beat."""

    shown: Shown


class LinkWelcomed(Struct, frozen=True):
    """The centre has taken a hello, and is on another timeline than before (section 3.13)."""

    timeline: int


class LinkRejoined(Struct, frozen=True):
    """Two operators have let the table rejoin, in a new epoch."""

    rejoined: Rejoined


class RecallBegan(Struct, frozen=True):
    """The centre was set back; it is told again what it answered after this call and this act."""

    after: int
    act: int


class RecallEnded(Struct, frozen=True):
    """The centre has been told again all that it had answered this table."""


class LinkBarred(Struct, frozen=True):
    """The centre speaks to this table no further."""

    barred: Barred


CentreAct = (
    LinkAnswered | LinkShown | LinkWelcomed | LinkRejoined | LinkBarred | RecallBegan | RecallEnded
)

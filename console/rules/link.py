"""The wire between a linked table and the centre: calls, answers, refusals.

docs/reference/link-rules.md, 3.

A call is numbered and recorded in the journal before it is sent; `MemberHello` and `Beat` are
not. One call at a time is sent, in the order of the numbers, until it is answered.
"""

from enum import Enum
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from jackpot.failures import Refused
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Balances, Posting, Transaction
from jackpot.money.amounts import Cents
from jackpot.money.awards import Envy
from jackpot.money.prizes import EURO, CombinationName, Prize, PrizeTable

BEAT_S = 1.0
"""Between two beats, until the centre has said how often it wants one (section 1.6)."""

LOST_AFTER_BEATS = 3
"""Nothing answered for so many beats: the link is lost (section 4), and `round/linked/opening.py`
refuses with `LINK_LOST`."""


class Call(Struct, frozen=True, tag_field="call"):
    """A numbered call. `n` counts a member's calls of one epoch, from 1."""

    n: int


class Join(Call, frozen=True, tag="join"):
    """The table joins in PAUSED: its six balances (section 3.14)."""

    balances: Balances


class Leave(Call, frozen=True, tag="leave"):
    """The table leaves in PAUSED, with nothing pending."""


class Open(Call, frozen=True, tag="open"):
    """COIN IN asks to open the round (section 3.1)."""

    round: int


class Deliver(Call, frozen=True, tag="deliver"):
    """Stakes and returned tokens, as the table's ledger holds them."""

    round: int
    transactions: tuple[Transaction, ...]


class Claim(Call, frozen=True, tag="claim"):
    """JPOT: `winners` is how many winners this table then has in this award (section 3.3)."""

    round: int
    identity: str
    """Of the award at this table: TABLE/round-R/award-K."""
    combination: CombinationName
    winners: int
    others: int | UnsetType = UNSET
    """The seats here that envy from the jackpot goes to; unset: the prize has none."""


class Agree(Call, frozen=True, tag="agree"):
    """The key is back in R."""

    identity: str


class Cancel(Call, frozen=True, tag="cancel"):
    """The combination was pressed in AWARDING."""

    identity: str


class Close(Call, frozen=True, tag="close"):
    """The round is over, or its opening came to nothing."""

    round: int


class Rejoin(Call, frozen=True, tag="rejoin"):
    """The first entry of an epoch that two operators began (section 3.12).

    The table does not send it: it is made of its ledger, up to the record `head`. `transactions`:
    the stakes and returned tokens there that the centre lacked.
    """

    head: Head
    transactions: tuple[Transaction, ...]


AnyCall = Join | Leave | Open | Deliver | Claim | Agree | Cancel | Close | Rejoin


class Tie(Enum):
    """What the highest combination at two tables at once does (section 3.6)."""

    SPLIT = "split"
    ORDER = "order"


class Terms(Struct, frozen=True):
    """What all tables of a jackpot have in common (section 3.9).

    `token` in cents; `to_jackpot` and `to_reserve` in basis points of it; `prizes`: the share of
    each combination that the jackpot pays, in basis points of it, 0 for a fixed amount.
    `prize_file`: all that a prize file says; unset: the game's own prizes.
    """

    game: str
    token: Cents
    to_jackpot: int
    to_reserve: int
    prizes: dict[CombinationName, int]
    prize_file: PrizeTable | UnsetType = UNSET

    @property
    def currency(self) -> str:
        """Of all amounts of the jackpot."""
        return self.prize_file.currency if isinstance(self.prize_file, PrizeTable) else EURO

    def prize_of(self, combination: CombinationName) -> Prize:
        """What the jackpot pays for it. Raises ValueError if it pays nothing."""
        if combination not in self.prizes:
            raise ValueError(f"{combination} wins nothing in {self.game}")
        if isinstance(self.prize_file, PrizeTable):
            return self.prize_file.of(combination)
        return Prize(combination, self.prizes[combination], high=False)


class MemberHello(Struct, frozen=True):
    """The first message of a session (section 3.12).

    `answered` and `answer_hash`: the last call that the member holds as answered. `head`: its
    journal's last record. `proof`: the hash of the record that a `ProofAsked` named. `timeline`:
    the centre's, as a good hello told it last; 0: none has. `jackpot`: by its name, for a centre
    that does not know the member.
    """

    epoch: int
    terms: Terms
    answered: int
    answer_hash: str
    head: Head
    proof: Head | None = None
    timeline: int = 0
    jackpot: str = ""


class Beat(Struct, frozen=True):
    """The sign of life. `shown`: the amount that the table shows; None: dashes.

    `outbox`: calls that wait for their answer.
    """

    phase: str
    faults: tuple[str, ...]
    shown: Cents | None
    outbox: int = 0


class AwardState(Enum):
    """The state of an award at the centre."""

    PENDING = "pending"
    AGREED = "agreed"
    """This table's key is back in R; others have not agreed yet, or may still join."""
    FINAL = "final"
    CANCELLED = "cancelled"


class LinkedAward(Struct, frozen=True):
    """An award at the centre, as one of its members sees it.

    `winners` of all its tables; `own`: of this one. `tables` in it, this one included. `awaited`:
    other tables whose round may still join it, or that have not agreed.
    """

    identity: str
    number: int
    combination: CombinationName
    state: AwardState
    reading: Cents
    each: Cents
    winners: int
    own: int
    tables: int
    awaited: int
    others: int | UnsetType = UNSET
    """The seats of this table that the jackpot pays envy to; unset: the prize has none."""
    envy: Cents | UnsetType = UNSET
    """What each of them gets."""

    @property
    def paid_envy(self) -> Envy | None:
        """The envy that the jackpot pays at this table; None: there is none."""
        if self.envy is UNSET or not self.others:
            return None
        return Envy(self.others, self.envy)

    @property
    def paying(self) -> Cents:
        """What this table's winners and other seats get of the jackpot."""
        envy = self.paid_envy
        of_envy = envy.seats * envy.each if envy is not None else 0
        return Cents(self.each * self.own + of_envy)

    @property
    def fixed(self) -> bool:
        """Whether no other table can change it (section 3.4); the member's own claims aside."""
        return self.tables == 1 and self.awaited == 0


class Change(Struct, frozen=True):
    """What one act of the centre changed in this member's award.

    `award`: as the act left it. `transaction`: what the member's ledger books of it, verbatim;
    None: nothing (the award is agreed). Its identity is the award's and what a table without a
    link would add: `/pending`, `/winner-N`, `/final`, `/cancelled`; where another table changed
    what each gets: `/divided-ACT`, an AWARD_RAISED. It may have no postings.
    `proof`: as in an `Answer`.
    """

    act: int
    award: LinkedAward
    transaction: Transaction | None
    proof: str | UnsetType = UNSET


class CentreRefusal(Enum):
    """A call's refusal; an answer like any other, stored under its number."""

    ROUND_CLOSED = "ROUND_CLOSED"
    AWARD_FINAL = "AWARD_FINAL"
    NOBODY_ELIGIBLE = "NOBODY_ELIGIBLE"
    AWARD_PENDING = "AWARD_PENDING"
    NOT_THE_TERMS = "NOT_THE_TERMS"
    """Money that does not fit the terms (section 2.4); the member is barred until it is seen to."""


class CentreMovement(Struct, frozen=True):
    """What the centre itself moves, for a reason that no table has: the base, an addition."""

    identity: str
    reason: str
    postings: tuple[Posting, ...]


class Answer(Struct, frozen=True):
    """The answer to call `n`. `hash`: of the member's entries at the centre up to `n`.

    `act`: the jackpot's last as the call was answered. `moved`: what the centre itself moved
    because of the call: the base, an addition. `hash` covers both: a centre that was set back books
    the call again as it was (section 3.13).

    A call that was answered before gets all that again, with today's `reading`, `awaited` and
    `changes`: the member's since the act that it named.

    `proof`: what the centre alone can reckon, of all that; it books again only what is told with
    it. A simulated centre has no secret, and gives none.
    """

    n: int
    hash: str
    reading: Cents
    refusal: CentreRefusal | None = None
    changes: tuple[Change, ...] = ()
    awaited: int = 0
    act: int = 0
    moved: tuple[CentreMovement, ...] = ()
    leaving: bool = False
    """An operator has asked the member to leave (section 3.14)."""
    proof: str | UnsetType = UNSET


class Shown(Struct, frozen=True):
    """The answer to a beat. `leaving`: as in an `Answer`."""

    reading: Cents
    changes: tuple[Change, ...] = ()
    awaited: int = 0
    leaving: bool = False


class Welcome(Struct, frozen=True):
    """The answer to a good hello. `n`: the last call the centre has of this member."""

    session: int
    n: int
    beat_s: int
    version: int
    timeline: int
    reading: Cents


class ProofAsked(Struct, frozen=True):
    """The answer to a hello without the right proof at hand: the hash of record `seq` is asked."""

    seq: int


class RecallAsked(Struct, frozen=True):
    """The centre was set back, and asks for what the member holds as answered (section 3.13).

    It has the calls up to `after`, and the member's changes up to `act`.
    """

    session: int
    after: int
    act: int


class Held(Struct, frozen=True):
    """What a member was answered before: a call with its answer, or none, and changes.

    They may have come with the answer or with a beat; `answer` holds none itself.
    """

    call: AnyCall | None = None
    answer: Answer | None = None
    changes: tuple[Change, ...] = ()


class Rejoined(Struct, frozen=True):
    """The answer to a hello of an older epoch, from the table that two operators let rejoin.

    Its next call is number `n` + 1 of the new `epoch`; `hash`: of its entries up to `n`. `round`:
    the greatest round that the centre has ever heard of this member. `handled`: the identities of
    what waited in the table's outbox when the list was made: the centre has it.
    """

    epoch: int
    n: int
    hash: str
    round: int
    handled: tuple[str, ...]


Greeting = Welcome | ProofAsked | RecallAsked | Rejoined
"""What the centre answers to a hello."""


class Barred(Enum):
    """Why the centre speaks to a member no further; not stored, and no answer to a call."""

    GAP = "LINK_GAP"
    """A number was left out: the member goes back to the first call without an answer."""
    FENCED = "LINK_FENCED"
    """A newer session of the same member is there."""
    FORKED = "LINK_FORKED"
    """A clone, or an older copy of the card: by `link.bar_record` of the centre's schema (3.12).

    It has not the record that the centre has last.
    """
    BEHIND = "LINK_BEHIND"
    """The centre has less than it had answered this member: it was set back (3.13).

    In the centre's schema `link.is_set_back` says so.
    """
    SETTINGS = "LINK_SETTINGS"
    NOT_A_MEMBER = "LINK_NOT_A_MEMBER"


class TokenTerms(Struct, frozen=True):
    """What of the terms a token shows: its worth in cents, its shares in basis points."""

    token: Cents
    to_jackpot: int
    to_reserve: int


class NamedTerms(TokenTerms, frozen=True):
    """Terms by the word of a table: its prizes need not be any that are known.

    `prize_file`: as its JSON.
    """

    game: str
    prizes: dict[str, int]
    prize_file: dict[str, Any] | None = None


class NamedAward(Struct, frozen=True):
    """An award by the word of a table: the prize need not be any that is known."""

    number: int
    combination: str
    reading: Cents
    each: Cents
    winners: int
    own: int = 0
    others: int = 0
    envy: Cents = Cents(0)


class Awaited(Struct, frozen=True):
    """What a call waits for: terms or a prize that the centre does not know (section 3.13).

    One of three: the `terms` that a hello named; what the `token` of a `call` shows that the member
    was answered before, None if it is none at all; an `award` that it was told of. None of them:
    what it named has no form.
    """

    terms: NamedTerms | None = None
    call: int | None = None
    token: TokenTerms | None = None
    award: NamedAward | None = None


class CentreBars(Refused):
    """The centre bars this member, for a reason of `Barred`; `awaits`: what it waits for."""

    def __init__(self, barred: Barred, awaits: Awaited | None = None) -> None:
        super().__init__(barred.value)
        self.barred = barred
        self.awaits = awaits

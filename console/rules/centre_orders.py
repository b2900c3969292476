"""The orders to the centre, of a link or of a tournament's clock: what it is to be told.

They are an output of the state.
"""

from collections.abc import Callable
from typing import Protocol

from msgspec import UNSET, Struct

from console.rules.codes import Phase
from console.rules.link import AnyCall, Beat, Held, Terms
from console.rules.link_state import LinkState, OwnAward
from console.rules.poker_acts import Go
from console.rules.poker_clock import ClockCall, ClockFace
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from jackpot.ledger.journal import Head
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import load_prizes


class HeldPage(Struct, frozen=True):
    """Some of what the journal holds of the centre's answers, in their order.

    `last`: the number of the last record read; None: there are no more.
    """

    held: tuple[Held, ...]
    last: int | None


ReadCodes = Callable[[], tuple[str, ...]]
"""Reads the codes of what is noticed now, and the room must hear."""


class LinkedJournal(Protocol):
    """The journal of a linked table, as its link reads it. Each is passed on when it is found."""

    def head(self) -> Head:
        """The last committed record."""

    def find_hash(self, seq: int, then: Callable[[str | None], None], /) -> None:
        """A record's hash: "" if there is no such record, None if the disk fails."""

    def find_held(self, after: int, seq: int, then: Callable[[HeldPage | None], None], /) -> None:
        """What the centre answered from the call before `after` on, in the records after `seq`.

        0: from the first such record. None: it is not there any more, or the disk fails.
        """


LINK_FIELDS = ("link", "phase", "service", "faults")
"""The fields of the state that the orders of a link are computed from."""


class LinkOrders(Struct, frozen=True):
    """What the link says to the centre (docs/reference/link-rules.md, section 3).

    `calls` are sent in their order, one at a time, until each is answered; a locked table sends
    none, since it could not record the answer. `epoch`, `answered`, `answer_hash`, `timeline`: for
    a hello. `n`: the number of the last call made.
    `act`: the last of the centre's acts that is booked. `beat`: the sign of life. For people:
    `reading`, the jackpot as last answered, and `award`, the table's own in AWARDING.
    """

    epoch: int
    answered: int
    answer_hash: str
    act: int
    n: int
    calls: tuple[AnyCall, ...]
    beat: Beat
    timeline: int = 0
    reading: Cents | None = None
    award: OwnAward | None = None


def link_orders(state: TableState) -> LinkOrders | None:
    """The orders; None at a table not linked, or without a readable ledger.

    One that has left says hello until it is started without the link: a centre that was set back
    asks for what it was answered (docs/reference/link-rules.md, 3.13).
    """
    link = state.link
    if not isinstance(link, LinkState):
        return None
    faults = tuple(fault.value for fault in state.faults)
    return LinkOrders(
        link.epoch,
        link.answered,
        link.answer_hash,
        link.act,
        link.n,
        () if state.locked else link.outbox,
        Beat(state.shown_phase.value, faults, choose_amount(state, link), len(link.outbox)),
        link.timeline,
        link.reading,
        link.award,
    )


def choose_amount(state: TableState, link: LinkState) -> Cents | None:
    """The amount on line 2 of a linked table; None: dashes (sections 3.6 and 4)."""
    award = link.award
    if award is None and state.award is not None:
        return state.award.each  # wholly the house's
    if state.phase is Phase.AWARDING and award is not None:
        known = award.centre is not None and (link.fixed or not state.off_link)
        return award.centre.each if award.centre is not None and known else None
    if link.paid is not None:
        return link.paid
    return None if state.off_link else link.reading


def terms_of(rules: Rules) -> Terms:
    """What this table must have in common with the others of its jackpot (section 3.9).

    Raises ValueError for a game without a progressive.
    """
    money, game = rules.money, rules.game.name
    own = load_prizes(game)
    prizes = rules.prizes or own
    return Terms(
        game,
        money.token,
        money.to_jackpot,
        money.to_reserve,
        {one.combination: one.share for one in prizes.prizes if not one.wholly_by_house},
        UNSET if prizes == own else prizes,
    )


CLOCK_FIELDS = ("poker", "faults")
"""The fields of the state that the orders of a tournament's clock are computed from."""


class ClockOrders(Struct, frozen=True):
    """What the centre is told. The call's face held at `at` (ms); `ticks`: time passes on it."""

    call: ClockCall
    at: int
    ticks: bool

    def call_at(self, now: int) -> ClockCall:
        """The call, with what the clock has left now."""
        face = self.call.face
        passed = now - self.at if self.ticks else 0
        return replace(self.call, face=replace(face, left_ms=max(0, face.left_ms - passed)))


def clock_orders(state: TableState, rules: Rules) -> ClockOrders | None:
    """The orders; None at a table whose clock is its own, or that is locked."""
    poker, settings = state.poker, rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return None
    shared, clock = poker.shared, poker.clock
    if shared is None or clock is None or state.locked:
        return None
    face = ClockFace(
        *(clock.step, clock.left_ms, clock.running, clock.held),
        *(poker.hand_for_hand, poker.owes, shared.paid, clock.resumes_ms),
    )
    call = ClockCall(
        settings.tournament,
        poker.hand is not None,
        shared.version,
        shared.n if shared.changed else 0,
        face,
        any(isinstance(wish, Go) for wish in shared.wishes),
        poker.hand.players if poker.hand is not None else poker.players,
        *poker.count_entries(),
    )
    return ClockOrders(call, clock.at, clock.ticks(settings.structure))

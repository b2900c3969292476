"""What the floor manager's declarations do at a poker table.

docs/reference/poker-rules.md, section 20.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from console.rules.acts import RoundVoid
from console.rules.codes import Phase, Refusal
from console.rules.poker import pots, shared_clock
from console.rules.poker.decks import demand_change
from console.rules.poker.hand import change_hand, end_hand, hand_of, set_players
from console.rules.poker.table import house_of, poker_of, settings_of
from console.rules.poker_acts import (
    BoardCorrected,
    BoardsAgreed,
    BreakDeclared,
    ChangeDemanded,
    ClockSet,
    ClockSwitched,
    DropCounted,
    EntriesSet,
    Go,
    HalfRake,
    HandForHand,
    JackpotHit,
    MatchNew,
    PlayersSet,
    PokerDeclaration,
    PriorLevel,
    RakeCapSet,
    RakeCorrected,
    TimeAdjusted,
)
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import OUT, PokerState, Street, TournamentEntries
from console.rules.round.draft import Draft
from console.rules.structs import replace
from jackpot.money.accounts import Account
from jackpot.money.amounts import to_cents
from jackpot.money.rake import parse_cap

FULL_SHARE, LATE_SHARE = 100, 30
"""Of the tournament jackpot, in per cent: in level 1, and until late registration ends."""


def _is_no_hand(draft: Draft) -> bool:
    """Refuse between hands."""
    if poker_of(draft).hand is not None:
        return False
    draft.refuse(Refusal.NO_HAND)
    return True


def on_boards_agreed(draft: Draft, act: BoardsAgreed) -> None:
    """Each card that comes later counts once for each board."""
    if not house_of(draft).several_boards:
        draft.refuse(Refusal.HOUSE_RULE)
        return
    if _is_no_hand(draft):
        return
    hand = hand_of(draft)
    if hand.street is Street.RIVER or act.boards < hand.most_boards:
        draft.refuse(Refusal.TOO_LATE)
    elif act.boards == hand.most_boards:
        draft.no_effect()
    else:
        boards = (*hand.boards, (act.boards, OUT[hand.street]))
        change_hand(draft, lambda hand: replace(hand, boards=boards))


def on_board_corrected(draft: Draft, _act: BoardCorrected) -> None:
    """What was dealt is unknown until the next deal, or the hand's end."""
    if not _is_no_hand(draft):
        change_hand(draft, lambda hand: replace(hand, mended=True))


def on_round_void(draft: Draft, _act: RoundVoid) -> None:
    """A fouled deck: the hand is null and over, without rake, and a change is due."""
    if not _is_no_hand(draft):
        end_hand(draft)
        demand_change(draft)
        draft.decide("round-void")


def on_time_adjusted(draft: Draft, act: TimeAdjusted) -> None:
    """Later calls last so long."""
    draft.poker = replace(poker_of(draft), seconds=act.seconds)


def on_prior_level(draft: Draft, _act: PriorLevel) -> None:
    """The hand in play keeps the blinds of the level before; its share is not touched."""
    if _is_no_hand(draft):
        return
    if poker_of(draft).clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    level = hand_of(draft).level
    if level <= 1:
        draft.no_effect()
        return
    blinds = settings_of(draft).blinds_of(level - 1)
    change_hand(draft, lambda hand: replace(hand, blinds=blinds))


def on_change_demanded(draft: Draft, _act: ChangeDemanded) -> None:
    """A deck change is due."""
    demand_change(draft)


def on_half_rake(draft: Draft, act: HalfRake) -> None:
    """At once, also for the pot that is being counted. Only at prestige."""
    poker = poker_of(draft)
    if poker.half_rake is act.on or not settings_of(draft).halves_rake:
        draft.no_effect()
    else:
        draft.poker = replace(poker, half_rake=act.on)


def on_rake_cap_set(draft: Draft, act: RakeCapSet) -> None:
    """Between hands, until the table is closed. Not at prestige."""
    if not settings_of(draft).caps_rake:
        draft.refuse(Refusal.HOUSE_RULE)
    elif poker_of(draft).hand is not None:
        draft.refuse(Refusal.HAND_RUNNING)
    else:
        draft.poker = replace(poker_of(draft), cap=parse_cap(act.cap))


def on_players_set(draft: Draft, act: PlayersSet) -> None:
    """Between hands; also eleven."""
    if poker_of(draft).hand is not None:
        draft.refuse(Refusal.HAND_RUNNING)
    else:
        set_players(draft, act.players)


def on_entries_set(draft: Draft, act: EntriesSet) -> None:
    """At any time; until the night is closed."""
    entries = TournamentEntries(act.entries, act.chips)
    draft.poker = replace(poker_of(draft), entries=entries)


def on_rake_corrected(draft: Draft, act: RakeCorrected) -> None:
    """Until the next hand's flop, or until the table is closed."""
    pots.correct_rake(draft, act.parts)


def share_of(poker: PokerState, settings: PokerSettings) -> int | None:
    """The share of the tournament jackpot that the hand has, or the last one; None: none."""
    level = poker.hand.level if poker.hand is not None else poker.last.level
    if poker.won or not level:
        return None
    if level == 1:
        return FULL_SHARE
    return LATE_SHARE if level <= settings.late_registration else None


def on_jackpot_hit(draft: Draft, _act: JackpotHit) -> None:
    """Told only after the hand; then no hand has a share until the night is closed."""
    poker = poker_of(draft)
    share = share_of(poker, settings_of(draft))
    if poker.hand is not None:
        draft.refuse(Refusal.HAND_RUNNING)
    elif not poker.last.disputed:
        draft.refuse(Refusal.TOO_LATE)
    elif share is None:
        draft.refuse(Refusal.NOBODY_ELIGIBLE)
    else:
        draft.decide("jackpot-hit", share=share, level=poker.last.level)
        draft.poker = replace(poker, won=True)


def on_drop_counted(draft: Draft, act: DropCounted) -> None:
    """In PAUSED: the rake box against the rake on record; it closes the night."""
    if draft.phase is not Phase.PAUSED:
        draft.refuse(Refusal.ALREADY_OPEN)
        return
    poker = poker_of(draft)
    rake = draft.balances.of(Account.RAKE)
    expected = to_cents(rake - poker.drop_mark)
    draft.poker = replace(
        poker, won=False, changed_at=None, drop_mark=rake, cap=None, entries=UNSET
    )
    difference = act.cents - expected
    draft.decide("drop-counted", expected_cents=expected, difference_cents=difference)


DECLARED: Mapping[type[PokerDeclaration | RoundVoid], Callable[[Draft, Any], None]] = {
    RoundVoid: on_round_void,
    BoardsAgreed: on_boards_agreed,
    BoardCorrected: on_board_corrected,
    TimeAdjusted: on_time_adjusted,
    ClockSwitched: shared_clock.declare,
    ClockSet: shared_clock.declare,
    BreakDeclared: shared_clock.declare,
    MatchNew: shared_clock.declare,
    PriorLevel: on_prior_level,
    HandForHand: shared_clock.declare,
    Go: shared_clock.declare,
    ChangeDemanded: on_change_demanded,
    HalfRake: on_half_rake,
    RakeCapSet: on_rake_cap_set,
    JackpotHit: on_jackpot_hit,
    PlayersSet: on_players_set,
    EntriesSet: on_entries_set,
    RakeCorrected: on_rake_corrected,
    DropCounted: on_drop_counted,
}
"""What each declaration does, unless the table is locked."""

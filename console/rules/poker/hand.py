"""A hand: it begins, is dealt, has streets, is over (docs/reference/poker-rules.md 13 and 14)."""

from collections.abc import Callable

from console.rules.codes import Phase, Refusal
from console.rules.poker.levels import announce_step
from console.rules.poker.shared_clock import owes_time, return_to_row, tell_beginning
from console.rules.poker.table import is_break, level_of, poker_of, settings_of, steps_of
from console.rules.poker_clock import (
    MINUTE_MS,
    Blinds,
    hold_clock,
    level_at,
    skip_break,
    take_hand,
)
from console.rules.poker_settings import (
    CARDS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PokerSettings,
)
from console.rules.poker_state import STREETS, Hand, LastHand, PokerState, Street
from console.rules.round.draft import Draft
from console.rules.round.stopped_play import find_stop, refuse_stopped
from console.rules.structs import replace
from devices.card_reports import Back
from devices.roles import KeyPosition

DISPUTED_IN_BREAK_MS = MINUTE_MS
SHOWN_MS = 2_000
"""So long line 2 shows a new number of players."""
MISTAKEN_MS = 5_000
"""So long where FLOP may have been pressed for a hand that nobody began: it is FEWER, too."""


def refuse_beginning(draft: Draft) -> Refusal | None:
    """Why no hand may begin now, or None."""
    poker = poker_of(draft)
    stopped = find_stop(draft)
    if stopped is not None:
        return stopped
    if is_break(draft):
        return Refusal.ON_BREAK
    if poker.hand_for_hand and not poker.go:
        return Refusal.HAND_FOR_HAND
    return None


def press_hand(draft: Draft) -> None:
    """HAND in BETTING: the first riffle."""
    refusal = refuse_beginning(draft)
    if refusal is not None:
        draft.refuse(refusal)
    else:
        begin_hand(draft)


def begin_hand(draft: Draft, back: Back | None = None, *, awaited: bool = False) -> None:
    """The next hand begins; what holds for it is latched now. `awaited`: it is not dealt yet."""
    before = poker_of(draft)
    _take_clock(draft)
    poker = poker_of(draft)
    level = level_of(draft, poker.clock)
    draft.round += 1
    draft.phase = Phase.PLAYING
    draft.count_hand_begun()
    hand = Hand(
        0 if awaited else 1,
        awaited,
        level,
        settings_of(draft).blinds_of(level),
        poker.players,
        back,
    )
    draft.poker = replace(poker, hand=hand, owes=poker.hand_for_hand, go=False, players_until=None)
    end_dispute(draft)
    tell_beginning(draft, before)
    last_players = before.last.players
    if last_players and last_players != hand.players:  # a FLOP may have been pressed for HAND
        draft.decide("players-changed", before=last_players, players=hand.players)
    draft.decide("hand-begun", level=level, players=hand.players, deck=back and back.value)


def _take_clock(draft: Draft) -> None:
    """What the hand before costs, hand for hand; after it the clock runs on."""
    poker, steps = poker_of(draft), steps_of(draft)
    clock = poker.clock
    if clock is None:
        return
    if owes_time(poker):
        clock = take_hand(clock, steps, draft.now)
    if clock.held and not poker.hand_for_hand:
        clock = hold_clock(clock, steps, draft.now, held=False)
    announce_step(draft, clock)


def blinds_of_next_hand(poker: PokerState, settings: PokerSettings, now: int) -> Blinds:
    """After a break, and after what the hand before costs, hand for hand."""
    steps, clock = settings.structure, poker.clock
    if clock is None:
        return settings.blinds
    clock = skip_break(clock, steps)
    if owes_time(poker) or (poker.owes and poker.hand_for_hand and not poker.go):
        clock = take_hand(clock, steps, now)
    return settings.blinds_of(level_at(steps, clock.step))


def deal_hand(draft: Draft, back: Back | None = None) -> None:
    """The awaited cards are dealt."""
    change_hand(
        draft,
        lambda hand: replace(hand, deal=hand.deal + 1, awaited=False, back=back, mended=False),
    )
    draft.decide("dealt", deal=hand_of(draft).deal, deck=back and back.value)


def hand_of(draft: Draft) -> Hand:
    """The hand in play. Raises ValueError between hands."""
    hand = poker_of(draft).hand
    if hand is None:
        raise ValueError("no hand is played")
    return hand


def change_hand(draft: Draft, change: Callable[[Hand], Hand]) -> None:
    """Change the hand in play."""
    draft.poker = replace(poker_of(draft), hand=change(hand_of(draft)))


def misdeal(draft: Draft) -> None:
    """HAND in PLAYING: the deal, where it is awaited; else the cards are dealt again."""
    hand = hand_of(draft)
    if hand.awaited:
        deal_hand(draft)
    elif hand.street is not Street.PREFLOP:
        draft.refuse(Refusal.MISDEAL_LATE)
    else:
        change_hand(draft, lambda hand: replace(hand, awaited=True, back=None, boards=()))
        draft.poker = replace(poker_of(draft), time_call=None)
        draft.decide("misdeal", deal=hand.deal)


def press_street(street: Street) -> Callable[[Draft], None]:
    """FLOP, TURN, RIVER in PLAYING: the next street, or the last one taken back."""

    def press(draft: Draft) -> None:
        hand = hand_of(draft)
        now, wanted = STREETS.index(hand.street), STREETS.index(street)
        if hand.awaited:
            draft.refuse(Refusal.NOT_DEALT)
        elif wanted == now + 1:
            change_hand(draft, lambda hand: replace(hand, street=street))
            draft.decide("street-out", street=street.value)
        elif wanted == now:
            change_hand(draft, lambda hand: replace(hand, street=STREETS[now - 1]))
            draft.decide("street-back", street=street.value)
        else:
            draft.refuse(Refusal.WRONG_STREET)

    return press


def press_game_over(draft: Draft) -> None:
    """GAME OVER in PLAYING: the hand is over, without rake."""
    if refuse_key(draft):
        return
    end_hand(draft)


def refuse_key(draft: Draft) -> bool:
    """Refuse if the key is not in R."""
    if draft.key is KeyPosition.R:
        return False
    draft.refuse(Refusal.KEY_NOT_IN_RUN)
    return True


def end_hand(draft: Draft, parts: tuple[int, ...] | None = None) -> None:
    """The hand is over; `parts`: its rake in euro, None where nothing was counted."""
    poker, hand = poker_of(draft), hand_of(draft)
    draft.phase = Phase.BETTING
    draft.count_hand_over()
    until = draft.now + DISPUTED_IN_BREAK_MS if is_break(draft) else None
    counted = parts is not None
    last = LastHand(
        *(hand.players, hand.level, parts, int(counted), True, until, counted),
        closed=False,
    )
    draft.poker = replace(poker, hand=None, last=last, time_call=None, pots=())
    return_to_row(draft)
    flop = hand.street is not Street.PREFLOP
    draft.decide("hand-over", flop=int(flop), counted=int(parts is not None))


def close_table(draft: Draft) -> None:
    """COIN IN in BETTING: PAUSED."""
    draft.phase = Phase.PAUSED
    close_last_hand(draft)


def close_last_hand(draft: Draft) -> None:
    """The table is closed: the last hand is disputed no more, its rake final, the cap as set."""
    end_dispute(draft)
    poker = poker_of(draft)
    draft.poker = replace(poker, last=replace(poker.last, closed=True), cap=None)


def end_dispute(draft: Draft) -> None:
    """The last hand can be disputed no more."""
    poker = poker_of(draft)
    if poker.last.disputed:
        last = replace(poker.last, disputed=False, disputed_until=None)
        draft.poker = replace(poker, last=last)


def count_dispute_anew(draft: Draft) -> None:
    """After a power cut: nobody knows how much of a dispute's minute has passed."""
    poker = poker_of(draft)
    if poker.last.disputed_until is not None:
        last = replace(poker.last, disputed_until=draft.now + DISPUTED_IN_BREAK_MS)
        draft.poker = replace(poker, last=last)


def open_table(draft: Draft) -> None:
    """GAME OVER in PAUSED: hands may begin."""
    if refuse_key(draft) or refuse_stopped(draft):
        return
    draft.phase = Phase.BETTING
    poker = poker_of(draft)
    if poker.changed_at is None:  # the night's first opening
        draft.poker = replace(poker, changed_at=draft.now, changed_hand=draft.round)


def change_players(by: int) -> Callable[[Draft], None]:
    """FEWER and MORE in BETTING; 2 to 10 from the panel."""

    def press(draft: Draft) -> None:
        count = poker_of(draft).players + by
        if not FEWEST_PLAYERS <= count <= MOST_PLAYERS:
            draft.no_effect()
            return
        set_players(draft, count)

    return press


def set_players(draft: Draft, count: int) -> None:
    """So many play from the next hand on."""
    poker = poker_of(draft)
    may_be_mistaken = count < poker.players == poker.last.players
    shown_ms = MISTAKEN_MS if may_be_mistaken else SHOWN_MS
    draft.poker = replace(poker, players=count, players_until=draft.now + shown_ms)
    draft.decide("players-now", players=count, before=poker.players)


def stub_of(poker: PokerState, hole: int) -> tuple[int | None, int | None]:
    """The cards dealt and the stub; None: unknown."""
    dealt = poker.hand.count_dealt(hole) if poker.hand is not None else 0
    return dealt, None if dealt is None else CARDS - dealt

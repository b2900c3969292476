"""The buttons, in the phases in which they do something.

docs/reference/rules.md, sections 2, 3 and 6.
"""

from msgspec import UNSET

from console.rules.codes import Phase, Refusal
from console.rules.link_state import LinkState
from console.rules.linked_prizes import HOUSE
from console.rules.round.decks import begin_next_hand
from console.rules.round.draft import Draft
from console.rules.round.shoe import begin_hand, end_hand
from console.rules.round.stopped_play import find_stop, refuse_stopped
from console.rules.round.tokens import STUCK_AFTER_MS, accept_at_once, begin_turn, next_round_seats
from console.rules.settings import NextJackpot
from console.rules.state import Deadlines
from console.rules.structs import replace
from devices.roles import COMBINATION_BUTTONS, Button, KeyPosition
from jackpot.money import movements
from jackpot.money.amounts import Cents, to_units
from jackpot.money.awards import Award, compute_award, count_lacking
from jackpot.money.prizes import Prize


def refuse_lost_rail(draft: Draft) -> bool:
    """Refuse with LOCKED if the table has a rail that is lost or has not reported yet."""
    if draft.rules.rail is None or draft.rail.known:
        return False
    draft.refuse(Refusal.LOCKED)
    return True


def close_betting(draft: Draft) -> None:
    """COIN IN in BETTING: open the gates, or accept the tokens there; pause if there are none."""
    if refuse_lost_rail(draft):
        return
    tokens = draft.seats.tokens
    if tokens and refuse_stopped(draft):
        return
    draft.count_hand_begun()
    begin_hand(draft)
    if not tokens or draft.rules.rail is None:
        draft.phase = Phase.PAUSED
        return
    if draft.rules.rail.gates:
        draft.seats = replace(draft.seats, collecting=tokens)
        _open_gates(draft)
        return
    accept_at_once(draft)


def retry_stuck(draft: Draft) -> None:
    """COIN IN in COLLECTING: try each stuck token again, and leave out empty seats."""
    seats = draft.seats
    if not seats.stuck:
        draft.refuse(Refusal.COLLECTING)
        return
    if refuse_lost_rail(draft):
        return
    for seat in sorted(seats.stuck - seats.occupied):
        draft.decide("seat-left-out", seat=seat)
    retried = seats.stuck & seats.occupied
    draft.seats = replace(draft.seats, stuck=frozenset(), collecting=seats.collecting | retried)
    if retried:
        _open_gates(draft)


def _open_gates(draft: Draft) -> None:
    draft.phase = Phase.COLLECTING
    begin_turn(draft)
    draft.deadlines = replace(draft.deadlines, gates=draft.now + STUCK_AFTER_MS)


def open_betting(draft: Draft) -> None:
    """GAME OVER in PAUSED or PLAYING: the next round."""
    if draft.key is not KeyPosition.R:
        draft.refuse(Refusal.KEY_NOT_IN_RUN)
        return
    if refuse_lost_rail(draft) or refuse_stopped(draft):
        return
    draft.phase = Phase.BETTING
    draft.round += 1
    draft.seats = next_round_seats(draft.seats)
    draft.awards = 0
    draft.places_used = 0
    if draft.over_limit is not UNSET:
        draft.over_limit = 0
    end_round(draft)
    for seat in sorted(draft.seats.tokens):
        draft.decide("token-in", seat=seat)


def open_or_pause(draft: Draft) -> None:
    """GAME OVER in PLAYING: the next round; where none may begin the console is paused."""
    if find_stop(draft) is not None:
        pause_after_round(draft)
    else:
        open_betting(draft)


def pause_after_round(draft: Draft) -> None:
    """GAME OVER in PLAYING, where no round may follow: the round ends."""
    if draft.key is not KeyPosition.R:
        draft.refuse(Refusal.KEY_NOT_IN_RUN)
    elif not refuse_lost_rail(draft):
        draft.phase = Phase.PAUSED
        end_round(draft)


def end_round(draft: Draft) -> None:
    """What GAME OVER ends: the choice, what was timed, the hand and its deck."""
    draft.choice = None
    draft.deadlines = Deadlines(tray=draft.deadlines.tray)
    draft.count_hand_over()
    begin_next_hand(draft)
    end_hand(draft)


def combination_of(draft: Draft, button: Button) -> str | None:
    """The combination of a button; None if the game has none there."""
    prizes = draft.rules.prizes.prizes if draft.rules.prizes else ()
    place = COMBINATION_BUTTONS.index(button)
    return prizes[place].combination if place < len(prizes) else None


def choose(draft: Draft, button: Button) -> None:
    """A combination in PLAYING: choose it, cancel the choice, or change it."""
    combination = combination_of(draft, button)
    if combination is None:
        draft.no_effect()
        return
    draft.choice = None if draft.choice == combination else combination


def cancel_award(draft: Draft, button: Button) -> None:
    """The chosen combination in AWARDING: cancel the award; its money goes back."""
    award = draft.award
    if award is None or combination_of(draft, button) != award.combination:
        draft.no_effect()
        return
    return_award(draft, award)


def return_award(draft: Draft, award: Award) -> None:
    """The award's money goes back, and play goes on without it."""
    identity = _award_identity(draft, "cancelled")
    by_jackpot, by_house = to_units(award.by_jackpot), to_units(award.by_house)
    draft.move(movements.award_cancelled(identity, by_jackpot, by_house))
    draft.phase = Phase.PLAYING
    draft.choice = None
    draft.award = None
    draft.decide("award-cancelled", combination=award.combination)


def begin_award(draft: Draft) -> None:
    """JPOT in PLAYING: begin the award. Its amount is frozen and leaves the jackpot."""
    prize = find_payable_prize(draft, winners=1)
    if prize is not None:
        freeze_award(draft, prize)


def freeze_award(draft: Draft, prize: Prize) -> None:
    """The prize of one winner is pending."""
    award = compute_award(prize, 1, _read_jackpot(draft), _count_others(draft, winners=1))
    draft.phase = Phase.AWARDING
    draft.award = award
    draft.awards += 1
    identity = _award_identity(draft, "pending")
    by_jackpot, by_house = to_units(award.by_jackpot), to_units(award.by_house)
    draft.move(movements.award_pending(identity, by_jackpot, by_house=by_house))
    decide_award(draft, "award-pending", award)


def add_winner(draft: Draft) -> None:
    """JPOT in AWARDING: one more winner of the same combination, on the same frozen jackpot."""
    award = draft.award
    prize = find_payable_prize(draft, winners=award.winners + 1) if award else None
    if prize is None or award is None:
        return
    # A token returned since the award began can no longer be paid out.
    winners = award.winners + 1
    reading = min(award.reading, Cents(_read_jackpot(draft) + award.by_jackpot))
    more = compute_award(prize, winners, reading, _count_others(draft, winners))
    draft.award = more
    identity = _award_identity(draft, f"winner-{winners}")
    by_jackpot = to_units(more.by_jackpot - award.by_jackpot)
    by_house = to_units(more.by_house - award.by_house)
    draft.move(movements.award_pending(identity, by_jackpot, more=True, by_house=by_house))
    decide_award(draft, "award-pending", more)


def _read_jackpot(draft: Draft) -> Cents:
    """A linked jackpot pays nothing of what begins here, so it needs no reading."""
    return Cents(0) if isinstance(draft.link, LinkState) else draft.balances.jackpot_cents


def _count_others(draft: Draft, winners: int) -> int:
    """The seats that envy is paid to: all with a right to the jackpot but the winners."""
    return len(draft.seats.eligible) - winners


def key_for(prize: Prize) -> KeyPosition:
    """The position of the key in which this prize is awarded."""
    return KeyPosition.JPH if prize.high else KeyPosition.JPL


def find_payable_prize(draft: Draft, winners: int) -> Prize | None:
    """The chosen prize if `winners` of it can be paid, or a refusal.

    Checked in the order of the rules.
    """
    rules = draft.rules
    if draft.choice is None or rules.prizes is None:
        draft.refuse(Refusal.NO_COMBINATION)
        return None
    prize = rules.prizes.of(draft.choice)
    if draft.key is not key_for(prize):
        draft.refuse(Refusal.WRONG_KEY)
    elif winners > draft.places_left:
        draft.refuse(Refusal.NOBODY_ELIGIBLE)
    elif prize.high and rules.inspector_fitted and not draft.inspector:
        draft.refuse(Refusal.INSPECTOR_ABSENT)
    else:
        return prize
    return None


def finish_award(draft: Draft) -> None:
    """The key is back in R: the award is paid. A jackpot won whole starts again from its base."""
    award = draft.award
    if award is None:
        return
    identity = _award_identity(draft, "final")
    draft.move(movements.award_final(identity, to_units(award.paid)))
    if award.whole:
        identity = _award_identity(draft, "reseed")
        draft.move(movements.reseed(identity, draft.balances, _begin_next_jackpot(draft)))
    draft.phase = Phase.PLAYING
    draft.choice = None
    draft.award = None
    draft.places_used += award.winners
    decide_award(draft, "award-final", award)


def _begin_next_jackpot(draft: Draft) -> Cents:
    """Its base. What else was written for it counts once the round is over."""
    base, waiting = draft.rules.money.base, draft.next_jackpot
    if not isinstance(waiting, NextJackpot) or not waiting.written:
        return base
    draft.next_jackpot = replace(waiting, won=True)
    draft.decide("settings-due")
    return waiting.read_base(base)


def decide_award(draft: Draft, what: str, award: Award) -> None:
    """What each gets; of a prize file's award also the envy, the house's part, what is lacking."""
    paid: dict[str, int | str] = {
        "combination": award.combination,
        "winners": award.winners,
        "each": award.each,
    }
    if award.envy is not None:
        paid |= {"envy": award.envy.each, "others": award.envy.seats}
    if award.by_house:
        paid |= {"by_house": award.by_house}
    prizes = draft.rules.prizes
    lacking = count_lacking(prizes.of(award.combination), award) if prizes is not None else 0
    if lacking:
        paid |= {"lacking": lacking}
    draft.decide(what, **paid)


def _award_identity(draft: Draft, what: str) -> str:
    """At a linked table only what is wholly the house's begins and ends here."""
    own = HOUSE if isinstance(draft.link, LinkState) else ""
    return draft.identity(f"award-{draft.awards}/{own}{what}")

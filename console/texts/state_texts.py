"""A table's state in one line: the parts that decide the round."""

from console.rules.poker_state import PokerState
from console.rules.state import TableState
from console.texts.combination_names import combination_words, names_of
from console.texts.language import Language, Words
from console.texts.record_texts import format_amount
from console.texts.table_texts import POKER, name_phase


def describe_state(state: TableState, language: Language) -> str:
    """The parts of a state that decide the round."""
    if isinstance(state.poker, PokerState):
        return _describe_hand(state, state.poker, language)
    seats = state.seats
    marked = {
        Words("accettati", "accepted"): seats.accepted,
        Words("nulli", "void"): seats.void,
        Words("carta cambiata", "changed"): seats.changed,
        Words("incastrati", "stuck"): seats.stuck,
    }
    parts = [
        name_phase(state.shown_phase.value, language),
        *(
            f"{name.in_(language)} {' '.join(map(str, sorted(which)))}"
            for name, which in marked.items()
            if which
        ),
    ]
    if state.choice is not None:
        parts.append(combination_words(state.choice, language, names_of(state.settings)))
    if state.award is not None:
        parts.append(f"x{state.award.winners} {format_amount(state.award.each, language)}")
        if state.award.envy is not None:
            envy = state.award.envy
            parts.append(f"envy x{envy.seats} {format_amount(envy.each, language)}")
    return "  ".join([*parts, f"jackpot {format_amount(state.balances.jackpot_cents, language)}"])


def _describe_hand(state: TableState, poker: PokerState, language: Language) -> str:
    parts = [name_phase(state.shown_phase.value, language)]
    hand = poker.hand
    if hand is not None:
        awaited = Words("carte da dare", "deal awaited").in_(language)
        parts += [str(hand.blinds), awaited if hand.awaited else hand.street.value]
    parts += [
        f"{POKER['pot'].in_(language)} {number} {format_amount(sum(chips), language)}"
        for number, chips in enumerate(poker.pots, 1)
    ]
    return "  ".join(parts)

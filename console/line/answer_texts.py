"""What the table's state is told as on the local line: text, whole cents, seats by number."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from console.line.requests import Done, No
from console.rules.round import Transition
from console.rules.state import SeatMarks, TableState
from console.texts.display import ENGLISH
from devices.figures import InputFigures
from devices.roles import COMBINATION_BUTTONS, SEATS
from jackpot.accounts import Balances, Transaction
from jackpot.amounts import Units, format_cents, to_cents


def cents(units: int) -> str:
    """An account's whole cents, `12345.67`, rounded towards minus infinity."""
    return format_cents(to_cents(Units(units)))


def format_accounts(balances: Balances) -> dict[str, str]:
    """Every account's whole cents."""
    return {name: cents(units) for name, units in balances.to_dict().items()}


def find_moved_accounts(
    after: Balances, transactions: Sequence[Transaction]
) -> dict[str, tuple[str, str]]:
    """Each account that the transactions moved: from, to."""
    change: dict[str, int] = {}
    for transaction in transactions:
        for posting in transaction.postings:
            name = posting.account.value
            change[name] = change.get(name, 0) + posting.amount
    held = after.to_dict()
    return {name: (cents(held[name] - by), cents(held[name])) for name, by in change.items()}


def describe_seats(marks: SeatMarks) -> dict[str, str]:
    """What each seat is that is not idle; the first of these that is true of it."""
    kinds = (
        ("stuck", marks.stuck),
        ("void", marks.void),
        ("changed", marks.changed),
        ("accepted", marks.accepted),
        ("covered", marks.unfree),
        ("token", marks.tokens | marks.collecting),
        ("covered", marks.occupied),
    )
    told: dict[str, str] = {}
    for seat in SEATS:
        names = [name for name, seats in kinds if seat in seats]
        if names:
            told[str(seat)] = names[0]
    return told


def describe_award(state: TableState) -> str:
    """`FLUSH x2 100.02`: the combination, its winners, what each gets; "" for none."""
    award = state.award
    if award is None:
        return ""
    return f"{award.combination.value} x{award.winners} {format_cents(award.each)}"


def answer_step(step: Transition) -> Done | No:
    """What became of an act."""
    if step.refusal is not None:
        return No(step.refusal.value, f"refused: {ENGLISH.refusals[step.refusal].capitalize()}")
    decisions: tuple[Mapping[str, object], ...] = tuple(
        {"decision": decision.what, **decision.facts} for decision in step.decisions
    )
    accounts = find_moved_accounts(step.state.balances, step.transactions)
    return Done(step.outcome.value, decisions, accounts, step.state.shown_phase.value)


def name_inputs(
    inputs: Sequence[InputFigures], combinations: Sequence[str]
) -> tuple[InputFigures, ...]:
    """The inputs, the combination buttons under the names that the game gives them."""
    names = dict(zip((button.value for button in COMBINATION_BUTTONS), combinations, strict=False))
    return tuple(replace(told, name=names.get(told.name, told.name)) for told in inputs)

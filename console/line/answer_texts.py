"""Renders the table's state for the local line: text, whole cents, seats by number."""

from collections.abc import Mapping, Sequence

from console.line.requests import Done, No
from console.rules.round import Transition
from console.rules.state import SeatMarks, TableState
from console.rules.structs import replace
from console.texts.display import ENGLISH
from devices.figures import InputFigures
from devices.roles import COMBINATION_BUTTONS, SEATS
from jackpot.money.accounts import Balances, Transaction
from jackpot.money.amounts import Units, format_cents, to_cents


def render_cents(units: int) -> str:
    """Render an amount in EUR with whole cents, `12345.67`, rounded towards minus infinity."""
    return format_cents(to_cents(Units(units)))


def format_accounts(balances: Balances) -> dict[str, str]:
    """Render the balance of every account."""
    return {name: render_cents(units) for name, units in balances.to_dict().items()}


def find_moved_accounts(
    after: Balances, transactions: Sequence[Transaction]
) -> dict[str, tuple[str, str]]:
    """Return each account that the transactions changed: balance before and after."""
    change: dict[str, int] = {}
    for transaction in transactions:
        for posting in transaction.postings:
            name = posting.account.value
            change[name] = change.get(name, 0) + posting.amount
    held = after.to_dict()
    return {
        name: (render_cents(held[name] - by), render_cents(held[name]))
        for name, by in change.items()
    }


def describe_seats(marks: SeatMarks) -> dict[str, str]:
    """Return the state of each seat that is not idle; the first that applies."""
    kinds = (
        ("stuck", marks.stuck),
        ("void", marks.void),
        ("changed", marks.changed),
        ("accepted", marks.accepted),
        ("covered", marks.unfree),
        ("token", marks.tokens | marks.collecting),
        ("covered", marks.occupied),
    )
    states: dict[str, str] = {}
    for seat in SEATS:
        names = [name for name, seats in kinds if seat in seats]
        if names:
            states[str(seat)] = names[0]
    return states


def describe_award(state: TableState) -> str:
    """Render the award, `FLUSH x2 100.02`: combination, winners, amount each; "" for none.

    With envy, `FLUSH x1 50.00 ENVY x3 25.00`: how many others, and what each of them gets.
    """
    award = state.award
    if award is None:
        return ""
    envy = award.envy
    others = f" ENVY x{envy.seats} {format_cents(envy.each)}" if envy is not None else ""
    return f"{award.combination} x{award.winners} {format_cents(award.each)}{others}"


def answer_step(step: Transition) -> Done | No:
    """Return the answer to an act that became this transition."""
    if step.refusal is not None:
        return No(step.refusal.value, f"refused: {ENGLISH.refusals[step.refusal].capitalize()}")
    decisions: tuple[Mapping[str, object], ...] = tuple(
        {"decision": decision.what, **decision.facts} for decision in step.decisions
    )
    accounts = find_moved_accounts(step.state.balances, step.transactions)
    return Done(step.outcome.value, decisions, accounts, step.state.shown_phase.value)


def name_inputs(
    inputs: Sequence[InputFigures], lit_buttons: Sequence[str]
) -> tuple[InputFigures, ...]:
    """Return the inputs, with the lit buttons named as in the game."""
    names = dict(zip((button.value for button in COMBINATION_BUTTONS), lit_buttons, strict=False))
    return tuple(replace(one, name=names.get(one.name, one.name)) for one in inputs)

"""Corrections in the round: what one moves, when none is made, and none is made twice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.rules.codes import Fault, Refusal
from console.rules.correction import CORRECTABLE, LONGEST_REASON, MOST_CENTS, Corrected
from console.rules.round import ActOutcome
from console.rules.structs import replace
from devices.roles import Button, ButtonPressed, KeyMoved, KeyPosition
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import to_units
from tests.console.table import PureTable, rules_of

WHY = "counted twice on Friday"
FRIDAY = Corrected(1, Account.HOUSE, Account.RESERVE, 1250, WHY, "anna", "bea")


def table() -> PureTable:
    return PureTable.start(rules_of())


def test_a_correction_moves_its_amount_and_nothing_else() -> None:
    pure_table = table()
    before = pure_table.state
    step = pure_table.do(FRIDAY)
    (moved,) = step.transactions
    assert (moved.identity, moved.reason) == ("simulated/correction-1", Reason.CORRECTION)
    held = before.balances
    units = to_units(1250)
    balances = replace(held, house=held.house - units, reserve=held.reserve + units)
    assert step.state == replace(before, balances=balances, corrections=1)


@given(
    st.lists(
        st.builds(
            lambda number, pair, cents: replace(
                FRIDAY, number=number, source=pair[0], target=pair[1], cents=cents
            ),
            st.integers(1, 4),
            st.permutations(CORRECTABLE),
            st.integers(1, 2_000_000),
        ),
        max_size=12,
    )
)
def test_whatever_is_sent_again_moves_nothing_twice(sent: list[Corrected]) -> None:
    """TABLE 10: an identity can be sent twice without harm"""
    pure_table = table()
    identities: list[str] = []
    for act in sent:
        step = pure_table.do(act)
        identities += [moved.identity for moved in step.transactions]
        again = pure_table.do(act)
        if step.outcome is ActOutcome.DONE:
            assert (again.outcome, again.transactions) == (ActOutcome.NO_EFFECT, ())
            assert again.state == step.state
        balances = pure_table.state.balances
        assert sum(balances.to_dict().values()) == 0
        assert min(balances.jackpot, balances.reserve) >= 0
    numbers = range(1, pure_table.state.corrections + 1)
    assert identities == [f"simulated/correction-{number}" for number in numbers]


@pytest.mark.parametrize("source", [Account.JACKPOT, Account.RESERVE])
def test_neither_jackpot_nor_reserve_becomes_negative(source: Account) -> None:
    pure_table = table()
    held = pure_table.state.balances.of(source) // 10_000
    act = replace(FRIDAY, source=source, target=Account.HOUSE)
    step = pure_table.do(replace(act, cents=held + 1))
    assert (step.refusal, step.transactions) == (Refusal.NOT_COVERED, ())
    if held:
        assert pure_table.do(replace(act, cents=held)).state.balances.of(source) == 0


def test_while_a_round_goes_on_there_is_none() -> None:
    pure_table = table()
    refused = []
    for act in (ButtonPressed(Button.GAME_OVER), None, ButtonPressed(Button.COIN_IN)):
        if act is None:
            pure_table.rail(1, 2)
        else:
            pure_table.do(act)
        refused.append(pure_table.do(FRIDAY).refusal)
    pure_table.rail(drops={1: 1, 2: 1}, tray=2)
    refused.append(pure_table.do(FRIDAY).refusal)
    pure_table.do(ButtonPressed(Button.COMBINATION_5), KeyMoved(KeyPosition.JPL))
    pure_table.do(ButtonPressed(Button.JPOT))
    refused.append(pure_table.do(FRIDAY).refusal)
    assert refused == [
        Refusal.ALREADY_OPEN,
        Refusal.ALREADY_OPEN,
        Refusal.COLLECTING,
        Refusal.ALREADY_OPEN,
        Refusal.AWARD_PENDING,
    ]


def test_in_service_it_is_made_and_under_a_ledger_fault_it_is_not() -> None:
    pure_table = table()
    pure_table.do(KeyMoved(KeyPosition.S))
    assert pure_table.do(FRIDAY).outcome is ActOutcome.DONE
    pure_table.state = pure_table.with_fault(Fault.LEDGER_FAULT)
    assert pure_table.do(replace(FRIDAY, number=2)).refusal is Refusal.LOCKED


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"number": 0}, "has a number"),
        ({"target": Account.HOUSE}, "to itself"),
        ({"target": Account.PENDING}, "only between"),
        ({"source": Account.PAID}, "only between"),
        ({"cents": 0}, "an amount over"),
        ({"cents": -1}, "an amount over"),
        ({"cents": MOST_CENTS + 1}, "an amount over"),
        ({"second": "anna"}, "two different people"),
        ({"second": ""}, "two different people"),
        ({"reason": "too short"}, "10 to 200"),
        ({"reason": "short" + " " * 30}, "10 to 200"),
        ({"reason": "x" * (LONGEST_REASON + 1)}, "10 to 200"),
        ({"reason": "counted\x1b[2J twice"}, "cannot be printed"),
        ({"reason": "counted\ntwice on Friday"}, "cannot be printed"),
    ],
)
def test_what_no_correction_may_be(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(FRIDAY, **wrong)

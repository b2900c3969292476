"""PINs: which may be somebody's, and what is kept of them."""

import pytest

from console.line.access.pins import (
    STANDARD,
    Cost,
    hash_pin,
    make_unmatched_hash,
    objection,
)
from console.rules.structs import replace
from tests.console.line.access.login_bench import CHEAP


@pytest.mark.parametrize("pin", ["471108", "100200", "0246813", "120495", "471108471109"])
def test_pins_that_may_be_kept(pin: str) -> None:
    assert objection(pin) is None


@pytest.mark.parametrize(
    "pin",
    ["", "47110", "4711084711081", "47110a", "471 08", "\u0664\u0667\u0661\u0661\u0660\u0668"],
)
def test_a_pin_is_6_to_12_digits(pin: str) -> None:
    assert objection(pin) == "a PIN is 6 to 12 digits"


@pytest.mark.parametrize(
    "pin",
    ["000000", "999999999999", "123456", "234567", "890123", "654321", "321098", "135791"],
)
def test_digits_that_stay_or_go_by_one_step_are_refused(pin: str) -> None:
    assert str(objection(pin)).startswith("digits that are all the same, or go up")


@pytest.mark.parametrize("pin", ["121212", "123123", "1231231", "90909090", "471471471471"])
def test_a_few_digits_over_and_over_are_refused(pin: str) -> None:
    assert str(objection(pin)).startswith("a few digits over and over")


def test_only_the_pin_itself_fits() -> None:
    kept = hash_pin("471108", CHEAP)
    assert kept.matches("471108")
    for other in ("471109", "", "4711080", "471108\x00", "\ud800"):
        assert not kept.matches(other)
    assert not make_unmatched_hash(CHEAP).matches("471108")


def test_each_has_a_salt_of_its_own() -> None:
    one, other = hash_pin("471108", CHEAP), hash_pin("471108", CHEAP)
    assert one.salt != other.salt
    assert one.hash != other.hash


def test_the_standard_cost_is_8_mib() -> None:
    assert 128 * STANDARD.n * STANDARD.r == 8 << 20
    assert STANDARD.objection is None
    assert hash_pin("471108").matches("471108")


@pytest.mark.parametrize(
    "cost",
    [
        *(Cost(0), Cost(1), Cost(3), Cost(-4), Cost(r=0), Cost(p=0), Cost(1 << 16), Cost(r=900)),
        *(Cost(1 << 16, 1, 1), Cost(2, 170_000, 1), Cost(2, 1 << 62, 1)),
    ],
)
def test_a_cost_that_cannot_be_worked_with(cost: Cost) -> None:
    assert cost.objection is not None


@pytest.mark.parametrize(
    "cost",
    [Cost(1 << 15, 15, 1), Cost(2, 104_857, 1), Cost(1 << 15, 1, 1), Cost(1 << 17, 2, 1)],
)
def test_the_greatest_cost_that_is_taken_works(cost: Cost) -> None:
    dearer = replace(cost, r=cost.r + 1), replace(cost, n=cost.n * 2)
    assert any(one.objection is not None for one in dearer)
    assert cost.objection is None
    assert hash_pin("471108", cost).matches("471108")

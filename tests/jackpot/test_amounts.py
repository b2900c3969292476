"""Amounts: exact, and strict about what people write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money.amounts import (
    Cents,
    format_cents,
    format_percent,
    parse_cents,
    parse_percent,
    to_cents,
    to_units,
)


@pytest.mark.parametrize(
    ("text", "cents"),
    [("12345.67", 1_234_567), ("2", 200), ("2.5", 250), ("2.05", 205), ("0.00", 0), ("007", 700)],
)
def test_an_amount_is_read(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", "1e3", "1,50", "1.", ".5", "1.234", "1_000", " 1", "1\n", "٣"],
)
def test_anything_else_is_refused_and_says_what_would_be_right(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not an amount such as 12345\.67"):
        parse_cents(text)


@pytest.mark.parametrize("text", ["1000000000", "1000000000.00", "9" * 5000])
def test_too_large_an_amount_is_one_and_is_told_so(text: str) -> None:
    shown = text if len(text) < 20 else f"{'9' * 40}..."
    with pytest.raises(ValueError, match="is too large") as raised:
        parse_cents(text)
    assert str(raised.value) == f"{shown!r} is too large: at most 999999999.99"


@given(st.integers(0, 99_999_999_999))
def test_what_is_written_is_read_again(cents: int) -> None:
    assert parse_cents(format_cents(cents)) == cents


def test_below_zero_is_written_with_a_sign() -> None:
    assert format_cents(Cents(-999_920)) == "-9999.20"
    assert format_cents(Cents(-5)) == "-0.05"


@pytest.mark.parametrize(
    ("text", "points"),
    [("70", 7_000), ("12.25", 1_225), ("12.5", 1_250), ("0", 0), ("100", 10_000)],
)
def test_per_cent(text: str, points: int) -> None:
    assert parse_percent(text) == points
    assert format_percent(points) == text


@pytest.mark.parametrize("text", ["100.01", "101", "-1", "7%", "1.234", ""])
def test_what_is_no_per_cent(text: str) -> None:
    with pytest.raises(ValueError, match="a percentage from 0 to 100"):
        parse_percent(text)


@given(st.integers(-(10**15), 10**15))
def test_cents_are_rounded_down_never_towards_zero(units: int) -> None:
    cents = to_cents(units)
    assert to_units(cents) <= units < to_units(cents + 1)

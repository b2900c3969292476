"""Every movement of money: sums to zero, to the unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money.accounts import Account, Balances, Posting, Reason, Transaction
from jackpot.money.amounts import Cents, Units, to_cents
from jackpot.money.movements import (
    Overflow,
    award_cancelled,
    award_final,
    award_pending,
    correction,
    count_overflow,
    opening,
    reseed,
    stake,
    token_returned,
)
from jackpot.money.settings import MoneySettings

UNITS = st.integers(-(10**13), 10**13)
ANY_BALANCES = st.builds(Balances, UNITS, UNITS, UNITS, UNITS, UNITS, UNITS)
OVERFLOWS = [Account.RESERVE, Account.HOUSE]
HELD = st.integers(0, 10**9)
"""What an account that never goes below zero holds: often less than a token's share."""


@st.composite
def any_settings(draw: st.DrawFn) -> MoneySettings:
    to_jackpot = draw(st.integers(0, 10_000))
    return MoneySettings(
        token=Cents(draw(st.integers(1, 100_000))),
        to_jackpot=to_jackpot,
        to_reserve=draw(st.integers(0, 10_000 - to_jackpot)),
        opening=Cents(draw(st.integers(0, 10**9))),
        base=Cents(draw(st.integers(0, 10**9))),
    )


def total(balances: Balances) -> int:
    return sum(balances.to_dict().values())


def test_two_tokens_of_2_00_as_the_scenarios_show_them() -> None:
    settings = MoneySettings()
    balances = Balances().after(opening(settings))
    for identity in ("seat 1", "seat 3"):
        balances = balances.after(stake(settings, identity))
    cents = {name: to_cents(units) for name, units in balances.to_dict().items()}
    assert cents == {
        "tray": -400,
        "jackpot": 1_000_280,
        "reserve": 40,
        "house": -999_920,
        "pending": 0,
        "paid": 0,
    }


@given(any_settings(), ANY_BALANCES, st.integers(1, 10**9), st.sampled_from(OVERFLOWS))
def test_a_jackpot_grows_to_its_limit_and_no_token_lowers_it(
    settings: MoneySettings, before: Balances, limit: int, account: Account
) -> None:
    """PRIZES 2.12, 2.13"""
    units = count_overflow(settings, before, Cents(limit))
    after = before.after(stake(settings, "in", Overflow(units, account)))
    part = settings.token * settings.to_jackpot
    assert after.jackpot == max(before.jackpot, min(before.jackpot + part, limit * 10_000))
    assert total(after) == total(before)
    kept_out = {Account.RESERVE: after.reserve, Account.HOUSE: after.house}[account]
    plain = before.after(stake(settings, "in"))
    assert kept_out - {Account.RESERVE: plain.reserve, Account.HOUSE: plain.house}[account] == units


@given(any_settings(), st.builds(Balances, UNITS, HELD, HELD, UNITS, UNITS, UNITS))
def test_a_token_is_split_without_a_rest_and_goes_back_whole(
    settings: MoneySettings, before: Balances
) -> None:
    after = before.after(stake(settings, "in"))
    assert after.tray == before.tray - settings.token * 10_000
    assert after.jackpot == before.jackpot + settings.token * settings.to_jackpot
    assert after.reserve == before.reserve + settings.token * settings.to_reserve
    assert total(after) == total(before)
    assert after.after(token_returned(settings, after, "back")) == before


@given(any_settings(), st.builds(Balances, UNITS, HELD, HELD, UNITS, UNITS, UNITS))
def test_a_returned_token_takes_nothing_below_zero(
    settings: MoneySettings, before: Balances
) -> None:
    """TABLE 4.14: the jackpot's lack comes from the reserve, the reserve's from the house."""
    after = before.after(token_returned(settings, before, "back"))
    to_jackpot, to_reserve = (
        settings.token * share for share in (settings.to_jackpot, settings.to_reserve)
    )
    lacking = max(0, to_jackpot - before.jackpot)
    assert after.tray == before.tray + settings.token * 10_000, "the whole token goes back"
    assert after.jackpot == max(0, before.jackpot - to_jackpot)
    assert after.reserve == max(0, before.reserve - to_reserve - lacking)
    assert (after.pending, after.paid) == (before.pending, before.paid)
    assert total(after) == total(before)


@pytest.mark.parametrize(
    ("jackpot", "reserve", "left", "house"),
    [
        (14_000, 2_000, (0, 0), -4_000),  # exactly its own posting
        (10_000, 50_000, (0, 44_000), -4_000),  # the reserve has what the jackpot lacks
        (0, 15_000, (0, 0), -5_000),  # and the house what the reserve lacks
        (0, 0, (0, 0), -20_000),
        (50_000, 1_000, (36_000, 0), -5_000),  # the reserve lacks part of its own share
    ],
)
def test_what_a_returned_token_takes_beyond_zero(
    jackpot: int, reserve: int, left: tuple[int, int], house: int
) -> None:
    settings = MoneySettings(token=Cents(2))
    before = Balances(jackpot=jackpot, reserve=reserve)
    after = before.after(token_returned(settings, before, "back"))
    assert (after.jackpot, after.reserve, after.house) == (*left, house)


@given(any_settings(), st.integers(-(10**9), -1), st.integers(-(10**9), 10**9))
def test_an_account_below_zero_from_an_earlier_version_goes_no_lower(
    settings: MoneySettings, jackpot: int, reserve: int
) -> None:
    before = Balances(jackpot=jackpot, reserve=reserve)
    after = before.after(token_returned(settings, before, "back"))
    assert after.jackpot == jackpot
    assert after.reserve >= min(reserve, 0)


@given(ANY_BALANCES, st.integers(10**9, 10**12), st.integers(-(10**9), 10**9))
def test_an_award_leaves_the_jackpot_and_is_paid_or_comes_back(
    before: Balances, first: int, more: int
) -> None:
    amount = Units(first + more)
    pending = before.after(award_pending("a", Units(first)))
    pending = pending.after(award_pending("b", Units(more), more=True))
    assert pending.jackpot == before.jackpot - amount
    assert pending.pending == before.pending + amount
    assert pending.after(award_cancelled("c", amount)) == before
    paid = pending.after(award_final("d", amount))
    assert (paid.pending, paid.paid) == (before.pending, before.paid + amount)


@given(ANY_BALANCES, st.integers(0, 10**9))
def test_a_jackpot_won_starts_again_from_its_base(before: Balances, base: int) -> None:
    movement = reseed("again", before, Cents(base))
    lacking = base * 10_000 - before.jackpot
    if lacking <= 0:
        assert movement is None
        return
    assert movement is not None
    after = before.after(movement)
    assert after.jackpot == base * 10_000
    from_reserve = before.reserve - after.reserve
    assert from_reserve == max(0, min(before.reserve, lacking)), "the reserve first, what it has"
    assert before.house - after.house == lacking - from_reserve, "the rest from the house"


def test_an_award_of_nothing_moves_nothing_and_is_still_known_by_its_identity() -> None:
    movement = award_pending("a", Units(0))
    assert (movement.identity, movement.postings) == ("a", ())
    assert Balances().after(movement) == Balances()


def test_no_first_award_is_negative() -> None:
    with pytest.raises(ValueError, match="an award of -1 and 0 units"):
        award_pending("a", Units(-1))


LOWER_THE_JACKPOT = ("award_pending", "award_raised", "token_returned", "correction", "left")


@pytest.mark.parametrize("reason", Reason)
def test_only_typed_reasons_lower_the_jackpot(reason: Reason) -> None:
    postings = (Posting(Account.JACKPOT, Units(-1)), Posting(Account.HOUSE, Units(1)))
    if reason.value in LOWER_THE_JACKPOT:
        assert Transaction("x", reason, postings).reason is reason
        return
    with pytest.raises(ValueError, match="may not lower the jackpot"):
        Transaction("x", reason, postings)


@pytest.mark.parametrize(
    ("postings", "why"),
    [
        ([(Account.HOUSE, 1)], "sum to 1"),
        ([(Account.HOUSE, 1), (Account.TRAY, -2)], "sum to -1"),
        ([(Account.HOUSE, 1), (Account.HOUSE, -1)], "twice"),
        ([(Account.HOUSE, 0), (Account.TRAY, 0)], "nothing is posted"),
    ],
)
def test_what_is_no_transaction(postings: list[tuple[Account, int]], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Transaction(
            "x",
            Reason.CORRECTION,
            tuple(Posting(account, Units(units)) for account, units in postings),
        )
    with pytest.raises(ValueError, match="identity"):
        Transaction("", Reason.CORRECTION, ())


def test_a_correction_is_written_between_any_two_accounts() -> None:
    movement = correction("by hand", Units(70), Account.JACKPOT, Account.RESERVE)
    assert Balances(jackpot=100).after(movement) == Balances(jackpot=30, reserve=70)


@given(ANY_BALANCES)
def test_balances_survive_their_dictionary(balances: Balances) -> None:
    assert Balances.from_dict(balances.to_dict()) == balances
    assert {account: balances.of(account) for account in Account} == {
        account: balances.to_dict().get(account.value, 0) for account in Account
    }


@pytest.mark.parametrize("wrong", [{}, {**Balances().to_dict(), "tray": "1"}, {"bank": 0}])
def test_what_are_no_balances(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not the balances"):
        Balances.from_dict(wrong)


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("token", {"token": 0}),
        ("to_jackpot", {"to_jackpot": 10_001}),
        ("to_reserve", {"to_reserve": -1}),
        ("to_reserve", {"to_jackpot": 9_001, "to_reserve": 1_000}),
        ("opening", {"opening": -1}),
        ("base", {"base": -1}),
    ],
)
def test_settings_that_cannot_be_played_name_the_field(
    field: str, settings: dict[str, int]
) -> None:
    values = {"token": 200, "to_jackpot": 7_000, "to_reserve": 1_000, "opening": 0, "base": 0}
    values |= settings
    with pytest.raises(ValueError, match=f"^{field}: "):
        MoneySettings(
            Cents(values["token"]),
            values["to_jackpot"],
            values["to_reserve"],
            Cents(values["opening"]),
            Cents(values["base"]),
        )

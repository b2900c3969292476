"""Wrong PINs wait longer and longer; nobody is remembered for ever, and never too many."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.line.access.delays import (
    FORGOTTEN_MS,
    LONGEST_S,
    REMEMBERED,
    SHARED,
    WITHOUT_DELAY,
    Attempts,
    WrongCounts,
    delay_s,
)

HOUR_MS = 60 * 60 * 1000
NAMES = [f"name-{number}" for number in range(3 * REMEMBERED)]


def nobody_was_wrong() -> Attempts:
    return Attempts(WrongCounts(), 0)


def try_wrong_pin(attempts: Attempts, name: str, now: int) -> bool:
    """A wrong PIN for somebody enrolled, as the login tries it; whether it was read."""
    account = attempts.account(name, (), now)
    if attempts.wait_ms(account, now):
        return False
    read = attempts.is_delay_over(name, now)
    attempts.add_wrong(account, now, person=name if read else None)
    return read


def test_the_third_wrong_pin_waits_and_each_further_one_twice_as_long() -> None:
    assert [delay_s(wrong) for wrong in range(15)] == [
        *(0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512),
        *(900, 900, 900),
    ]


@given(st.integers(0, 1_000_000))
def test_a_delay_never_shrinks_and_never_exceeds_15_minutes(wrong: int) -> None:
    assert 0 <= delay_s(wrong) <= delay_s(wrong + 1) <= LONGEST_S


PAUSES = st.lists(st.sampled_from([0, 1, 999, 60_000, HOUR_MS, FORGOTTEN_MS]))


@pytest.mark.parametrize("invented", [0, REMEMBERED, 3 * REMEMBERED])
@given(pauses=PAUSES)
def test_nobody_guesses_faster_than_the_rule(invented: int, pauses: list[int]) -> None:
    """However they are spaced, also behind invented names: 12 at first, then 4 an hour"""
    attempts, now, read = nobody_was_wrong(), 0, 0
    for name in NAMES[:invented]:
        try_wrong_pin(attempts, name, now)
    for pause in [0] * 14 + [HOUR_MS // 4] * 8 + pauses:
        now += pause
        wait = attempts.wait_ms(attempts.account("anna", (), now), now)
        read += try_wrong_pin(attempts, "anna", now + wait)
        now += wait
        assert read <= 12 + 4 * now / HOUR_MS


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans(), st.integers(0, HOUR_MS))))
def test_the_memory_is_bounded_and_a_right_pin_begins_anew(
    tries: list[tuple[str, bool, int]],
) -> None:
    attempts, now = nobody_was_wrong(), 0
    for name, right, pause in tries:
        now += pause
        account = attempts.account(name, (), now)
        assert account in (name, SHARED)
        if attempts.wait_ms(account, now) or not attempts.is_delay_over(name, now):
            continue
        before, of_person = attempts.answered.count(account), attempts.people.count(name)
        if right:
            attempts.add_right(account, name)
            assert attempts.people.count(name) == 0
            assert attempts.answered.count(account) == (before if account == SHARED else 0)
        else:
            wrong = attempts.add_wrong(account, now, person=name)
            assert attempts.people.count(name) == of_person + 1
            assert wrong is not None or account == SHARED
            if wrong is not None:
                assert wrong.count == before + 1
                assert wrong.until == now + delay_s(wrong.count) * 1000
        assert len(attempts.counts().answered.keys() - {SHARED}) <= REMEMBERED


@given(st.lists(st.sampled_from(NAMES[:5]), max_size=60), st.integers(0, HOUR_MS))
def test_a_start_never_shortens_a_delay(tries: list[str], later: int) -> None:
    attempts = nobody_was_wrong()
    for name in tries:
        attempts.add_wrong(name, 0, person=name)
    again = Attempts(attempts.counts(), now=7)
    for name in NAMES[:5]:
        assert again.wait_ms(name, 7) >= attempts.wait_ms(name, later)
        assert again.is_delay_over(name, 7) == attempts.is_delay_over(name, 0)
        assert (
            again.people.count(name) == again.answered.count(name) == attempts.answered.count(name)
        )


def test_one_name_does_not_wait_for_another() -> None:
    attempts = nobody_was_wrong()
    for _ in range(10):
        attempts.add_wrong("anna", 0, person="anna")
    assert attempts.wait_ms("anna", 0) == delay_s(10) * 1000
    assert attempts.wait_ms("bea", 0) == 0
    assert attempts.is_delay_over("bea", 0)


def test_further_names_share_one_account_and_nobody_forgives_it_or_waits_for_it() -> None:
    attempts = nobody_was_wrong()
    for name in NAMES[:REMEMBERED]:
        attempts.add_wrong(attempts.account(name, (), 0), 0, person=None)
    counted = [
        attempts.add_wrong(attempts.account(name, (), 0), 0, person=None)
        for name in NAMES[REMEMBERED:]
    ]
    assert len([wrong for wrong in counted if wrong is not None]) == WITHOUT_DELAY + 1
    attempts.add_right(SHARED, "anna")
    assert attempts.answered.count(SHARED) == WITHOUT_DELAY + 1
    assert attempts.account("anna", (), 0) == SHARED
    assert attempts.wait_ms(SHARED, 0) == 0
    assert attempts.is_delay_over("anna", 0)
    assert attempts.account(NAMES[0], (), 0) == NAMES[0]


def test_room_is_kept_for_attempts_under_way() -> None:
    attempts = Attempts(WrongCounts(dict.fromkeys(NAMES[: REMEMBERED - 1], 1)), 0)
    assert attempts.account("anna", (), 0) == "anna"
    assert attempts.account("anna", ("bea",), 0) == SHARED
    assert attempts.account("anna", ("anna",), 0) == "anna"


def test_people_who_are_no_longer_enrolled_take_no_room() -> None:
    attempts = nobody_was_wrong()
    for name in ("anna", "anna", "bea"):
        attempts.add_wrong(SHARED, 0, person=name)
    attempts.people.keep_only({"anna", "carlo"})
    assert attempts.counts().people == {"anna": 2}


def test_a_name_is_forgotten_four_hours_after_its_delay() -> None:
    attempts = nobody_was_wrong()
    wrong = [attempts.add_wrong("anna", 0, person="anna") for _ in range(WITHOUT_DELAY + 1)]
    untils = [one.until for one in wrong if one is not None]
    assert [later >= sooner for sooner, later in pairwise(untils)] == [True, True]
    attempts.account("bea", (), untils[-1] + FORGOTTEN_MS - 1)
    assert attempts.counts() == WrongCounts({"anna": 3}, {"anna": 3})
    attempts.account("bea", (), untils[-1] + FORGOTTEN_MS)
    assert attempts.counts() == WrongCounts()

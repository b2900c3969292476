"""Wrong PINs wait longer and longer; nobody is remembered for ever, and never too many."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from console.access.delays import (
    FORGOTTEN_MS,
    LONGEST_S,
    REMEMBERED,
    SHARED,
    WITHOUT_DELAY,
    Attempts,
    delay_s,
)

HOUR_MS = 60 * 60 * 1000
NAMES = [f"name-{number}" for number in range(3 * REMEMBERED)]


def test_the_third_wrong_pin_waits_and_each_further_one_twice_as_long() -> None:
    assert [delay_s(wrong) for wrong in range(15)] == [
        *(0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512),
        *(900, 900, 900),
    ]


@given(st.integers(0, 1_000_000))
def test_a_delay_never_shrinks_and_never_exceeds_15_minutes(wrong: int) -> None:
    assert 0 <= delay_s(wrong) <= delay_s(wrong + 1) <= LONGEST_S


@given(st.lists(st.sampled_from([0, 1, 999, 60_000, HOUR_MS, FORGOTTEN_MS])))
def test_nobody_tries_faster_than_the_rule(pauses: list[int]) -> None:
    """However somebody spaces the tries: 12 at first, and no more than 4 an hour after that"""
    attempts, began = Attempts({}, 0), 0
    now = began
    for tries, pause in enumerate([0] * 14 + pauses, start=1):
        now += pause
        account = attempts.account("anna", (), now)
        now += attempts.wait_ms(account, now)
        attempts.wrong(account, now)
        assert tries <= 12 + 4 * (now - began) / HOUR_MS


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans(), st.integers(0, HOUR_MS))))
def test_the_memory_is_bounded_and_a_right_pin_begins_anew(
    tries: list[tuple[str, bool, int]],
) -> None:
    attempts, now = Attempts({}, 0), 0
    for name, right, pause in tries:
        now += pause
        account = attempts.account(name, (), now)
        assert account in (name, SHARED)
        if attempts.wait_ms(account, now):
            continue
        before = attempts.count(account)
        if right:
            attempts.right(account)
            assert attempts.count(account) == (before if account == SHARED else 0)
        else:
            wrong = attempts.wrong(account, now)
            assert wrong.count == before + 1
            assert wrong.until == now + delay_s(wrong.count) * 1000
        assert len(attempts.counts().keys() - {SHARED}) <= REMEMBERED


@given(st.lists(st.sampled_from(NAMES[:5]), max_size=60), st.integers(0, HOUR_MS))
def test_a_start_never_shortens_a_delay(tries: list[str], later: int) -> None:
    attempts = Attempts({}, 0)
    for name in tries:
        attempts.wrong(name, 0)
    again = Attempts(attempts.counts(), now=7)
    for name in NAMES[:5]:
        assert again.wait_ms(name, 7) >= attempts.wait_ms(name, later)
        assert again.count(name) == attempts.count(name)


def test_one_name_does_not_wait_for_another() -> None:
    attempts = Attempts({}, 0)
    for _ in range(10):
        attempts.wrong("anna", 0)
    assert attempts.wait_ms("anna", 0) == delay_s(10) * 1000
    assert attempts.wait_ms("bea", 0) == 0


def test_further_names_share_one_account_and_nobody_forgives_it() -> None:
    attempts = Attempts({}, 0)
    for name in NAMES[:REMEMBERED]:
        attempts.wrong(attempts.account(name, (), 0), 0)
    for name in NAMES[REMEMBERED:]:
        assert attempts.account(name, (), 0) == SHARED
        attempts.wrong(SHARED, 0)
    attempts.right(SHARED)
    assert attempts.wait_ms(SHARED, 0) == LONGEST_S * 1000
    assert attempts.account(NAMES[0], (), 0) == NAMES[0]


def test_room_is_kept_for_attempts_under_way() -> None:
    attempts = Attempts(dict.fromkeys(NAMES[: REMEMBERED - 1], 1), 0)
    assert attempts.account("anna", (), 0) == "anna"
    assert attempts.account("anna", ("bea",), 0) == SHARED
    assert attempts.account("anna", ("anna",), 0) == "anna"


def test_a_name_is_forgotten_four_hours_after_its_delay() -> None:
    attempts = Attempts({}, 0)
    wrong = [attempts.wrong("anna", 0) for _ in range(WITHOUT_DELAY + 1)]
    assert [later.until >= sooner.until for sooner, later in pairwise(wrong)] == [True, True]
    until = wrong[-1].until
    attempts.account("bea", (), until + FORGOTTEN_MS - 1)
    assert attempts.counts() == {"anna": 3}
    attempts.account("bea", (), until + FORGOTTEN_MS)
    assert attempts.counts() == {}

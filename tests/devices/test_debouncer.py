"""The debouncer against a slow, obvious model of what it promises."""

from hypothesis import given
from hypothesis import strategies as st

from devices.debouncer import Debouncer

SETTLE = 5
"""Milliseconds here: the pure code counts in whatever unit it is given."""

levels = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), min_size=1, max_size=30)


def accept_by_model(steps: list[tuple[bool, int]]) -> list[tuple[int, bool]]:
    """Every millisecond: has the level been the same for the whole settling time?"""
    samples = [level for level, ms in steps for _ in range(ms)]
    level, accepted = False, []
    for now in range(SETTLE, len(samples)):
        if set(samples[now - SETTLE : now]) == {not level}:
            level = not level
            accepted.append((now, level))
    return accepted


@given(levels)
def test_a_level_is_accepted_when_it_has_been_stable_for_the_settling_time(
    steps: list[tuple[bool, int]],
) -> None:
    debouncer = Debouncer.starting(False, 0.0, float(SETTLE))
    accepted, now = [], 0
    for level, ms in steps:
        debouncer.feed(level, now)
        for _ in range(ms):
            now += 1
            if debouncer.settle(now):
                accepted.append((now, debouncer.level))
    end = sum(ms for _, ms in steps)
    assert [(at, level) for at, level in accepted if at < end] == accept_by_model(steps)


@given(levels)
def test_it_needs_to_be_called_at_its_deadline_only(steps: list[tuple[bool, int]]) -> None:
    often, seldom = (Debouncer.starting(False, 0.0, float(SETTLE)) for _ in range(2))
    now = 0
    for level, ms in steps:
        often.feed(level, now)
        seldom.feed(level, now)
        due = seldom.deadline
        for _ in range(ms):
            now += 1
            often.settle(now)
            if due is not None and now >= due:
                seldom.settle(due)
        assert often.level == seldom.level


def test_a_press_told_late_is_a_press_still() -> None:
    debouncer = Debouncer.starting(False, 0.0, 0.005)
    assert not debouncer.feed(True, 1.000)
    assert debouncer.feed(False, 1.025)
    assert debouncer.level


def test_chatter_is_no_press() -> None:
    debouncer = Debouncer.starting(False, 0.0, 0.005)
    for ms in range(10):
        assert not debouncer.feed(ms % 2 == 0, 1 + ms / 1000)
    assert not debouncer.level

"""Debouncer and key selector against slow, obvious models of what they promise."""

from hypothesis import given
from hypothesis import strategies as st

from devices.debouncer import Debouncer
from devices.key_selector import KeyEvent, KeySelector, only_contact
from devices.roles import KeyFound, KeyMoved, KeyPosition, KeyUnreadable

SETTLE = 5
"""Milliseconds here: the pure code counts in whatever unit it is given."""

HAIR_S = 1e-7
"""Sums of decimal fractions miss each other by less."""

levels = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), min_size=1, max_size=30)
contacts = st.frozensets(st.sampled_from(KeyPosition), max_size=2)
turns = st.lists(st.tuples(contacts, st.sampled_from((1, 5, 19, 20, 21, 300, 499, 500, 501))))


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


def key_by_model(steps: list[tuple[frozenset[KeyPosition], int]]) -> list[tuple[int, KeyEvent]]:
    """Every millisecond: what have the last 20 ms read, and for how long has nothing counted?"""
    readings = [only_contact(closed) for closed, ms in steps for _ in range(ms)]
    events: list[tuple[int, KeyEvent]] = []
    counted: list[KeyPosition | None] = []
    lost: int | None = 0
    reported = False
    for now in range(1, len(readings)):
        past = readings[max(0, now - 20) : now]
        if len(past) == 20 and len(set(past)) == 1:
            if not counted:
                events.append((now, KeyFound(past[0])))
            elif past[0] is not counted[-1]:
                events.append((now, KeyMoved(past[0])))
            counted.append(past[0])
            if past[0] is not None:
                lost, reported = None, False
        if lost is not None and not reported and now - lost > 500:
            reported = True
            events.append((now, KeyUnreadable()))
        if lost is None and readings[now] is None:
            lost = now
    return events


@given(turns)
def test_the_key_counts_as_the_table_says(steps: list[tuple[frozenset[KeyPosition], int]]) -> None:
    key = KeySelector(steps[0][0] if steps else frozenset(), 0)
    events: list[tuple[int, KeyEvent]] = []
    now = 0
    for closed, ms in steps:
        events += [(now, event) for event in key.feed(closed, now / 1000)]
        for _ in range(ms):
            now += 1
            events += [(now, event) for event in key.settle(now / 1000 + HAIR_S)]
    end = sum(ms for _, ms in steps)
    assert [(at, event) for at, event in events if at < end] == key_by_model(steps)


def test_a_key_that_jumps_is_never_between() -> None:
    key = KeySelector(frozenset((KeyPosition.R,)), 0)
    assert key.settle(0.02) == [KeyFound(KeyPosition.R)]
    assert key.feed(frozenset(), 1.0) == []
    assert key.feed(frozenset((KeyPosition.JPL,)), 1.0) == []
    assert key.deadline == 1.02
    assert key.settle(1.02) == [KeyMoved(KeyPosition.JPL)]
    assert key.deadline is None

"""The key selector against a slow, obvious model of what it promises."""

from hypothesis import given
from hypothesis import strategies as st

from devices.panel_inputs import KeyEvent, KeySelector, only_contact
from devices.roles import KeyFound, KeyMoved, KeyPosition, KeyUnreadable

HAIR_S = 1e-7
"""Sums of decimal fractions miss each other by less."""

contacts = st.frozensets(st.sampled_from(KeyPosition), max_size=2)
turns = st.lists(st.tuples(contacts, st.sampled_from((1, 5, 19, 20, 21, 300, 499, 500, 501))))


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

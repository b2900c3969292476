"""What is counted of a contact, against a slow, obvious model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.contact_count import ContactCount

SETTLE = 5
"""Milliseconds here: the pure code counts in whatever unit it is given."""

levels = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), min_size=1, max_size=30)


def feed(steps: list[tuple[bool, float]], settle: float = SETTLE) -> ContactCount:
    """A contact, open at first, that then stays at each level for so long."""
    count, now = ContactCount(settle, closed=False, since=0.0), 0.0
    for closed, lasts in steps:
        count.feed(closed, now)
        now += lasts
    return count


def runs(steps: list[tuple[bool, int]]) -> list[tuple[bool, int]]:
    """The levels one after another, each with how long it lasted; open at first."""
    merged = [(False, 0)]
    for closed, lasts in steps:
        if closed == merged[-1][0]:
            merged[-1] = (closed, merged[-1][1] + lasts)
        else:
            merged.append((closed, lasts))
    return merged


@given(levels)
def test_edges_chatter_and_pulse_are_what_the_model_counts(steps: list[tuple[bool, int]]) -> None:
    count = feed([(closed, float(lasts)) for closed, lasts in steps])
    past = runs(steps)
    settled, chatter, pulse, last = False, 0, 0, None
    for (closed, lasts), following in zip(past, [*past[1:], None], strict=True):
        if following is None:
            break  # it is closed, or open, still
        stood = lasts >= SETTLE
        if stood:
            settled = closed
        chatter += not stood and closed is not settled
        if closed:
            pulse += lasts
            last = pulse
        else:
            pulse = 0 if stood or last is None else pulse + lasts
    assert count.edges == len(past) - 1
    assert count.chatter == chatter
    assert count.pulse_s == last
    assert count.closed is past[-1][0]


def test_a_press_is_two_edges_and_as_long_as_it_was_held() -> None:
    count = feed([(False, 20), (True, 120), (False, 20)])
    figures = count.figures("COIN_IN", 165.0)
    assert (figures.name, figures.closed, figures.edges, figures.chatter) == (
        "COIN_IN",
        False,
        2,
        0,
    )
    assert count.pulse_s == 120
    assert (figures.since_ms, figures.pulse_ms) == (25_000, 120_000)


def test_a_press_that_bounces_is_one_pulse() -> None:
    bounces = [(True, 1), (False, 1), (True, 100), (False, 1), (True, 2), (False, 50)]
    count = feed([(False, 20), *bounces])
    assert (count.edges, count.pulse_s) == (6, 105)
    assert count.chatter == 2


def test_a_contact_that_touches_for_a_moment_has_a_short_pulse() -> None:
    count = feed([(False, 20), (True, 2), (False, 20)])
    assert (count.edges, count.chatter, count.pulse_s) == (2, 1, 2)


def test_the_same_level_told_twice_is_no_edge() -> None:
    count = feed([(True, 10), (True, 10)])
    assert (count.edges, count.since) == (1, 0)


def test_it_has_no_pulse_before_it_has_been_closed_and_opened() -> None:
    count = ContactCount(SETTLE, closed=True, since=0.0)
    assert count.figures("key R", 3.0).pulse_ms is None
    count.feed(False, 3.0)
    assert count.pulse_s == pytest.approx(3.0)

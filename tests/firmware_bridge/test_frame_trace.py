"""The last frames of a line: which are kept, how much of each, and what keeping them costs."""

import asyncio
from time import process_time

from firmware_bridge.frame_trace import BAD_KEPT, FRAMES_KEPT, LONGEST_KEPT, FrameTrace


class ManualClock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def make_trace(count: int, clock: ManualClock) -> FrameTrace:
    """A trace of so many received frames, one a second; each says its number."""
    trace = FrameTrace(clock)
    for number in range(count):
        trace.note_received(b"%d" % number, good=True, now=clock.now)
        clock.now += 1
    return trace


def test_what_passed_is_told_oldest_first_with_its_age() -> None:
    clock = ManualClock()
    trace = FrameTrace(clock)
    trace.note_sent(b"asked", now=clock.now)
    clock.now += 0.25
    trace.note_received(b"answered", good=True, now=clock.now)
    clock.now += 0.5
    asked, answered = trace.last(10)
    assert (asked.ago_s, asked.sent, asked.raw, asked.good) == (0.75, True, b"asked", True)
    assert (answered.ago_s, answered.sent, answered.raw) == (0.5, False, b"answered")


def test_the_last_32_are_kept_and_fewer_can_be_asked_for() -> None:
    trace = make_trace(100, ManualClock())
    assert [frame.raw for frame in trace.last(1000)] == [b"%d" % n for n in range(68, 100)]
    assert [frame.raw for frame in trace.last(2)] == [b"98", b"99"]
    assert trace.last(0) == trace.last(-1) == ()
    assert FRAMES_KEPT == 32


def test_the_last_bad_ones_outlive_the_good_ones() -> None:
    clock = ManualClock()
    trace = FrameTrace(clock)
    for number in range(10):
        trace.note_received(b"bad%d" % number, good=False, now=clock.now)
    for number in range(FRAMES_KEPT):
        trace.note_received(b"%d" % number, good=True, now=clock.now)
    bad = [frame.raw for frame in trace.last(3)]
    assert bad == [*(b"bad%d" % number for number in range(2, 10)), b"29", b"30", b"31"]
    assert [frame.good for frame in trace.last(1)] == [False] * BAD_KEPT + [True]
    assert trace.bad == 10


def test_a_bad_one_among_the_last_is_told_once() -> None:
    trace = FrameTrace(ManualClock())
    trace.note_received(b"bad", good=False, now=0.0)
    trace.note_received(b"bad", good=False, now=0.0)
    trace.note_sent(b"sent", now=0.0)
    assert [frame.raw for frame in trace.last(32)] == [b"bad", b"bad", b"sent"]
    assert [frame.raw for frame in trace.last(2)] == [b"bad", b"bad", b"sent"]


def test_megabytes_of_noise_are_kept_in_a_few_kilobytes() -> None:
    trace = FrameTrace(ManualClock())
    for _ in range(100):
        trace.note_received(bytes(100_000), good=False, now=0.0)
    assert {len(frame.raw) for frame in trace.last(32)} == {LONGEST_KEPT}
    assert len(trace.last(32)) == FRAMES_KEPT


def test_a_frame_costs_less_than_a_microsecond() -> None:
    """It stands in the way of every frame. The best of several: another process may be in it."""
    loop = asyncio.new_event_loop()
    trace = FrameTrace(loop.time)
    loop.close()
    raw = bytes(range(1, 36))

    def once() -> float:
        began = process_time()
        for _ in range(10_000):
            trace.note_received(raw, True, now=0.0)
        return (process_time() - began) / 10_000

    assert min(once() for _ in range(15)) < 1e-6

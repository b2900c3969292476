"""How often the same line may be written."""

from logging import ERROR

from console.service.health.log import MOST, REMEMBERED, WITHIN_S, OmittedLines, RateLimit

HERE = ("service.py", 12)
THERE = ("service.py", 13)


def count_written(limit: RateLimit, kind: tuple[str, int], times: int, now: float = 0.0) -> int:
    return sum(limit.admits(kind, ERROR, now) for _ in range(times))


def pop_counts(limit: RateLimit, now: float) -> list[tuple[int, str]]:
    return [(left_out.count, left_out.example) for left_out in limit.pop_ended(now)]


def test_ten_of_a_kind_are_written_and_the_others_counted() -> None:
    limit = RateLimit()
    assert count_written(limit, HERE, 15) == MOST
    limit.set_example(HERE, "the disk is slow")
    limit.set_example(HERE, "the disk is slower")
    assert pop_counts(limit, WITHIN_S - 0.1) == []
    assert pop_counts(limit, WITHIN_S) == [(5, "the disk is slow")]
    assert pop_counts(limit, WITHIN_S + 1) == []


def test_another_kind_is_counted_by_itself() -> None:
    limit = RateLimit()
    assert count_written(limit, HERE, 15) == MOST
    assert count_written(limit, THERE, 3) == 3
    assert [count for count, _ in pop_counts(limit, WITHIN_S)] == [5]


def test_after_half_a_minute_ten_more_are_written() -> None:
    limit = RateLimit()
    count_written(limit, HERE, 15)
    limit.pop_ended(WITHIN_S)
    assert count_written(limit, HERE, 15, now=WITHIN_S) == MOST
    assert limit.pop_ended(WITHIN_S + 1) == []


def test_what_was_never_left_out_is_not_told() -> None:
    limit = RateLimit()
    count_written(limit, HERE, MOST)
    assert limit.pop_ended(WITHIN_S) == []


def test_no_more_kinds_are_remembered_than_there_is_room_for() -> None:
    limit = RateLimit()
    count_written(limit, HERE, 15)
    for line in range(2 * REMEMBERED):
        early = limit.pop_ended(1.0)
        if early:
            assert early == [OmittedLines(0.0, "", ERROR, written=MOST, count=5)]
            assert line == REMEMBERED - 1
        limit.admits(("noise.py", line), ERROR, 1.0)
    assert len(limit.pop_ended(100.0)) == 0

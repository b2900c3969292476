"""The labels of records are those of the standard library, to the byte."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.service.clock import label_time, wall_clock

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
IN_2200 = 7_258_118_400_000


@given(st.integers(0, IN_2200))
def test_a_label_is_the_time_in_utc_to_the_millisecond(ms: int) -> None:
    then = EPOCH + timedelta(milliseconds=ms)
    assert label_time(ms) == then.isoformat(timespec="milliseconds")


@pytest.mark.parametrize("ms", [0, 59_999, 60_000, 951_782_399_999, 951_782_400_000])
def test_the_last_millisecond_of_a_minute_is_not_of_the_next(ms: int) -> None:
    assert datetime.fromisoformat(label_time(ms)) == EPOCH + timedelta(milliseconds=ms)


def test_the_wall_clock_is_now() -> None:
    before = datetime.now(UTC)
    label = datetime.fromisoformat(wall_clock())
    assert before - timedelta(milliseconds=1) <= label <= datetime.now(UTC)

"""Fixtures of the devices' tests."""

from collections.abc import Iterator

import pytest

from tests.devices.driven_devices import DeviceBench, MakeBench


@pytest.fixture
def make_bench() -> Iterator[MakeBench]:
    """A cabinet and one driver in it, of the kind asked for; closed when the test ends."""
    made: list[DeviceBench] = []

    def fit_one(kind: str, *, inspector_fitted: bool = True) -> DeviceBench:
        made.append(DeviceBench(kind, inspector_fitted=inspector_fitted))
        return made[-1]

    yield fit_one
    for bench in made:
        bench.close()

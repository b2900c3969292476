"""Virtual time for one test."""

from collections.abc import Iterator

import pytest

from devices.sim.virtual_time import VirtualLoop


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    """A loop that is closed when the test ends."""
    loop = VirtualLoop()
    yield loop
    loop.close()

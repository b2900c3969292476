"""A deck shuffler, with the board in MicroPython: tests/devices/test_deck_shuffler.py.

In virtual time. `make test` tries every sixth.
"""

import pytest

from tests.devices import test_deck_shuffler as promises
from tests.firmware_bridge.micropython.shuffler_table import MicroPythonShufflerTable

pytestmark = pytest.mark.sampled(of=6)


@pytest.fixture
def make_table() -> promises.MakeTable:
    return lambda: MicroPythonShufflerTable("deck")


table = promises.table
WITH_OTHER_BOARDS = {
    name: it
    for name, it in vars(promises).items()
    if name.startswith("test_") and "simulation" not in name and "other" not in name
}
globals().update(WITH_OTHER_BOARDS)

"""The interlock, with the board in MicroPython: it keeps the exit shut, whatever is on its line.

The tests are those of tests/devices/test_shuffler_interlock.py, in virtual time.
`make test` tries every sixth.
"""

import pytest

from tests.devices import test_shuffler_interlock as interlock
from tests.firmware_bridge.micropython.shuffler_table import MicroPythonShufflerTable

pytestmark = pytest.mark.sampled(of=6)


@pytest.fixture
def make_table() -> interlock.MakeTable:
    return MicroPythonShufflerTable


table = interlock.table
fresh = interlock.fresh
globals().update({name: it for name, it in vars(interlock).items() if name.startswith("test_")})

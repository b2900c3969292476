"""The contract of every shuffler, with the board in MicroPython behind a terminal.

The tests are those of tests/devices/test_shuffler_contract.py, in virtual time.
`make test` tries every sixth.
"""

from collections.abc import Iterator

import pytest

from tests.devices import test_shuffler_contract as contract
from tests.devices.shuffler_table import KINDS, ShufflerTable
from tests.firmware_bridge.micropython.shuffler_table import MicroPythonShufflerTable

pytestmark = pytest.mark.sampled(of=6)


@pytest.fixture(params=KINDS)
def table(request: pytest.FixtureRequest) -> Iterator[ShufflerTable]:
    table = MicroPythonShufflerTable(request.param)
    yield table
    table.close()


globals().update({name: it for name, it in vars(contract).items() if name.startswith("test_")})

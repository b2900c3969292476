"""The contract of every shoe, with a counting shoe's board in MicroPython behind a terminal.

The tests are those of tests/devices/test_shoe_contract.py, but for quiet hours; in virtual time.
"""

from collections.abc import Iterator

import pytest

from devices.sim.shoe import SimulatedCountingShoe
from tests.devices import test_shoe_contract as contract
from tests.devices.shoe_table import ShoeTable
from tests.firmware_bridge.micropython.shoe_process import ShoePower, SteppedShoe

HOURS = {
    "test_a_quiet_shoe_reports_nothing",
    "test_a_shoe_that_is_not_there_at_the_start_is_sought",
}
"""An hour is 12,000 steps."""


@pytest.fixture
def table() -> Iterator[ShoeTable]:
    table = ShoeTable("counting")
    shoe = table.cabinet.shoe
    assert isinstance(shoe, SimulatedCountingShoe)
    power = ShoePower(SteppedShoe)
    shoe.fit_board(power.boot, power.stop)
    yield table
    table.close()


globals().update(
    {
        name: it
        for name, it in vars(contract).items()
        if name.startswith("test_") and name not in HOURS
    }
)

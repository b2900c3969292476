"""The contract of every coin rail, with the board in MicroPython behind a pseudo-terminal.

The tests are those of tests/devices/test_coin_rail_contract.py, in virtual time.
"""

from collections.abc import Iterator

import pytest

from devices.roles import CoinRail
from tests.devices import test_coin_rail_contract as contract
from tests.devices.table import Table
from tests.firmware_bridge.micropython.rail_process import KINDS, RailPower, SteppedRail

pytestmark = pytest.mark.sampled(of=2)


class MicroPythonTable(Table):
    """A table whose rail has its board in MicroPython."""

    def __init__(self, rail: str) -> None:
        super().__init__(rail)
        power = RailPower(lambda boot: SteppedRail(KINDS[rail], boot))
        self.cabinet.rail.fit_board(power.boot, power.stop)

    def start_rail(self) -> CoinRail:
        """By then the board is sure of what its sensors see."""
        self.run(0.02)
        return super().start_rail()


@pytest.fixture(params=KINDS)
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    table = MicroPythonTable(request.param)
    yield table
    table.close()


globals().update({name: it for name, it in vars(contract).items() if name.startswith("test_")})

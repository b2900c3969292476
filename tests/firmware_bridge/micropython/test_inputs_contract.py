"""What a rail's driver tells of its sensors, with the board in MicroPython.

The tests are those of tests/devices/test_inputs_contract.py that have a rail.
"""

from collections.abc import Iterator
from inspect import signature

import pytest

from tests.devices import test_inputs_contract as contract
from tests.devices.driven_devices import DeviceBench, MakeBench
from tests.firmware_bridge.micropython.rail_process import KINDS, RailPower, SteppedRail


class MicroPythonBench(DeviceBench):
    """A driver and a cabinet whose rail has its board in MicroPython."""

    def __init__(self, kind: str, *, inspector_fitted: bool = True) -> None:
        super().__init__(kind, inspector_fitted=inspector_fitted)
        power = RailPower(lambda boot: SteppedRail(KINDS[kind], boot))
        self.cabinet.rail.fit_board(power.boot, power.stop)

    def start(self) -> None:
        """By then the board is sure of what its sensors see."""
        self.run(0.02)
        super().start()


@pytest.fixture
def make_bench() -> Iterator[MakeBench]:
    made: list[DeviceBench] = []

    def make_one(kind: str, *, inspector_fitted: bool = True) -> DeviceBench:
        made.append(MicroPythonBench(kind, inspector_fitted=inspector_fitted))
        return made[-1]

    yield make_one
    for bench in made:
        bench.close()


rail = contract.rail
slot = contract.slot
globals().update(
    {
        name: it
        for name, it in vars(contract).items()
        if name.startswith("test_") and {"rail", "slot"} & set(signature(it).parameters)
    }
)

"""A cabinet whose shuffler has its board in MicroPython, and the driver on it, in virtual time."""

from devices.sim.cabinet import SHUFFLERS
from tests.devices.shuffler_table import ShufflerTable
from tests.firmware_bridge.micropython.shuffler_process import ShufflerPower, SteppedShuffler


class MicroPythonShufflerTable(ShufflerTable):
    """As its parent, with a board in MicroPython."""

    def __init__(self, kind: str = "dealer") -> None:
        super().__init__(kind)
        power = ShufflerPower(lambda boot: SteppedShuffler(SHUFFLERS[kind], boot))
        self.cabinet.shuffler.fit_board(power.boot, power.stop)

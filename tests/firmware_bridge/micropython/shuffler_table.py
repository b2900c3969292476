"""A cabinet whose shuffler has its board in MicroPython, and the driver on it, in virtual time."""

from firmware_bridge.board_link.protocol import BoardKind
from tests.devices.shuffler_table import ShufflerTable
from tests.firmware_bridge.micropython.shuffler_process import ShufflerPower, SteppedShuffler

KINDS = {"dealer": BoardKind.SHUFFLER, "mixer": BoardKind.MIXER}


class MicroPythonShufflerTable(ShufflerTable):
    """As its parent, with a board in MicroPython."""

    def __init__(self, kind: str = "dealer") -> None:
        super().__init__(kind)
        power = ShufflerPower(lambda boot: SteppedShuffler(KINDS[kind], boot))
        self.cabinet.shuffler().fit_board(power.boot, power.stop)

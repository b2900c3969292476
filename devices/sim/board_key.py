"""The key that a simulated board keeps without power, and its jumper."""

from collections.abc import Callable
from typing import TypeVar

from devices.device import Device
from devices.sim.memory import CabinetState
from firmware_bridge.board.firmware import Firmware
from firmware_bridge.board.proof import KeyKeeper

Board = TypeVar("Board", bound=Firmware)


class SimulatedKey(KeyKeeper):
    """In the cabinet's memory, so that it outlives the process."""

    def __init__(self, device: Device, state: CabinetState, remember: Callable[[], None]) -> None:
        self._device = device
        self._state = state
        self._remember = remember

    def read_key(self) -> bytes | None:
        """See `KeyKeeper`."""
        key = self._state.keys.get(self._device.value)
        return None if key is None else bytes.fromhex(key)

    def write_key(self, key: bytes) -> None:
        """See `KeyKeeper`."""
        self._state.keys[self._device.value] = key.hex()
        self._remember()

    def jumper_is_closed(self) -> bool:
        """See `KeyKeeper`."""
        return self._device in self._state.jumpers


def with_key(make: Callable[[int], Board], keeper: KeyKeeper) -> Callable[[int], Board]:
    """Makes boards that speak version 2 as well."""

    def make_board(boot: int) -> Board:
        board = make(boot)
        board.use_key(keeper)
        return board

    return make_board

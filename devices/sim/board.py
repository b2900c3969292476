"""What every simulated board has: its milliseconds and one timer, its key, and its jumper."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from devices.device import Device
from devices.sim.memory import CabinetState
from devices.sim.plug import SimulatedCable
from firmware_bridge.board.firmware import REPEAT_MS, Firmware
from firmware_bridge.board.proof import KeyKeeper
from firmware_bridge.earliest_timer import EarliestTimer
from firmware_bridge.repetition import Repetition

MS = 1000
"""Microseconds of a millisecond."""

Board = TypeVar("Board", bound=Firmware)


class BoardClock:
    """Time that is passed over the board does not live: it is afterwards as it was before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        self._loop = loop
        self._timer = EarliestTimer(loop, wake)
        self._passed_ms = 0

    def now_ms(self) -> int:
        """The time that the board has lived, from any beginning."""
        return round(self._loop.time() * 1000) - self._passed_ms

    def wake_at(self, when_ms: int) -> None:
        """Wake it then, or earlier."""
        self._timer.wake_at((when_ms + self._passed_ms) / 1000)

    def stop(self) -> None:
        """Wake it no more: it has no power."""
        self._timer.cancel()

    def repetition(self, board: object, cable: SimulatedCable) -> Repetition | None:
        """See `Repeating`: the board sends the same STATE, to a host or to nobody.

        A board that runs elsewhere has a clock of its own.
        """
        if not isinstance(board, Firmware) or not board.rests or board.attended is cable.is_loose:
            return None
        return cable.repetition(Repetition(REPEAT_MS * MS, self._timer.handles, self._pass_over))

    def _pass_over(self, us: int) -> None:
        self._passed_ms += us // MS
        self._timer.pass_over(us)


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

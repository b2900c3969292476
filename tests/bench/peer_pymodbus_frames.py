"""Contender: pymodbus's RTU framer, as its client uses it.

Its framer is a pure function of what has gathered; gathering is its transport's, and is done here
as there (`ModbusProtocol.datagram_received`), without the log it keeps.
"""

from collections.abc import Callable

from pymodbus.framer.rtu import FramerRTU
from pymodbus.pdu import DecodePDU

from tests.bench.traffic import compete

DEVICE = 1
MOST_GATHERED = 516
"""Bytes: with more, pymodbus throws away what has gathered."""


class Receiver:
    """What has gathered, and the framer."""

    def __init__(self) -> None:
        self._framer = FramerRTU(DecodePDU(False))
        self._gathered = b""

    def receive(self, data: bytes) -> int:
        """The number of frames these bytes ended."""
        self._gathered += data
        if len(self._gathered) > MOST_GATHERED:
            self._gathered = b""
            return 0
        found = 0
        while self._gathered:
            used, _, _, payload = self._framer.decode(self._gathered)
            self._gathered = self._gathered[used:]
            found += bool(payload)
            if not used or not payload:
                break
        return found


def new_receiver() -> Callable[[bytes], int]:
    """One that has received nothing yet."""
    return Receiver().receive


if __name__ == "__main__":
    framer = FramerRTU(DecodePDU(False))
    compete(lambda payload: framer.encode(payload, DEVICE, 0), new_receiver)

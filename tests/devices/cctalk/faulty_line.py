"""What can be wrong with an acceptors' line: time, and bytes that are not those that were sent."""

import asyncio
from collections.abc import Callable
from itertools import pairwise

from firmware_bridge.line import Line, LineUser

BYTE_S = 10 / 9600


class TamperedLine:
    """A line that goes wrong on its way to the host, as `tamper` has it."""

    def __init__(self, line: Line, tamper: Callable[[bytes], bytes]) -> None:
        self._line = line
        self._tamper = tamper
        self._user: LineUser | None = None

    def start(self, user: LineUser) -> None:
        self._user = user
        self._line.start(self)

    def send(self, data: bytes) -> bool:
        return self._line.send(data)

    def drop(self, why: str) -> None:
        self._line.drop(why)

    def close(self) -> None:
        self._line.close()

    def hear(self, data: bytes) -> None:
        """The host hears these bytes."""
        if data and self._user is not None:
            self._user.line_received(data)

    def line_up(self) -> None:
        if self._user is not None:
            self._user.line_up()

    def line_down(self, why: str) -> None:
        if self._user is not None:
            self._user.line_down(why)

    def line_received(self, data: bytes) -> None:
        self.hear(self._tamper(data))


class SlowLine(TamperedLine):
    """A line at 9600 baud, with acceptors that think for `think_s` before they answer.

    `asked` has every command, and when its last byte was out.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, line: Line, think_s: float) -> None:
        super().__init__(line, lambda data: data)
        self._loop = loop
        self._think_s = think_s
        self._sent = b""
        self.asked: list[tuple[float, bytes]] = []

    def send(self, data: bytes) -> bool:
        self._sent = data
        self.asked.append((self._loop.time() + len(data) * BYTE_S, data))
        return super().send(data)

    def line_received(self, data: bytes) -> None:
        echo, answer = data[: len(self._sent)], data[len(self._sent) :]
        out = len(echo) * BYTE_S
        self._loop.call_later(out, self.hear, echo)
        if answer:
            self._loop.call_later(out + self._think_s + len(answer) * BYTE_S, self.hear, answer)

    def gaps(self, address: int, header: int) -> list[float]:
        """The times between two such commands to an address."""
        at = [when for when, data in self.asked if data[0] == address and data[3] == header]
        return [later - sooner for sooner, later in pairwise(at)]

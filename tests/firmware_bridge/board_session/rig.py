"""The session and a coin-rail board, each the real one, on a wire in memory and in virtual time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board_session.protocol import BoardKind, Identity, State
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import BoardKey, SessionKey
from firmware_bridge.line import Line
from firmware_bridge.memory_line import DeviceEnd, memory_wire
from tests.firmware_bridge.reference.firmware import BoardFirmware, BoardSecrets, Wanted
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

FIRST_BOOT = 0xB0070001


def rail_state(payload: bytes) -> RailState:
    """What a rail's STATE says of the rail."""
    return RailState.from_bytes(State.from_bytes(payload).body)


@dataclass
class Owner:
    """Writes down what the session to a rail reports."""

    events: list[str] = field(default_factory=list)
    states: list[RailState] = field(default_factory=list)
    boot: int | None = None
    identity: Identity | None = None
    on_event: Callable[[], None] = lambda: None

    def note(self, what: str) -> None:
        self.events.append(what)
        self.on_event()

    def board_up(self, identity: Identity) -> None:
        self.identity = identity
        self.note("up")

    def board_settled(self) -> None:
        self.note("settled")

    def board_state(self, boot: int, seen: RailState) -> None:
        self.boot = boot
        self.states.append(seen)

    def board_image(self, _identity: Identity, digest: str) -> None:
        self.note(f"image: {digest}")

    def board_unproven(self, identity: Identity) -> None:
        self.note(f"unproven: {identity.serial}")

    def board_lost(self, why: str) -> None:
        self.note(f"lost: {why}")

    @property
    def last(self) -> RailState:
        return self.states[-1]


class PoweredBoard:
    """A board with power, at the device's end of a wire."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, end: DeviceEnd, firmware: BoardFirmware[Wanted]
    ) -> None:
        self.loop = loop
        self.end = end
        self.firmware = firmware
        self.timer: asyncio.TimerHandle | None = None
        end.on_received = self.on_received
        self.run()

    def now_ms(self) -> int:
        return round(self.loop.time() * 1000)

    def on_received(self, data: bytes) -> None:
        self.firmware.receive(data, self.now_ms())
        self.run()

    def run(self) -> None:
        """To be called after anything has been done to the firmware."""
        now = self.now_ms()
        self.end.send(self.firmware.advance(now))
        if self.timer is not None:
            self.timer.cancel()
        self.timer = self.loop.call_at(self.firmware.next_wake(now) / 1000, self.run)

    def power_off(self) -> None:
        self.end.on_received = None
        if self.timer is not None:
            self.timer.cancel()


class SecondBoard:
    """Another board spliced into the line of one: both hear the host, and the host hears both."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, end: DeviceEnd, firmware: BoardFirmware[Wanted]
    ) -> None:
        first = end.on_received
        self._board = PoweredBoard(loop, end, firmware)
        assert first is not None
        self._first, self._end = first, end
        end.on_received = self._both_hear

    def _both_hear(self, data: bytes) -> None:
        self._first(data)
        self._board.on_received(data)

    def remove(self) -> None:
        self._board.power_off()
        self._end.on_received = self._first


def rail_session(
    line: Line, owner: Owner, loop: asyncio.AbstractEventLoop, key: SessionKey | None = None
) -> BoardSession[RailState]:
    """A session that looks for a slot rail."""
    kind = BoardKind.SLOT_RAIL
    return BoardSession(line, kind, RailWant(), RailState.from_bytes, owner, loop=loop, key=key)


class Rig:
    """A slot rail, cabled and powered, and a session that has not been started yet."""

    def __init__(self, kind: BoardKind = BoardKind.SLOT_RAIL, key: bytes | None = None) -> None:
        """With a key the board has it, and the host has confirmed it."""
        self.loop = VirtualLoop()
        self.line, self.end = memory_wire(self.loop)
        self.firmware = RailFirmware(kind, FIRST_BOOT, serial="RAIL-007")
        self.firmware.secrets = None if key is None else BoardSecrets(key)
        self.board = PoweredBoard(self.loop, self.end, self.firmware)
        self.owner = Owner()
        self.key = SessionKey(board=BoardKey("RAIL-007", key, confirmed=True) if key else None)
        self.session = rail_session(self.line, self.owner, self.loop, self.key)

    def run_for(self, seconds: float) -> None:
        self.loop.run_for(seconds)

    def reboot(self) -> None:
        """The board loses power and has it again at once."""
        self.exchange(RailFirmware(BoardKind.SLOT_RAIL, self.firmware.boot + 1))

    def exchange(self, firmware: RailFirmware) -> None:
        """Another board, or another life of this one, at the same plug."""
        self.board.power_off()
        self.firmware = firmware
        self.board = PoweredBoard(self.loop, self.end, firmware)

    def want(self, lamps: int, gates: int = 0, turn: int = 0) -> None:
        self.session.want(RailWant(lamps, gates, turn))

    def drop_token(self, seat: int) -> None:
        self.firmware.count_drop(seat)
        self.board.run()

    def close(self) -> None:
        self.session.close()
        self.board.power_off()
        self.loop.close()

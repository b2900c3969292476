"""Random deeds for boards of version 2: a host that knows keys, and frames that come again.

The host must see what the board answers, so the reference takes each step as it is made.
"""

from collections.abc import Iterator

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.host_speech import ProvedSession, proves_key
from firmware_bridge.board_session.protocol import (
    PROVED_VERSION,
    Hello,
    Identity,
    KeyMessage,
    MessageType,
    Want,
)
from tests.firmware_bridge.firmware_deeds import Deeds
from tests.firmware_bridge.reference.bench import FIRST_KEY, ReferenceBench

SERIAL = "BOARD-07"
KEYS = (FIRST_KEY, b"another key of 2", b"\0" * 16)
KEY_AT_BOOT = (1, 2, 2, 2)
"""1: version 2 without a key, 2: with the first one."""


class ProvedDeeds(Deeds):
    """Each step with what the reference answers; `proved` counts the proved STATEs."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.bench = ReferenceBench()
        self.proved = 0
        self.keys_taken = 0
        self._last_hello = Hello(0, PROVED_VERSION, bytes(8))
        self._host: ProvedSession | None = None
        self._recorded: list[bytes] = []
        self._ear = Deframer()

    def take_steps(self, count: int) -> Iterator[tuple[str, str]]:
        """So many steps and their answers."""
        for line in self.make_lines(count):
            answer = self.bench.answer(line)
            sent = answer.split()[0]
            for payload in self._ear.feed(b"" if sent == "-" else bytes.fromhex(sent)):
                self._hear(payload)
            yield line, answer

    def _boot(self) -> str:
        self._host = None
        return f"{super()._boot()},{self._chance.choice(KEY_AT_BOOT)}"

    def _step(self) -> str:
        if self._chance.random() < 0.02:
            return f"jumper {self._now} {self._chance.randrange(2)}"
        return super()._step()

    def _host_frame(self) -> bytes:
        chance = self._chance
        lot = chance.random()
        if lot < 0.10 and self._recorded:
            return chance.choice(self._recorded)
        frame = encode(self._choose_message(lot))
        self._recorded = [*self._recorded[-50:], frame]
        return frame

    def _choose_message(self, lot: float) -> bytes:
        chance = self._chance
        if lot < 0.25:
            if chance.random() < 0.7:
                self._last_hello = Hello(
                    chance.getrandbits(32), PROVED_VERSION, chance.randbytes(8)
                )
            return self._last_hello.to_bytes()[: chance.choice((14, 14, 14, 14, 13))]
        if lot < 0.28:
            return Hello(chance.getrandbits(32), chance.choice((1, 9))).to_bytes()
        if lot < 0.33:
            session = chance.choice((self._last_hello.session, self._last_hello.session, 1))
            serial = chance.choice((SERIAL, SERIAL, "BOARD-08"))
            return KeyMessage(session, serial, chance.choice(KEYS)).to_bytes()
        self._number = self._number % 0xFFFF + 1
        if self._host is None:
            return Want(self._number, self._body()).to_bytes()
        if lot > 0.97:
            return self._host.prove(b"")
        proved = bytearray(self._host.prove(Want(self._number, self._body()).to_bytes()))
        if lot > 0.92:
            proved[chance.randrange(1, len(proved))] ^= 1 << chance.randrange(8)
        return bytes(proved)

    def _hear(self, payload: bytes) -> None:
        if payload[0] == MessageType.IDENTITY:
            self._hear_identity(payload)
        elif self._host is not None:
            self.proved += self._host.take(payload) is not None

    def _hear_identity(self, payload: bytes) -> None:
        identity, hello = Identity.from_bytes(payload), self._last_hello
        if identity.answer is None or identity.session != hello.session:
            return
        for key in KEYS:
            if proves_key(key, hello.challenge, payload):
                greeting = identity.answer.greeting
                self._host = ProvedSession(key, hello, identity.boot, greeting)
                self.keys_taken += key != FIRST_KEY

"""The host's messages to a board: HELLO until the board is found, then WANT.

Each is repeated when it is due, and sent at once when it changes (docs/reference/wire-protocol.md,
"Timing").
"""

import secrets
from hashlib import blake2s
from hmac import compare_digest
from struct import Struct

from firmware_bridge.board_session.framing import DELIMITER, encode
from firmware_bridge.board_session.protocol import (
    CHALLENGE_SIZE,
    HELLO_REPEAT_MS,
    HOST_REPEAT_MS,
    HOST_SPACING_MS,
    IDENTITY_PROVED_SIZE,
    KEY_SIZE,
    MAC_SIZE,
    PROVED_VERSION,
    SILENCE_MS,
    VERSION,
    WANT_RETRY_MS,
    BoardKind,
    Hello,
    Identity,
    KeyMessage,
    Want,
)
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.earliest_timer import EarliestTimer
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.line_statistics import LineStatistics


class StandingWant:
    """The WANT that a session repeats; times are seconds of the loop's clock."""

    __slots__ = ("_first", "body", "message", "number", "unapplied_since")

    def __init__(self, body: bytes) -> None:
        """`body`: the first WANT's."""
        self.body = body
        self.message = b""
        self.unapplied_since: float | None = None
        # Random, so that an old STATE does not seem to have applied a WANT of this start.
        self.number = secrets.randbelow(0xFFFF)
        self._first = 1

    def renew(self, now: float) -> None:
        """Make another number and message: the body differs, or a connection begins."""
        self.number = self.number % 0xFFFF + 1
        self.message = Want(self.number, self.body).to_bytes()
        self.unapplied_since = now

    def begin_connection(self) -> None:
        """Begin a connection: only this number and later ones belong to it."""
        self._first = self.number

    def is_of_this_connection(self, applied: int) -> bool:
        """Whether a board that has applied this number has heard us in this connection."""
        first = self._first
        return applied != 0 and (applied - first) % 0x10000 <= (self.number - first) % 0x10000


_PROOF = Struct(f"<II{MAC_SIZE}s")
_SEED = Struct("<B8sIII")
_SEED_TYPE = 0x00  # no message's type: a session key is never the hash of a message
_LAST_COUNT = 0xFFFFFFFF

PROOF_SIZE = _PROOF.size
NO_PROOF = bytes(PROOF_SIZE)
"""Behind the STATE of a board that has a key and no session yet."""


def make_mac(key: bytes, data: bytes) -> bytes:
    """The first 8 bytes of BLAKE2s under the key."""
    return blake2s(data, key=key).digest()[:MAC_SIZE]


def proves_key(key: bytes, challenge: bytes, identity: bytes) -> bool:
    """Whether this IDENTITY's bytes answer the challenge by the key."""
    proved = identity[:IDENTITY_PROVED_SIZE]
    mac = identity[IDENTITY_PROVED_SIZE : IDENTITY_PROVED_SIZE + MAC_SIZE]
    return compare_digest(mac, make_mac(key, challenge + proved))


class ProvedSession:
    """One side of a session: its key, the frames sent, and the last one taken."""

    __slots__ = ("_key", "_sent", "_taken", "greeting", "session")

    def __init__(self, board_key: bytes, hello: Hello, boot: int, greeting: int) -> None:
        """`boot` and `greeting` are of the IDENTITY that answers `hello`, and proves the key."""
        seed = _SEED.pack(_SEED_TYPE, hello.challenge, hello.session, boot, greeting)
        self.session = hello.session
        self.greeting = greeting
        self._key = blake2s(seed, key=board_key).digest()
        self._sent = 0
        self._taken = 0

    @property
    def has_begun(self) -> bool:
        """Whether the board has said something in it."""
        return self._taken > 0

    def prove(self, message: bytes) -> bytes:
        """The message with its proof; each time another one, as each frame counts."""
        self._sent = min(self._sent + 1, _LAST_COUNT)
        counted = message + self.session.to_bytes(4, "little") + self._sent.to_bytes(4, "little")
        return counted + make_mac(self._key, counted)

    def take(self, payload: bytes) -> bytes | None:
        """The message before the proof; None if it is invented, of another session, or repeated."""
        if len(payload) <= PROOF_SIZE:
            return None
        session, count, mac = _PROOF.unpack(payload[-PROOF_SIZE:])
        if session != self.session or count <= self._taken:
            return None
        if not compare_digest(mac, make_mac(self._key, payload[:-MAC_SIZE])):
            return None
        self._taken = count
        return payload[:-PROOF_SIZE]


SILENCE_S = SILENCE_MS / 1000
HELLO_REPEAT_S = HELLO_REPEAT_MS / 1000
HOST_REPEAT_S = HOST_REPEAT_MS / 1000
HOST_SPACING_S = HOST_SPACING_MS / 1000
WANT_RETRY_S = WANT_RETRY_MS / 1000


class HostSpeech:
    """The host's frames on one line; times in seconds of the loop's clock.

    `hello` is the last one. With a board's key everything is said in version 2. `due_at`: when
    HELLO or WANT must be sent again; the timer is set for it. `wanted_at`: when WANT was sent last.
    """

    def __init__(
        self,
        line: Line,
        timer: EarliestTimer,
        statistics: LineStatistics,
        trace: FrameTrace,
        body: bytes,
        key: SessionKey,
    ) -> None:
        """`body`: the first WANT's; `key`: what the board must prove itself with."""
        self.hello = Hello(0)
        self._key = key
        self._proved: ProvedSession | None = None
        self._asked_at = 0.0
        self._offered_at = 0.0
        self.due_at = 0.0
        self.wanted_at = 0.0
        self.want = StandingWant(body)
        self._line = line
        self._timer = timer
        self._statistics = statistics
        self._trace = trace

    @property
    def version(self) -> int:
        """The version that the board must speak."""
        return self._key.version

    @property
    def has_begun(self) -> bool:
        """Whether the board has proved a STATE of this session: it goes on whoever is greeted."""
        return self._proved is not None and self._proved.has_begun

    def begin_session(self) -> None:
        """Begin a new session, which later answers must name."""
        proves = self.version == PROVED_VERSION
        challenge = secrets.token_bytes(CHALLENGE_SIZE) if proves else b""
        self.hello = Hello(secrets.randbits(32), self.version, challenge)
        self._proved = None

    def believes(self, payload: bytes, identity: Identity) -> bool:
        """Whether this IDENTITY proves the board's key; in version 1 each one is believed.

        What is not believed is counted.
        """
        if self.version == VERSION:
            return True
        held, answer = self._key.board, identity.answer
        if (
            held is None
            or answer is None
            or not proves_key(held.key, self.hello.challenge, payload)
        ):
            self._statistics.unproven += 1
            return False
        self._key.confirm()
        if self._proved is None or not (
            self._proved.has_begun or self._proved.greeting == answer.greeting
        ):
            self._proved = ProvedSession(held.key, self.hello, identity.boot, answer.greeting)
        return True

    def doubt(self, identity: Identity, kind: BoardKind, now: float) -> str:
        """Why this board is not believed; it is sent its key if it has not proved it yet."""
        self.offer_key(identity, now)
        return identity.find_misfit(kind, self.version) or self._key.explain_doubt()

    def offer_key(self, identity: Identity, now: float) -> None:
        """Send the board its key, if it was drawn for it and never proved; once in 200 ms."""
        held = self._key.board
        if held is None or held.confirmed or identity.answer is None:
            return
        if identity.serial != held.serial or now < self._offered_at + HELLO_REPEAT_S:
            return
        self._offered_at = now
        message = KeyMessage(self.hello.session, held.serial, held.key)
        shown = KeyMessage(self.hello.session, held.serial, bytes(KEY_SIZE))
        self.send(encode(message.to_bytes()), now, encode(shown.to_bytes()))

    def read_proved(self, payload: bytes, now: float) -> bytes | None:
        """The message of a STATE or IMAGE; None if it does not prove itself, which is counted.

        Such a one may be of our board after a reboot. So the same HELLO goes out once more, at
        most once in 200 ms: it changes nothing at a board that has not rebooted.
        """
        if self.hello.version == VERSION:
            return payload
        message = self._proved.take(payload) if self._proved else None
        if message is None:
            self._statistics.unproven += 1
            if self._proved and now >= self._asked_at + HELLO_REPEAT_S:
                self._asked_at = now
                self.send(DELIMITER + encode(self.hello.to_bytes()), now)
        return message

    def send_hello(self, now: float, again_s: float = HELLO_REPEAT_S) -> None:
        """Send HELLO; it is due again after `again_s`."""
        self.send(DELIMITER + encode(self.hello.to_bytes()), now)
        self._repeat_at(now + again_s)

    def send_next_want(self, now: float) -> None:
        """Send WANT with a new number: the body differs, or a connection begins."""
        self.want.renew(now)
        self.send_want(now)

    def send_want(self, now: float) -> None:
        """Send WANT once more; it is due again sooner while it is not applied."""
        message = self.want.message
        self.send(encode(self._proved.prove(message) if self._proved else message), now)
        self.wanted_at = now
        if self.want.unapplied_since is None:
            self._rest()
        else:
            self._repeat_at(now + WANT_RETRY_S)

    def take_applied(self, applied: int, now: float) -> bool:
        """Note the number of the WANT that the board has applied.

        Returns whether it is the last one, and was not known to be applied.
        """
        want = self.want
        since = want.unapplied_since
        if applied != want.number:
            if (
                since is None
            ):  # no longer applied: the board has obeyed another WANT, or its watchdog
                want.unapplied_since = now
                self._repeat_at(now + WANT_RETRY_S)
            return False
        if since is None:
            return False
        want.unapplied_since = None
        self._rest()
        self._statistics.round_trips.took((now - since) * 1000)
        return True

    def is_unheeded(self, now: float) -> bool:
        """Whether the board has not applied the last WANT for 1 s."""
        since = self.want.unapplied_since
        return since is not None and now >= since + SILENCE_S

    def send(self, frame: bytes, now: float, shown: bytes | None = None) -> None:
        """Send a frame, and count it; `shown` is kept in its place."""
        if self._line.send(frame):
            self._statistics.sent += 1
            self._trace.note_sent(frame if shown is None else shown, now)
        else:
            self._statistics.refused += 1

    def _rest(self) -> None:
        """The board obeys: nothing is due before WANT is to be repeated."""
        self.due_at = self.wanted_at + HOST_REPEAT_S
        self._timer.put_off(self.due_at)

    def _repeat_at(self, when: float) -> None:
        self.due_at = when
        self._timer.wake_at(when)

"""The board's side of the wire protocol: no clock, no pins, no line.

docs/reference/wire-protocol.md.

This is common to all our boards. The caller passes in bytes and the time in milliseconds, and sends
what `advance` returns.
"""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from msgspec import Struct

from firmware_bridge.board_session.framing import DELIMITER, Deframer, encode
from firmware_bridge.board_session.host_speech import NO_PROOF, ProvedSession, make_mac
from firmware_bridge.board_session.protocol import (
    BOARD_REPEAT_MS,
    IDENTITY_PROVED_SIZE,
    PROVED_VERSION,
    SILENCE_MS,
    VERSION,
    BoardKind,
    Hello,
    Identity,
    Image,
    KeyAnswer,
    KeyMessage,
    MessageType,
    State,
    Want,
    is_newer,
)
from firmware_bridge.board_session.session import BodyReader
from firmware_bridge.protocol_error import ProtocolError

LAST_GREETING = 0xFFFFFFFF

BOARD_IMAGE_REPEAT_MS = 10_000
"""The board sends IMAGE again this often."""

BOARD_SPACING_MS = 5
"""The least time between two STATEs, which take 3 ms: a chattering sensor cannot fill the line."""

Wanted = TypeVar("Wanted")
"""The content of WANT for a kind of board: `RailWant` for a rail."""


class FirmwareCounts(Struct):
    """Counts of frames without effect."""

    repeated: int = 0  # the WANT already applied
    stale: int = 0  # a WANT older than that
    unattended: int = 0  # a WANT before HELLO, or after the watchdog
    unknown: int = 0  # an unknown type
    malformed: int = 0
    unproven: int = 0  # invented, repeated, or of another session; a KEY that is not taken


class BoardSecrets(Struct):
    """What a board of version 2 has besides: its key, its jumper, its sessions."""

    key: bytes | None = None
    jumper_closed: bool = False
    greeting: int = 0
    greeted: Hello | None = None
    following: ProvedSession | None = None  # begins with its first proved WANT
    present: ProvedSession | None = None


class BoardFirmware(ABC, Generic[Wanted]):
    """A board between power-up and power-down.

    Each kind of board implements the abstract methods.
    """

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        *,
        serial: str = "",
        firmware: tuple[int, int, int] = (1, 0, 0),
    ) -> None:
        self.kind = kind
        self.boot = boot
        self.serial = serial
        self.firmware = firmware
        self.attended = False
        self.heard = FirmwareCounts()
        self._deframer = Deframer()
        self.session: int | None = None
        self._applied = 0
        self._heard_at = 0
        self._identity: bytes | None = None  # to be sent
        self._reader = BodyReader(self.read_wanted)
        self._number = 0
        self._notices = 0
        self._changed = True
        self._sent_at: int | None = None
        self._image: Image | None = None
        self._image_due = 0
        self.secrets: BoardSecrets | None = None  # None: version 1 only

    # For each kind of board

    @abstractmethod
    def read_wanted(self, body: bytes) -> Wanted:
        """The content of a WANT's body. Raises ProtocolError."""

    @abstractmethod
    def apply(self, wanted: Wanted, now_ms: int) -> None:
        """Do from now on what is wanted."""

    @abstractmethod
    def make_safe(self) -> None:
        """Switch everything off, because the host is silent."""

    @abstractmethod
    def begin_session(self) -> None:
        """Start another connection: end what must not outlive the one before."""

    @abstractmethod
    def report(self) -> bytes:
        """The body of the next STATE."""

    def note_change(self) -> None:
        """Note that the result of `report` has changed, so that STATE is due at once."""
        self._changed = True

    def set_notices(self, notices: int) -> None:
        """Report these bits of the flags from now on."""
        self._changed = self._changed or notices != self._notices
        self._notices = notices

    def tell_image(self, digest: bytes) -> None:
        """Tell this in each session from now on."""
        self._image, self._image_due = Image(digest), 0

    def accepts(self, hello: Hello) -> bool:
        """Whether this HELLO is obeyed; it is answered in any case."""
        return hello.version == VERSION

    # Input and time

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host, in pieces of any size."""
        for payload in self._deframer.feed(data):
            try:
                self._obey(payload, now_ms)
            except ProtocolError:
                self.heard.malformed += 1

    def advance(self, now_ms: int) -> bytes:
        """Do what is due by now; returns the bytes to send at once, often none."""
        if self.attended and now_ms - self._heard_at >= SILENCE_MS:
            self._fall_silent()
        out = b""
        if self._identity is not None:
            out, self._identity = self._identity, None
        if now_ms >= self._state_due(now_ms):
            out += self._next_state(now_ms)
        elif self._image is not None and self.attended and now_ms >= self._image_due:
            self._image_due = now_ms + BOARD_IMAGE_REPEAT_MS
            out += encode(self._prove(self._image.to_bytes()))
        return out

    def next_wake(self, now_ms: int) -> int:
        """When `advance` is due next, if nothing happens before."""
        if self._identity is not None:
            return now_ms
        wake = self._state_due(now_ms)
        if self.attended:
            wake = min(wake, self._heard_at + SILENCE_MS)
            if self._image is not None:
                wake = min(wake, self._image_due)
        return max(wake, now_ms)

    # Messages of the host

    def _obey(self, payload: bytes, now_ms: int) -> None:
        match payload[0]:
            case MessageType.WANT:
                self._obey_want(payload, now_ms)
            case MessageType.HELLO:
                self._greet(Hello.from_bytes(payload), now_ms)
            case MessageType.KEY if self.secrets is not None:
                self._take_key(KeyMessage.from_bytes(payload), self.secrets)
            case _:
                self.heard.unknown += 1

    def _obey_want(self, payload: bytes, now_ms: int) -> None:
        secrets = self.secrets
        if secrets is None or secrets.key is None:
            want = Want.from_bytes(payload)
            self._take_want(want.number, self._reader.read(want.body), now_ms)
            return
        message = secrets.following.take(payload) if secrets.following else None
        if secrets.following and message is not None:
            secrets.present, secrets.following = secrets.following, None
            self._begin(secrets.present.session, now_ms)
        elif secrets.present:
            message = secrets.present.take(payload)
        if message is None:
            self.heard.unproven += 1
            return
        if not message:
            raise ProtocolError("a proof without a WANT")
        want = Want.from_bytes(message)
        self._take_want(want.number, self._reader.read(want.body), now_ms)

    def _take_key(self, key: KeyMessage, secrets: BoardSecrets) -> None:
        asked = secrets.greeted is not None and secrets.greeted.session == key.session
        is_ours = key.version == PROVED_VERSION and key.serial == self.serial
        is_allowed = secrets.key is None or secrets.jumper_closed
        if not (asked and is_ours and is_allowed and key.key != secrets.key):
            self.heard.unproven += 1
            return
        secrets.key = key.key
        secrets.greeted = secrets.following = secrets.present = None
        self._fall_silent()

    def _greet(self, hello: Hello, now_ms: int) -> None:
        secrets = self.secrets
        if secrets is not None and hello.challenge:
            self._remember(hello, secrets)
            self._identity = self._prove_identity(hello, secrets)
        elif secrets is not None and secrets.key is not None:
            self._identity = self._prove_identity(hello, secrets)
        else:
            self._identity = DELIMITER + encode(self._identify(hello.session, None).to_bytes())
            if self.accepts(hello):
                self._attend(hello.session, now_ms)

    def _remember(self, hello: Hello, secrets: BoardSecrets) -> None:
        if secrets.greeted == hello:
            return
        secrets.greeted = hello
        secrets.following = None
        if secrets.greeting == LAST_GREETING:
            return  # a greeting that came again would let old sessions come again
        secrets.greeting += 1
        if secrets.key is not None:
            secrets.following = ProvedSession(secrets.key, hello, self.boot, secrets.greeting)

    def _identify(self, session: int, answer: KeyAnswer | None) -> Identity:
        return Identity(
            self.kind, self.boot, session, self.serial, self.firmware,
            VERSION if answer is None else PROVED_VERSION, self.kind.seats, answer,
        )  # fmt: skip

    def _prove_identity(self, hello: Hello, secrets: BoardSecrets) -> bytes:
        state = KeyAnswer.KEY_HELD if secrets.key is not None else 0
        state |= KeyAnswer.JUMPER_CLOSED if secrets.jumper_closed else 0
        data = self._identify(hello.session, KeyAnswer(state, secrets.greeting)).to_bytes()
        if secrets.key is not None and hello.challenge:
            proved = data[:IDENTITY_PROVED_SIZE]
            data = proved + make_mac(secrets.key, hello.challenge + proved)
        return DELIMITER + encode(data)

    def _attend(self, session: int, now_ms: int) -> None:
        if session != self.session:
            self._begin(session, now_ms)
        self._heard_at = now_ms
        self.attended = True
        self._changed = True

    def _begin(self, session: int, now_ms: int) -> None:
        self.session = session
        self._applied = 0
        self._image_due = 0
        self.begin_session()
        self._attend(session, now_ms)

    def _fall_silent(self) -> None:
        self.attended = False
        self._applied = 0
        self._changed = True
        self.make_safe()

    def _take_want(self, number: int, wanted: Wanted, now_ms: int) -> None:
        if not self.attended:
            self.heard.unattended += 1
            return
        self._heard_at = now_ms
        if number == self._applied:
            self.heard.repeated += 1
        elif self._applied and not is_newer(number, self._applied):
            self.heard.stale += 1
        else:
            self._applied = number
            self._changed = True
            self.apply(wanted, now_ms)

    # Messages of the board

    def _state_due(self, now_ms: int) -> int:
        if self._sent_at is None:
            return now_ms
        return self._sent_at + (BOARD_SPACING_MS if self._changed else BOARD_REPEAT_MS)

    def _next_state(self, now_ms: int) -> bytes:
        self._number = (self._number + 1) & 0xFFFF
        self._sent_at = now_ms
        self._changed = False
        state = State(
            self._number,
            self.boot,
            self._applied,
            not self.attended,
            self.report(),
            self._notices,
        )
        return encode(self._prove(state.to_bytes()))

    def _prove(self, message: bytes) -> bytes:
        secrets = self.secrets
        if secrets is None or secrets.key is None:
            return message
        return secrets.present.prove(message) if secrets.present else message + NO_PROOF

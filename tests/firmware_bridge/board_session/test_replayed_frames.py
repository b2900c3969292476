"""A stranger with a recorder, built from docs/reference/wire-protocol.md alone, at each board of
ours.

Nothing here uses the host's code: what the page says is enough to play frames back, and to see
that the boards take none of them.
"""

import hashlib
import struct
import zlib
from collections.abc import Callable
from runpy import run_path
from typing import Any, cast

import pytest

from firmware_bridge.board.rail import SlotRail
from firmware_bridge.board_session.protocol import BoardKind
from tests.firmware_bridge.board_session.wire_pages import DOCS
from tests.firmware_bridge.key_drawer import KeyDrawer
from tests.firmware_bridge.reference.firmware import BoardSecrets
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

KEY = bytes(range(16))
BOOT = 0xB0070001
LAST = 0xFFFFFFFF
LIT = 0x2AAA

MakeBoard = Callable[[bytes | None], Any]
"""Makes a board that has this key, or none."""


def frame(payload: bytes) -> bytes:
    """COBS of payload and CRC, and 00."""
    data = payload + struct.pack("<I", zlib.crc32(payload))
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0")) + b"\0"


def messages_of(line: bytes) -> list[bytes]:
    """The payloads of the frames on a line."""
    found = []
    for stuffed in line.split(b"\0"):
        data, at = b"", 0
        while at < len(stuffed):
            data += stuffed[at + 1 : at + stuffed[at]] + b"\0"
            at += stuffed[at]
        if len(data) > 5:
            assert zlib.crc32(data[:-5]) == struct.unpack("<I", data[-5:-1])[0]
            found.append(data[:-5])
    return found


def mac(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2s(data, key=key).digest()[:8]


def hello(session: int, challenge: bytes = b"hallenge") -> bytes:
    return struct.pack("<BBI", 1, 2, session) + challenge


def want(number: int, gates: int = 0, turn: int = 1, lamps: int = LIT) -> bytes:
    return struct.pack("<BHHBH", 2, number, lamps, gates, turn if gates else 0)


def key_message(session: int, serial: bytes, key: bytes) -> bytes:
    return struct.pack("<BBI", 3, 2, session) + serial + key


class Host:
    """A host's session: it knows the key."""

    def __init__(self, greeting: int, session: int, key: bytes = KEY) -> None:
        seed = b"\0hallenge" + struct.pack("<III", session, BOOT, greeting)
        self.session, self.key = session, hashlib.blake2s(seed, key=key).digest()
        self.count = 0

    def prove(self, message: bytes) -> bytes:
        self.count += 1
        counted = message + struct.pack("<II", self.session, self.count)
        return counted + mac(self.key, counted)


def minimal_board() -> dict[str, Any]:
    """The names that docs/reference/minimal_board.py defines."""
    return run_path(str(DOCS / "minimal_board.py"))


class Firmware:
    """The board that we flash."""

    def __init__(self, key: bytes | None) -> None:
        self.board = SlotRail(BOOT, "MINIMAL")
        self.board.use_key(KeyDrawer(key))
        self.receive, self.poll = self.board.receive, self.board.advance

    def set_greeting(self, greeting: int) -> None:
        assert self.board._proofs
        self.board._proofs._greeting = greeting

    def set_sent(self, count: int) -> None:
        assert self.board._proofs
        assert self.board._proofs._present
        self.board._proofs._present._sent = count


class Reference:
    """The second implementation."""

    def __init__(self, key: bytes | None) -> None:
        self.board = RailFirmware(BoardKind.SLOT_RAIL, BOOT, serial="MINIMAL")
        self.board.secrets = self.secrets = BoardSecrets(key)
        self.receive, self.poll = self.board.receive, self.board.advance

    def set_greeting(self, greeting: int) -> None:
        self.secrets.greeting = greeting

    def set_sent(self, count: int) -> None:
        assert self.secrets.present
        self.secrets.present._sent = count


class PageBoard:
    """The page's minimal board."""

    def __init__(self, key: bytes | None) -> None:
        self.board = minimal_board()["ProvedBoard"](BOOT, key)
        self.receive, self.poll = self.board.receive, self.board.poll

    def set_greeting(self, greeting: int) -> None:
        self.board.greeting = greeting

    def set_sent(self, count: int) -> None:
        self.board.present.sent = count


class Line:
    """The line of one board: each frame is 20 ms after the one before, and all is recorded."""

    def __init__(self, make: MakeBoard, key: bytes | None = KEY) -> None:
        self.made = make(key)
        self.now = 0
        self.record: list[bytes] = []
        self.made.poll(0)

    def say(self, payload: bytes, after_ms: int = 20) -> list[bytes]:
        """Send it; what the board sends back at once."""
        self.now += after_ms
        self.record.append(payload)
        self.made.receive(frame(payload), self.now)
        return messages_of(self.made.poll(self.now))

    def ask(self, payload: bytes) -> bytes:
        """Send this HELLO; the board's IDENTITY."""
        return next(got for got in self.say(payload) if got[0] == 0x81)

    def join(self, session: int) -> Host:
        """A host that has greeted the board."""
        greeting: int = struct.unpack_from("<I", self.ask(hello(session)), 24)[0]
        return Host(greeting, session)

    def wait(self, ms: int) -> list[bytes]:
        self.now += ms
        return messages_of(self.made.poll(self.now))

    @property
    def shown(self) -> tuple[int, int]:
        """Lamps and open gates."""
        return self.made.board.lamps, self.made.board.gates


@pytest.fixture(params=[Firmware, Reference, PageBoard])
def make(request: pytest.FixtureRequest) -> MakeBoard:
    """Makes a board with this key."""
    return cast(MakeBoard, request.param)


@pytest.fixture
def line(make: MakeBoard) -> Line:
    return Line(make)


def play_a_night(line: Line) -> Host:
    """A session whose turns 1 and 2 open the gates of seats 1 and 2; then the host is silent."""
    host = line.join(1)
    line.say(host.prove(want(1, gates=0b1, turn=1)))
    line.say(host.prove(want(2, gates=0b10, turn=2)))
    line.say(host.prove(want(3)))
    line.wait(3000)
    assert line.shown == (0, 0)
    return host


def forget_served_turns(line: Line) -> None:
    """As if no turn had been served: only the proof is between the recording and the gates."""
    line.made.board.served[:] = [0] * 7


def play_back(line: Line, played: list[bytes]) -> set[int]:
    """Play these frames; the seats, from 0, whose gates were open at any of them."""
    opened = set()
    for payload in played:
        line.say(payload)
        opened |= {seat for seat in range(7) if line.made.board.gates >> seat & 1}
    return opened


def test_a_whole_recording_opens_nothing_and_revives_nothing(line: Line) -> None:
    play_a_night(line)
    forget_served_turns(line)
    assert play_back(line, list(line.record)) == set()
    assert not line.made.board.attended


@pytest.mark.parametrize("between", [hello(2), hello(1, b"halleng2"), b"\1\1\1\0\0\0", hello(1)])
def test_a_whole_recording_behind_another_hello_opens_nothing(line: Line, between: bytes) -> None:
    play_a_night(line)
    forget_served_turns(line)
    played = list(line.record)
    line.say(between)
    assert play_back(line, played) == set()
    assert not line.made.board.attended


def test_a_hello_that_is_repeated_while_the_session_runs_begins_no_count_anew(line: Line) -> None:
    host = line.join(1)
    first = host.prove(want(1, gates=0b1, turn=1))
    line.say(first)
    line.say(host.prove(want(2)))
    forget_served_turns(line)
    assert play_back(line, [hello(1), first, hello(1), first]) == set()
    line.say(host.prove(want(3, gates=0b100, turn=3)))
    assert line.shown == (LIT, 0b100), "the host's own session goes on"


def test_a_board_that_takes_the_repeated_hello_as_a_new_session_is_caught() -> None:
    """What the page's words once allowed: the same greeting, and the count from 0 again."""
    names = minimal_board()
    proper: Any = names["ProvedBoard"]

    def greet_again(board: Any, session: int, challenge: bytes) -> None:
        if board.greeted == (session, challenge):
            board.greeted, board.greeting = None, board.greeting - 1
        proper.greet(board, session, challenge)

    class Careless(PageBoard):
        def __init__(self, key: bytes | None) -> None:
            careless = type("Careless", (proper,), {"greet": greet_again})
            self.board = careless(BOOT, key)
            self.receive, self.poll = self.board.receive, self.board.poll

    line = Line(Careless)
    play_a_night(line)
    forget_served_turns(line)
    assert play_back(line, list(line.record)) == {0, 1}


# What the page says besides


def test_a_session_that_was_greeted_before_is_greeted_anew_after_another(line: Line) -> None:
    greetings = [
        struct.unpack_from("<I", line.ask(hello(session)), 24)[0] for session in (1, 1, 2, 1)
    ]
    assert greetings == [1, 1, 2, 3]


def test_a_key_is_followed_by_a_new_greeting_of_the_same_hello(make: Any) -> None:
    line = Line(make, key=None)
    assert struct.unpack_from("<I", line.ask(hello(1)), 24) == (1,)
    line.say(key_message(1, b"MINIMAL ", KEY))
    identity = line.ask(hello(1))
    assert struct.unpack_from("<BI", identity, 23) == (1, 2)
    assert identity[28:] == mac(KEY, b"hallenge" + identity[:28])


def test_a_proved_want_does_not_revive_the_session_that_fell_silent(line: Line) -> None:
    host = play_a_night(line)
    line.say(host.prove(want(9)))
    assert not line.made.board.attended
    line.say(line.join(2).prove(want(1)))
    assert line.made.board.attended


def test_only_a_sound_want_feeds_the_watchdog(line: Line) -> None:
    host = line.join(1)
    line.say(host.prove(want(1)))
    for number in (1, 1, 0xFFFF):
        line.say(host.prove(want(number)), after_ms=900)
        assert line.made.board.attended, "a repeated or older number is a sign of life"
    begun = line.now
    for payload in (hello(1), hello(2), want(2), key_message(1, b"MINIMAL ", bytes(16))):
        line.say(payload)
    line.say(host.prove(want(2, lamps=0xFFFF)), after_ms=700)
    line.wait(begun + 999 - line.now)
    assert line.made.board.attended
    line.wait(1)
    assert not line.made.board.attended


@pytest.mark.parametrize("malformed", [b"\2", want(0), want(2, lamps=0xFFFF), want(2, gates=0x80)])
def test_a_malformed_want_with_a_right_proof_uses_its_count(line: Line, malformed: bytes) -> None:
    host = line.join(1)
    line.say(host.prove(want(1)))
    broken = host.prove(malformed)
    line.say(broken)
    host.count -= 1
    line.say(host.prove(want(7, lamps=1)))
    assert line.shown == (LIT, 0), "the count is used"
    line.say(host.prove(want(8, lamps=1)))
    assert line.shown == (1, 0)


def test_a_malformed_want_begins_the_next_session_and_does_nothing_else(line: Line) -> None:
    host = line.join(1)
    line.say(host.prove(want(5, gates=1)))
    following = line.join(2)
    line.say(following.prove(want(6, lamps=0xFFFF)))
    assert line.shown == (LIT, 0), "a new session: gates shut, lamps stay"
    line.say(host.prove(want(7, lamps=1)))
    assert line.shown == (LIT, 0)


def test_a_wrong_mac_uses_no_count(line: Line) -> None:
    host = line.join(1)
    forged = struct.pack("<II", 1, LAST)
    line.say(want(1) + forged + bytes(8))
    line.say(host.prove(want(1)))
    assert line.shown == (LIT, 0)
    line.say(want(2, lamps=1) + forged + bytes(8))
    line.say(host.prove(want(3, lamps=2)))
    assert line.shown == (2, 0)


def test_the_last_count_is_taken_once(line: Line) -> None:
    host = line.join(1)
    host.count = LAST - 1
    line.say(host.prove(want(1)))
    assert line.shown == (LIT, 0)
    host.count = LAST - 1
    line.say(host.prove(want(2, lamps=1)))
    assert line.shown == (LIT, 0)


def test_a_board_s_count_stays_at_the_last_one(line: Line) -> None:
    host = line.join(1)
    line.say(host.prove(want(1)))
    line.made.set_sent(LAST - 1)
    counts = [
        struct.unpack_from("<I", got, len(got) - 12)[0]
        for lamps in (1, 2, 3)
        for got in line.say(host.prove(want(lamps + 1, lamps=lamps)))
        if got[0] == 0x82
    ]
    assert counts == [LAST, LAST, LAST]


def test_without_greetings_left_identity_is_proved_and_no_session_follows(line: Line) -> None:
    line.made.set_greeting(LAST - 1)
    last = line.join(1)
    for session in (2, 1):
        identity = line.ask(hello(session))
        assert struct.unpack_from("<I", identity, 24) == (LAST,)
        assert identity[28:] == mac(KEY, b"hallenge" + identity[:28])
        line.say(Host(LAST, session).prove(want(1)))
        assert line.shown == (0, 0)
    line.say(last.prove(want(2)))
    assert line.shown == (0, 0), "the last session was replaced before it began"


def test_a_session_that_runs_goes_on_without_greetings(line: Line) -> None:
    line.made.set_greeting(LAST - 1)
    last = line.join(1)
    line.say(last.prove(want(1)))
    line.say(hello(2))
    line.say(last.prove(want(2, lamps=1)))
    assert line.shown == (1, 0)


@pytest.mark.parametrize(("key", "length"), [(None, 29), (KEY, 45)])
def test_state_has_a_proof_s_length_more_with_a_key(make: Any, key: bytes, length: int) -> None:
    line = Line(make, key)
    line.say(hello(1))
    state = next(got for got in line.wait(300) if got[0] == 0x82)
    assert len(state) == length
    assert state[29:] == bytes(length - 29), "without a session it proves nothing"

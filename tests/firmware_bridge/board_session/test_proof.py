"""Version 2's proofs: the host's session and the board's own firmware, frame by frame."""

from collections.abc import Iterator
from hashlib import blake2s

import pytest

from firmware_bridge.board.rail import SlotRail
from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.host_speech import (
    NO_PROOF,
    PROOF_SIZE,
    ProvedSession,
    proves_key,
)
from firmware_bridge.board_session.protocol import (
    PROVED_VERSION,
    BoardKind,
    Hello,
    Identity,
    KeyAnswer,
    KeyMessage,
    MessageType,
    State,
    Want,
)
from firmware_bridge.board_session.rail_messages import RailWant
from firmware_bridge.board_session.words import describe_frame
from firmware_bridge.protocol_error import ProtocolError
from tests.firmware_bridge.key_drawer import KeyDrawer

KEY = b"the board's key "
OTHER_KEY = b"another table's "
SERIAL = "RAIL-007"
LIT = 0x2AAA


class Bench:
    """A board on a bench; each `say` is 20 ms after the one before."""

    def __init__(self, key: bytes | None = KEY, boot: int = 7) -> None:
        self.drawer = KeyDrawer(key)
        self.board = SlotRail(boot, SERIAL)
        self.board.use_key(self.drawer)
        self.now = 0
        self.ear = Deframer()

    def say(self, payload: bytes, after_ms: int = 20) -> list[bytes]:
        self.now += after_ms
        self.board.receive(encode(payload), self.now)
        return self.ear.feed(self.board.advance(self.now))

    def greet(self, hello: Hello) -> bytes:
        """The board's IDENTITY."""
        return next(got for got in self.say(hello.to_bytes()) if got[0] == MessageType.IDENTITY)

    def join(self, hello: Hello, key: bytes = KEY) -> ProvedSession:
        answer = Identity.from_bytes(self.greet(hello)).answer
        assert answer is not None
        return ProvedSession(key, hello, self.board.boot, answer.greeting)

    def states(self, payload: bytes) -> Iterator[bytes]:
        return (got for got in self.say(payload) if got[0] == MessageType.STATE)


def hello(session: int, challenge: bytes = b"hallenge") -> Hello:
    return Hello(session, PROVED_VERSION, challenge)


def want(number: int, lamps: int = LIT, gates: int = 0) -> bytes:
    return Want(number, RailWant(lamps, gates, 1 if gates else 0).to_bytes()).to_bytes()


def test_identity_proves_the_key_to_this_challenge_only() -> None:
    identity = Bench().greet(hello(1))
    assert proves_key(KEY, b"hallenge", identity)
    assert not proves_key(KEY, b"halleng2", identity)
    assert not proves_key(OTHER_KEY, b"hallenge", identity)


@pytest.mark.parametrize("place", range(36))
def test_no_byte_of_identity_can_be_another(place: int) -> None:
    identity = bytearray(Bench().greet(hello(1)))
    identity[place] ^= 1
    assert not proves_key(KEY, b"hallenge", bytes(identity))


def test_a_proved_want_is_obeyed_and_its_state_is_proved() -> None:
    bench = Bench()
    session = bench.join(hello(1))
    (state,) = bench.states(session.prove(want(5)))
    message = session.take(state)
    assert message is not None
    assert State.from_bytes(message).applied == 5
    assert bench.board.lamps == LIT


def test_the_mac_is_the_one_on_the_decision_s_page() -> None:
    bench = Bench()
    (state,) = bench.states(bench.join(hello(1)).prove(want(5)))
    seed = b"\0hallenge" + bytes.fromhex("01000000 07000000 01000000")
    key = blake2s(seed, key=KEY).digest()
    assert state[-8:] == blake2s(state[:-8], key=key).digest()[:8]


def test_before_a_session_state_proves_nothing() -> None:
    state = next(Bench().states(b"\x70"))
    assert state[-PROOF_SIZE:] == NO_PROOF


def test_a_hello_alone_changes_nothing() -> None:
    bench = Bench()
    session = bench.join(hello(1))
    bench.say(session.prove(want(5, gates=1)))
    bench.greet(hello(2))
    assert (bench.board.gates, bench.board.lamps) == (1, LIT)
    bench.say(session.prove(want(6, lamps=1, gates=1)))
    assert (bench.board.gates, bench.board.lamps) == (1, 1), "the session goes on"


def test_the_next_session_shuts_the_gates_and_ends_the_one_before() -> None:
    bench = Bench()
    session = bench.join(hello(1))
    bench.say(session.prove(want(5, gates=1)))
    following = bench.join(hello(2))
    bench.say(following.prove(want(9, lamps=1, gates=1)))
    assert (bench.board.gates, bench.board.lamps) == (0, 1), "turn 1 is served"
    bench.say(session.prove(want(10)))
    assert bench.board.lamps == 1


def test_hellos_do_not_keep_lamps_lit() -> None:
    bench = Bench()
    bench.say(bench.join(hello(1)).prove(want(5)))
    for _ in range(60):
        bench.say(hello(1).to_bytes())
    assert not bench.board.attended
    assert bench.board.lamps == 0


def test_recorded_wants_are_nothing_not_even_a_sign_of_life() -> None:
    bench = Bench()
    session = bench.join(hello(1))
    frames = [session.prove(want(number, gates=1)) for number in range(1, 4)]
    for frame in frames:
        bench.say(frame)
    for _ in range(20):
        for frame in frames:
            bench.say(frame)
    assert not bench.board.attended


def test_a_whole_recorded_connection_opens_no_gate() -> None:
    """Every frame that the host ever sent, again, in order: in the same boot and in the next."""
    bench = Bench()
    record = [hello(1).to_bytes()]
    session = bench.join(hello(1))
    record += [session.prove(want(number, gates=1)) for number in range(1, 9)]
    for frame in record[1:]:
        bench.say(frame)
    assert bench.board.served[0] == 1
    bench.join(hello(2))
    for boot in (bench, Bench(boot=8)):
        boot.say(b"\x70", after_ms=3000)
        for frame in record:
            boot.say(frame)
        assert (boot.board.attended, boot.board.lamps, boot.board.gates) == (False, 0, 0)


@pytest.mark.parametrize("place", range(24))
def test_no_byte_of_a_want_can_be_another(place: int) -> None:
    bench = Bench()
    frame = bytearray(bench.join(hello(1)).prove(want(5)))
    assert len(frame) == 24
    frame[place] ^= 1
    bench.say(bytes(frame))
    assert bench.board.lamps == 0


def test_a_state_is_taken_once_and_not_as_a_want() -> None:
    bench = Bench()
    session = bench.join(hello(1))
    (state,) = bench.states(session.prove(want(5)))
    assert session.take(state) is not None
    assert session.take(state) is None
    before = bench.board.ignored
    bench.say(b"\x02" + state[1:])
    assert bench.board.ignored == before + 1


def test_a_want_without_proof_and_version_1_are_nothing_to_a_board_with_a_key() -> None:
    bench = Bench()
    identity = Identity.from_bytes(bench.greet(Hello(1)))
    assert identity.version == PROVED_VERSION
    assert identity.answer == KeyAnswer(KeyAnswer.KEY_HELD, 0)
    bench.say(want(5))
    assert not bench.board.attended


def test_a_board_without_a_key_speaks_version_1() -> None:
    bench = Bench(key=None)
    assert Identity.from_bytes(bench.greet(Hello(1))).version == 1
    (state,) = bench.states(want(5))
    assert State.from_bytes(state).applied == 5
    answer = Identity.from_bytes(bench.greet(hello(2))).answer
    assert answer == KeyAnswer(0, 1)


def test_a_key_is_taken_once_by_the_board_that_is_meant() -> None:
    bench = Bench(key=None)
    bench.greet(hello(1))
    for wrong in (
        KeyMessage(2, SERIAL, KEY),
        KeyMessage(1, "RAIL-008", KEY),
        KeyMessage(1, SERIAL, KEY, version=1),
    ):
        bench.say(wrong.to_bytes())
        assert bench.drawer.key is None
    bench.say(KeyMessage(1, SERIAL, KEY).to_bytes())
    assert bench.drawer.key == KEY
    assert proves_key(KEY, b"hallenge", bench.greet(hello(1)))
    bench.say(KeyMessage(1, SERIAL, OTHER_KEY).to_bytes())
    assert bench.drawer.key == KEY


def test_the_jumper_lets_another_key_in_and_ends_the_session() -> None:
    bench = Bench()
    session = bench.join(hello(1))
    bench.say(session.prove(want(5)))
    bench.drawer.closed = True
    bench.greet(hello(1))
    bench.say(KeyMessage(1, SERIAL, OTHER_KEY).to_bytes())
    assert not bench.board.attended
    bench.say(session.prove(want(6)))
    assert bench.board.lamps == 0
    bench.say(bench.join(hello(2), OTHER_KEY).prove(want(7)))
    assert bench.board.lamps == LIT


def test_a_flash_that_keeps_no_key_leaves_the_board_without_one() -> None:
    bench = Bench(key=None)
    bench.drawer.worn_out = True
    bench.greet(hello(1))
    bench.say(KeyMessage(1, SERIAL, KEY).to_bytes())
    assert Identity.from_bytes(bench.greet(hello(1))).answer == KeyAnswer(0, 2)


def test_a_key_is_shown_to_nobody() -> None:
    key = KeyMessage(1, SERIAL, KEY)
    shown = describe_frame(encode(key.to_bytes()), BoardKind.SLOT_RAIL)
    assert shown == "KEY session 0x1 serial RAIL-007 (not shown)"
    assert "key " not in repr(key)


def test_a_hello_without_a_challenge_is_answered_without_proof() -> None:
    identity = Bench().greet(Hello(1, PROVED_VERSION))
    assert Identity.from_bytes(identity).answer == KeyAnswer(KeyAnswer.KEY_HELD, 0)
    assert identity[-8:] == bytes(8)


def test_what_does_not_fit_is_refused() -> None:
    for version, challenge in ((1, b"hallenge"), (PROVED_VERSION, b"short")):
        with pytest.raises(ProtocolError, match="8 bytes, in version 2 only"):
            Hello(1, version, challenge).to_bytes()
    with pytest.raises(ProtocolError, match="8 bytes, in version 2 only"):
        Identity(1, 1, 1, answer=KeyAnswer(0, 1)).to_bytes()
    with pytest.raises(ProtocolError, match="16 bytes, not 3"):
        KeyMessage(1, SERIAL, b"key").to_bytes()

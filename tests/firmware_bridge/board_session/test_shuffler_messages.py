"""What a shuffler is told and tells, and its page: what is sent is what is read, and no card."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import MessageType, State, Want
from firmware_bridge.board_session.shuffler_messages import (
    LONGEST_HAND,
    BackCode,
    DeckCode,
    ShufflerState,
    ShufflerWant,
)
from firmware_bridge.protocol_error import ProtocolError
from tests.firmware_bridge.board_session.wire_pages import examples, page, payload_of

u8, u16 = (st.integers(0, 2**bits - 1) for bits in (8, 16))
counts = st.none() | st.integers(0, 0xFFFE)
sizes = st.lists(st.integers(1, 255), max_size=LONGEST_HAND).map(tuple)
wants = st.builds(ShufflerWant, st.booleans(), st.booleans(), u16, sizes)
decks, backs = st.sampled_from(DeckCode), st.sampled_from(BackCode)
states = st.builds(ShufflerState, decks, backs, counts, backs, u16, u16, u8, counts, st.booleans())
Body = ShufflerWant | ShufflerState

PAGE = page("shuffler-protocol.md")
EXAMPLES = examples(PAGE)


@given(st.one_of(wants, states), st.binary(max_size=20))
def test_a_body_comes_back_without_what_a_later_version_adds(body: Body, more: bytes) -> None:
    assert type(body).from_bytes(body.to_bytes() + more) == body


@pytest.mark.parametrize("body", [ShufflerWant(packets=(5, 5)), ShufflerState()])
def test_a_short_body_is_refused(body: Body) -> None:
    whole = body.to_bytes()
    for length in range(len(whole)):
        with pytest.raises(ProtocolError, match=f"has {length} bytes, it needs"):
            type(body).from_bytes(whole[:length])


@given(st.sampled_from([ShufflerWant, ShufflerState]), st.binary(max_size=40))
def test_any_bytes_are_a_body_or_a_protocol_error(kind: type[Body], data: bytes) -> None:
    try:
        body = kind.from_bytes(data)
    except ProtocolError:
        return
    assert kind.from_bytes(body.to_bytes()) == body


def test_unknown_flags_are_nothing() -> None:
    data = b"\xfc" + ShufflerWant(hand=7).to_bytes()[1:]
    assert ShufflerWant.from_bytes(data) == ShufflerWant(hand=7)


WRONG = [
    (ShufflerWant(packets=(5,) * 10), "10 packets, a hand has at most 9"),
    (ShufflerWant(packets=(5, 0)), "each has 1 to 255 cards"),
    (ShufflerWant(packets=(256,)), "each has 1 to 255 cards"),
    (ShufflerWant(hand=65536), "does not fit"),
    (ShufflerState(counted=65535), "it means none counted yet"),
    (ShufflerState(dealt=65536), "does not fit"),
]


@pytest.mark.parametrize(("body", "why"), WRONG)
def test_a_body_that_cannot_be_is_named(body: Body, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        body.to_bytes()


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (0, 4, "preparing 4 is not a state of a deck"),
        (1, 3, "backs 3 and 0"),
        (4, 3, "backs 0 and 3"),
        (12, 2, "waiting 2"),
    ],
)
def test_a_state_that_cannot_be_is_refused(at: int, value: int, why: str) -> None:
    data = bytearray(ShufflerState().to_bytes())
    data[at] = value
    with pytest.raises(ProtocolError, match=why):
        ShufflerState.from_bytes(bytes(data))


def test_a_hand_of_ten_packets_or_with_an_empty_one_is_refused() -> None:
    for sizes in (bytes(range(1, 11)), b"\x05\x00"):
        with pytest.raises(ProtocolError):
            ShufflerWant.from_bytes(b"\x03\x01\x00" + bytes((len(sizes),)) + sizes)


# The page


@pytest.mark.parametrize(("name", "fields", "payload", "frame"), EXAMPLES)
def test_an_example_is_what_the_code_sends(
    name: str, fields: str, payload: str, frame: str
) -> None:
    data = payload_of(name, fields, ShufflerWant, ShufflerState)
    assert data.hex(" ") == payload
    assert encode(data).hex(" ") == frame
    assert Deframer().feed(bytes.fromhex(frame)) == [bytes.fromhex(payload)]


def test_sizes_are_those_of_the_code() -> None:
    want = Want.HEAD.size + ShufflerWant.HEAD.size
    state = State.HEAD.size + ShufflerState.LAYOUT.size
    assert f"### {MessageType.WANT:02x} WANT, host to machine, {want} bytes plus one for" in PAGE
    assert f"### {MessageType.STATE:02x} STATE, machine to host, {state} bytes\n" in PAGE


def test_the_fields_of_the_tables_follow_one_another() -> None:
    """Each field of STATE begins where the one before it ends."""
    sizes = {"u8": 1, "u16": 2, "u32": 4}
    table = PAGE.split("### 82 STATE")[1].split("A message that is too short")[0]
    rows = re.findall(r"^\| (\d+) \| \w+ \| (u\d+) \|", table, re.MULTILINE)
    at = 0
    for offset, kind in rows:
        assert int(offset) == at
        at += sizes[kind]
    assert at == State.HEAD.size + ShufflerState.LAYOUT.size


def test_a_state_has_no_room_for_the_cards_of_a_deck() -> None:
    """52 cards in an order take at least 226 bits; 13 bytes hold 104, and all have a meaning."""
    assert ShufflerState.LAYOUT.size == 13

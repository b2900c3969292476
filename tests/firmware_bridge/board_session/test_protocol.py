"""What every board says: what is sent is what is read, and what cannot be is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board_session.protocol import (
    BoardKind,
    Hello,
    Identity,
    State,
    Want,
    is_newer,
    unpack_notices,
)
from firmware_bridge.protocol_error import ProtocolError

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
bodies = st.binary(max_size=240)
names = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=8)
hellos = st.builds(Hello, session=u32, version=u8)
wants = st.builds(Want, st.integers(1, 0xFFFF), bodies)
identities = st.builds(Identity, u8, u32, u32, names, st.tuples(u8, u8, u8), version=u8, seats=u8)
states = st.builds(
    State, u16, u32, u16, st.booleans(), bodies, st.integers(0, 127).map(lambda bits: bits << 1)
)
Message = Hello | Want | Identity | State


@given(st.one_of(hellos, wants, identities, states))
def test_a_message_comes_back(message: Message) -> None:
    assert type(message).from_bytes(message.to_bytes()) == message


@given(st.one_of(hellos, identities), st.binary(min_size=1, max_size=20))
def test_what_a_later_version_adds_is_left_out(message: Hello | Identity, more: bytes) -> None:
    assert type(message).from_bytes(message.to_bytes() + more) == message


@pytest.mark.parametrize("message", [Hello(1), Want(1), Identity(1, 2, 3), State(1, 2)])
def test_a_short_message_is_refused(message: Message) -> None:
    whole = message.to_bytes()
    for length in range(len(whole)):
        with pytest.raises(ProtocolError, match=f"has {length} bytes, it needs {len(whole)}"):
            type(message).from_bytes(whole[:length])


@given(st.sampled_from([Hello, Want, Identity, State]), st.binary(max_size=40))
def test_any_bytes_are_a_message_or_a_protocol_error(kind: type[Message], data: bytes) -> None:
    try:
        message = kind.from_bytes(data)
    except ProtocolError:
        return
    assert message.to_bytes()[0] == data[0]


def test_a_notice_is_a_bit_of_the_flags() -> None:
    data = bytearray(State(1, 2).to_bytes())
    data[9] = 0x0A
    state = State.from_bytes(bytes(data))
    assert unpack_notices(state.notices) == {1, 3}
    assert not state.unattended
    assert state.to_bytes() == bytes(data)


WRONG = [
    (Want(0), "number 0 means no WANT"),
    (State(1, 2, notices=0x01), "bits 1 to 7"),
    (Want(65536), "does not fit"),
    (Hello(session=-1), "does not fit"),
    (Identity(1, 2, 3, "NINECHARS"), "at most 8 printable ASCII"),
    (Identity(1, 2, 3, "B\u00f6ard"), "at most 8 printable ASCII"),
    (Identity(1, 2, 3, "RAIL\x1b"), "at most 8 printable ASCII"),
    (State(65536, 2), "does not fit"),
]


@pytest.mark.parametrize(("message", "why"), WRONG)
def test_a_message_that_cannot_be_is_named(message: Message, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        message.to_bytes()


def test_another_type_is_named() -> None:
    with pytest.raises(ProtocolError, match="type 0x01 is not WANT, which is 0x02"):
        Want.from_bytes(Hello(1).to_bytes() + b"more")


def test_numbers_go_round() -> None:
    assert is_newer(1, 65535)
    assert is_newer(32767, 0)
    assert not is_newer(32768, 0)
    assert not is_newer(65535, 1)
    assert not is_newer(7, 7)


def test_kinds_have_their_numbers_and_rails_their_seats() -> None:
    assert [int(kind) for kind in BoardKind] == [1, 2, 3, 4, 5, 6, 7]
    assert [kind.seats for kind in BoardKind] == [7, 7, 0, 0, 0, 7, 0]

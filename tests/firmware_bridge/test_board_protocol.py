"""Messages: what is sent is what is read, and what cannot be is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board_protocol import (
    BoardKind,
    Hello,
    Identity,
    LampOrder,
    ProtocolError,
    State,
    Want,
    is_newer,
    pack_lamps,
    pack_seats,
    unpack_lamps,
    unpack_seats,
)  # fmt: skip

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
masks = st.integers(0, 0x7F)
names = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=8)
hellos = st.builds(Hello, session=u32, version=u8)
wants = st.builds(Want, st.integers(1, 0xFFFF), st.integers(0, 0x3FFF), masks, st.integers(1, 9))
identities = st.builds(Identity, u8, u32, u32, names, st.tuples(u8, u8, u8), version=u8, seats=u8)
states = st.builds(
    State, u16, u32, u16, st.booleans(), masks, masks, st.tuples(*[u16] * 7), u16, masks
)
Message = Hello | Want | Identity | State


@given(st.one_of(hellos, wants, identities, states))
def test_a_message_comes_back(message: Message) -> None:
    assert type(message).from_bytes(message.to_bytes()) == message


@given(st.one_of(hellos, wants, identities, states), st.binary(min_size=1, max_size=20))
def test_what_a_later_version_adds_is_left_out(message: Message, more: bytes) -> None:
    assert type(message).from_bytes(message.to_bytes() + more) == message


@given(st.one_of(hellos, wants, identities, states), st.data())
def test_a_short_message_is_refused(message: Message, data: st.DataObject) -> None:
    whole = message.to_bytes()
    with pytest.raises(ProtocolError, match=f"it needs {len(whole)}"):
        type(message).from_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])


@given(st.sampled_from([Hello, Want, Identity, State]), st.binary(max_size=40))
def test_any_bytes_are_a_message_or_a_protocol_error(kind: type[Message], data: bytes) -> None:
    try:
        message = kind.from_bytes(data)
    except ProtocolError:
        return
    assert message.to_bytes()[0] == data[0]


def test_unknown_flags_are_nothing() -> None:
    data = bytearray(State(1, 2).to_bytes())
    data[9] = 0xFE
    assert State.from_bytes(bytes(data)) == State(1, 2)


WRONG = [
    (Want(0), "number 0 means no WANT"),
    (Want(1, gates=1, turn=0), "gates without a turn"),
    (Want(1, gates=0x80, turn=1), "gates 0x80 has bits above seat 7"),
    (Want(1, lamps=0x4000), "at most 0x3fff"),
    (Want(65536), "does not fit"),
    (Hello(session=-1), "does not fit"),
    (Identity(1, 2, 3, "NINECHARS"), "at most 8 ASCII"),
    (Identity(1, 2, 3, "Böard"), "at most 8 ASCII"),
    (State(1, 2, occupied=0x80), "occupied 0x80"),
    (State(1, 2, gates=0x80), "gates 0x80"),
    (State(1, 2, dead_lamps=0xFF), "dead_lamps 0xff"),
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


@given(st.tuples(*[st.sampled_from(LampOrder)] * 7))
def test_lamps_have_two_bits_a_seat(orders: tuple[LampOrder, ...]) -> None:
    assert unpack_lamps(pack_lamps(orders)) == orders


@given(st.frozensets(st.integers(1, 7)))
def test_seats_have_a_bit_each(seats: frozenset[int]) -> None:
    assert unpack_seats(pack_seats(seats)) == seats


def test_seat_1_is_lowest() -> None:
    assert pack_seats({1, 7}) == 0x41
    assert pack_lamps([LampOrder.ALERT, LampOrder.INVITE]) == 0b0111


def test_kinds_have_their_numbers() -> None:
    assert [BoardKind.SLOT_RAIL, BoardKind.SENSOR_RAIL] == [1, 2]

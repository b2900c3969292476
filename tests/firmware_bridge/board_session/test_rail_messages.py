"""What a rail is told and tells: what is sent is what is read, and what cannot be is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board_session.rail_messages import (
    LampOrder,
    RailState,
    RailWant,
    pack_lamps,
    pack_seats,
    unpack_lamps,
    unpack_seats,
)
from firmware_bridge.protocol_error import ProtocolError

u16 = st.integers(0, 0xFFFF)
masks = st.integers(0, 0x7F)
wants = st.builds(RailWant, st.integers(0, 0x3FFF), masks, st.integers(1, 0xFFFF))
states = st.builds(RailState, masks, masks, st.tuples(*[u16] * 7), u16, masks)
Body = RailWant | RailState


@given(st.one_of(wants, states), st.binary(max_size=20))
def test_a_body_comes_back_without_what_a_later_version_adds(body: Body, more: bytes) -> None:
    assert type(body).from_bytes(body.to_bytes() + more) == body


@pytest.mark.parametrize("body", [RailWant(), RailState()])
def test_a_short_body_is_refused(body: Body) -> None:
    whole = body.to_bytes()
    for length in range(len(whole)):
        with pytest.raises(ProtocolError, match=f"has {length} bytes, it needs {len(whole)}"):
            type(body).from_bytes(whole[:length])


@given(st.sampled_from([RailWant, RailState]), st.binary(max_size=40))
def test_any_bytes_are_a_body_or_a_protocol_error(kind: type[Body], data: bytes) -> None:
    try:
        body = kind.from_bytes(data)
    except ProtocolError:
        return
    assert data.startswith(body.to_bytes())


WRONG = [
    (RailWant(gates=1, turn=0), "gates without a turn"),
    (RailWant(gates=0x80, turn=1), "gates 0x80 has bits above seat 7"),
    (RailWant(lamps=0x4000), "at most 0x3fff"),
    (RailWant(turn=65536), "does not fit"),
    (RailState(occupied=0x80), "occupied 0x80"),
    (RailState(gates=0x80), "gates 0x80"),
    (RailState(dead_lamps=0xFF), "dead_lamps 0xff"),
]


@pytest.mark.parametrize(("body", "why"), WRONG)
def test_a_body_that_cannot_be_is_named(body: Body, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        body.to_bytes()


@given(st.tuples(*[st.sampled_from(LampOrder)] * 7))
def test_lamps_have_two_bits_a_seat(orders: tuple[LampOrder, ...]) -> None:
    assert unpack_lamps(pack_lamps(orders)) == orders


@given(st.frozensets(st.integers(1, 7)))
def test_seats_have_a_bit_each(seats: frozenset[int]) -> None:
    assert unpack_seats(pack_seats(seats)) == seats


def test_seat_1_is_lowest() -> None:
    assert pack_seats({1, 7}) == 0x41
    assert pack_lamps([LampOrder.ALERT, LampOrder.INVITE]) == 0b0111

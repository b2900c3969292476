"""What a deck shuffler tells, and its page: a shuffler's STATE, and the presses after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import BoardKind, MessageType, State
from firmware_bridge.board_session.shuffler_messages import (
    DeckShufflerState,
    DeckShufflerWant,
    ShufflerState,
    ShufflerWant,
)
from firmware_bridge.protocol_error import ProtocolError
from tests.firmware_bridge.board_session.test_shuffler_messages import states as shuffler_states
from tests.firmware_bridge.board_session.test_shuffler_messages import wants as shuffler_wants
from tests.firmware_bridge.board_session.wire_pages import examples, page, payload_of

PAGE = page("deck-shuffler-protocol.md")
EXAMPLES = examples(PAGE)
presses = st.integers(0, 0xFFFF)


@given(shuffler_states, presses, st.binary(max_size=20))
def test_a_state_comes_back_without_what_a_later_version_adds(
    decks: ShufflerState, count: int, more: bytes
) -> None:
    state = DeckShufflerState(**asdict(decks), presses=count)
    assert DeckShufflerState.from_bytes(state.to_bytes() + more) == state


@given(shuffler_states, presses)
def test_its_first_bytes_are_a_shuffler_s_state(decks: ShufflerState, count: int) -> None:
    state = DeckShufflerState(**asdict(decks), presses=count)
    assert state.to_bytes()[: -DeckShufflerState.PRESSES.size] == decks.to_bytes()
    assert ShufflerState.from_bytes(state.to_bytes()) == decks


def test_a_short_state_is_refused() -> None:
    whole = DeckShufflerState(presses=7).to_bytes()
    for length in range(len(whole)):
        with pytest.raises(ProtocolError, match=f"has {length} bytes, it needs"):
            DeckShufflerState.from_bytes(whole[:length])


@given(st.binary(max_size=40))
def test_any_bytes_are_a_state_or_a_protocol_error(data: bytes) -> None:
    try:
        state = DeckShufflerState.from_bytes(data)
    except ProtocolError:
        return
    assert DeckShufflerState.from_bytes(state.to_bytes()) == state


def test_more_presses_than_a_field_holds_are_refused() -> None:
    with pytest.raises(ProtocolError, match="does not fit"):
        DeckShufflerState(presses=65536).to_bytes()


def test_its_words_end_with_the_presses() -> None:
    assert DeckShufflerState(presses=7).words().endswith(" presses 7")


@given(shuffler_wants, st.booleans(), st.binary(max_size=20))
def test_a_want_is_a_shuffler_s_with_the_light_in_its_flags(
    orders: ShufflerWant, lit: bool, more: bytes
) -> None:
    want = DeckShufflerWant(**asdict(orders), ready_light=lit)
    data = want.to_bytes()
    assert DeckShufflerWant.from_bytes(data + more) == want
    assert ShufflerWant.from_bytes(data) == orders
    assert data[0] == orders.to_bytes()[0] | (DeckShufflerWant.READY_LIGHT * lit)
    assert data[1:] == orders.to_bytes()[1:]


def test_unknown_flags_are_nothing() -> None:
    data = b"\xf8" + DeckShufflerWant(hand=7).to_bytes()[1:]
    assert DeckShufflerWant.from_bytes(data) == DeckShufflerWant(hand=7)


def test_the_words_of_a_want_end_with_the_light() -> None:
    assert DeckShufflerWant(ready_light=True).words().endswith(" packets none green light yes")


# The page


@pytest.mark.parametrize(("name", "fields", "payload", "frame"), EXAMPLES)
def test_an_example_is_what_the_code_sends(
    name: str, fields: str, payload: str, frame: str
) -> None:
    data = payload_of(name, fields, DeckShufflerWant, DeckShufflerState)
    assert data.hex(" ") == payload
    assert encode(data).hex(" ") == frame
    assert Deframer().feed(bytes.fromhex(frame)) == [bytes.fromhex(payload)]


def test_kind_and_sizes_are_those_of_the_code() -> None:
    before = State.HEAD.size + ShufflerState.LAYOUT.size
    size = before + DeckShufflerState.PRESSES.size
    assert f"a board of kind {BoardKind.DECK_SHUFFLER:d} " in PAGE
    assert f"## {MessageType.STATE.name}, machine to host, {size} bytes\n" in PAGE
    assert f"| {before} | presses | u16 |" in PAGE
    bit = DeckShufflerWant.READY_LIGHT.bit_length() - 1
    assert f"bit {bit}: *green light*" in PAGE

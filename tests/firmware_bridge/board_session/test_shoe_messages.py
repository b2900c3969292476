"""docs/reference/shoe-protocol.md, and what a counting shoe's body cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import Identity, State, Want
from firmware_bridge.board_session.shoe_messages import ShoeState, ShoeWant
from firmware_bridge.protocol_error import ProtocolError
from tests.firmware_bridge.board_session.wire_pages import examples, page
from tests.firmware_bridge.reference.shoe_firmware import LAST_COUNT, ShoeFirmware

PAGE = page("shoe-protocol.md")
EXAMPLES = [
    (f"{name}({fields})", payload, frame) for name, fields, payload, frame in examples(PAGE)
]
NAMES = {
    "Identity": Identity,
    "State": State,
    "ShoeState": lambda **fields: ShoeState(**fields).to_bytes(),
}

counts = st.integers(0, LAST_COUNT)
states = st.builds(ShoeState, st.integers(0, 0xFFFFFFFF), counts, counts, counts)


def test_every_example_is_read() -> None:
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize(("message", "payload", "frame"), EXAMPLES)
def test_an_example_is_what_the_code_sends(message: str, payload: str, frame: str) -> None:
    payload_bytes = eval(message, {"__builtins__": {}}, NAMES).to_bytes()
    assert payload_bytes.hex(" ") == payload
    assert encode(payload_bytes).hex(" ") == frame
    assert Deframer().feed(bytes.fromhex(frame)) == [payload_bytes]


def test_the_sizes_are_those_of_the_code() -> None:
    assert f"STATE, shoe to host, {State.HEAD.size + ShoeState.LAYOUT.size} bytes" in PAGE
    assert f"WANT, host to shoe, {len(Want(1, ShoeWant().to_bytes()).to_bytes())} bytes" in PAGE


@given(states, st.booleans(), st.binary(max_size=9))
def test_what_is_told_is_read_also_with_more_behind_it(
    state: ShoeState, cut: bool, more: bytes
) -> None:
    if cut:
        state = ShoeState(state.memory, state.loads, state.cards, state.draws, state.draws)
    assert ShoeState.from_bytes(state.to_bytes() + more) == state


def test_what_cannot_be_is_no_state() -> None:
    with pytest.raises(ProtocolError, match="11 bytes, it needs 12"):
        ShoeState.from_bytes(bytes(11))
    with pytest.raises(ProtocolError, match="after 5 cards, and only 4 have left"):
        ShoeState.from_bytes(bytes.fromhex("00000000 0100 3801 0400 0500"))
    with pytest.raises(ProtocolError, match="does not fit"):
        ShoeState(1, 1, 70000).to_bytes()


def test_the_reference_counts_what_its_sensors_see() -> None:
    shoe = ShoeFirmware(1, ShoeState(9))
    shoe.count_load(3)
    shoe.count_draw()
    shoe.cut_card_out()
    shoe.count_draw()
    shoe.cut_card_out()
    assert shoe.state == ShoeState(9, loads=1, cards=3, draws=2, cut_after=1)
    assert shoe.report() == shoe.state.to_bytes()
    shoe.count_load(8)
    assert shoe.state == ShoeState(9, loads=2, cards=8)
    with pytest.raises(ProtocolError, match="cannot be counted"):
        shoe.count_load(LAST_COUNT + 1)


def test_the_reference_never_counts_past_what_can_be_told() -> None:
    shoe = ShoeFirmware(1, ShoeState(9, loads=0xFFFF, draws=LAST_COUNT))
    shoe.count_draw()
    assert ShoeState.from_bytes(shoe.report()).draws == LAST_COUNT
    shoe.count_load(1)
    assert ShoeState.from_bytes(shoe.report()).loads == 0

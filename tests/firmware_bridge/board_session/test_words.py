"""What a board's frames say to people, and why a bad one is bad."""

from functools import partial

import pytest

from firmware_bridge.board_session.framing import LONGEST_FRAME, encode
from firmware_bridge.board_session.protocol import BoardKind, Body, Hello, Identity, State, Want
from firmware_bridge.board_session.rail_messages import LampOrder, RailState, RailWant, pack_lamps
from firmware_bridge.board_session.shoe_messages import ShoeState, ShoeWant
from firmware_bridge.board_session.shuffler_messages import (
    BackCode,
    DeckCode,
    ShufflerState,
    ShufflerWant,
)
from firmware_bridge.board_session.words import describe_frame

LAMPS = (LampOrder.INVITE, LampOrder.INVITE, *[LampOrder.DARK] * 4, LampOrder.ALERT)

STATE = partial(State, 18, 0x1F, 7)

BOARD_FRAMES: dict[str, tuple[BoardKind, Body]] = {
    "HELLO version 1 session 0xc0ffee01": (BoardKind.SLOT_RAIL, Hello(0xC0FFEE01)),
    "IDENTITY slot rail version 1 seats 7 boot 0xb0070001 session 0x5 serial RAIL-007 firmware "
    "1.2.3": (
        BoardKind.SLOT_RAIL,
        Identity(1, 0xB0070001, 5, "RAIL-007", (1, 2, 3)),
    ),
    "IDENTITY kind 99 version 2 seats 7 boot 0x1 session 0x5 serial none firmware 1.0.0": (
        BoardKind.SLOT_RAIL,
        Identity(99, 1, 5, version=2),
    ),
    "WANT 3 lamps invite 1 2 alert 7 gates 3 turn 17": (
        BoardKind.SLOT_RAIL,
        Want(3, RailWant(pack_lamps(LAMPS), 0b100, 17).to_bytes()),
    ),
    "STATE 18 boot 0x1f applied 7 occupied 1 3 gates none drops 0 1 0 0 0 0 0 tray 4 "
    "dead lamps 7": (
        BoardKind.SENSOR_RAIL,
        STATE(
            body=RailState(0b101, 0, (0, 1, 0, 0, 0, 0, 0), 4, dead_lamps=0x40).to_bytes(),
        ),
    ),
    "STATE 18 boot 0x1f applied 7 unattended occupied none gates none drops 0 0 0 0 0 0 0 tray 0 "
    "dead lamps none": (
        BoardKind.CCTALK_SLOTS,
        STATE(unattended=True, body=RailState().to_bytes()),
    ),
    "WANT 4 may deal yes may begin no hand 9 packets 5 5": (
        BoardKind.SHUFFLER,
        Want(4, ShufflerWant(True, False, 9, (5, 5)).to_bytes()),
    ),
    "STATE 18 boot 0x1f applied 7 preparing ready prepared back red counted 51 playing back blue "
    "hand 9 dealt 10 packets 2 unloaded not yet packet waits yes": (
        BoardKind.MIXER,
        STATE(
            body=ShufflerState(
                DeckCode.READY, BackCode.RED, 51, BackCode.BLUE, 9, 10, 2, None, True
            ).to_bytes(),
        ),
    ),
    "WANT 5 nothing": (BoardKind.COUNTING_SHOE, Want(5, ShoeWant().to_bytes())),
    "STATE 18 boot 0x1f applied 7 memory 0x5ab loads 1 cards 312 drawn 40 cards left 272 cut card "
    "out after 30": (
        BoardKind.COUNTING_SHOE,
        STATE(body=ShoeState(0x5AB, 1, 312, 40, 30).to_bytes()),
    ),
}


@pytest.mark.parametrize("says", BOARD_FRAMES)
def test_a_board_s_frame_says(says: str) -> None:
    kind, message = BOARD_FRAMES[says]
    frame = encode(message.to_bytes())
    assert describe_frame(frame, kind) == says
    assert describe_frame(b"\0" + frame, kind) == describe_frame(frame[:-1], kind) == says


HELLO_FRAME = encode(Hello(1).to_bytes())


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "0 bytes"),
        (HELLO_FRAME[:-2] + b"\x55\0", "wrong checksum"),
        (HELLO_FRAME[:-3] + b"\0", "its lengths"),
        (bytes([1]) * 300, f"longer than {LONGEST_FRAME} bytes"),
        (encode(b"\x99new"), "unknown type 0x99"),
        (encode(b"\x82short"), "STATE has 6 bytes, it needs 10"),
        (encode(Want(1, b"\0\0\x80\0\0").to_bytes()), "gates 0x80 has bits above seat 7"),
    ],
)
def test_a_bad_frame_of_a_board_says_why(raw: bytes, why: str) -> None:
    says = describe_frame(raw, BoardKind.SLOT_RAIL)
    assert says.startswith("bad: ")
    assert why in says


def test_a_board_cannot_send_the_terminal_anything() -> None:
    identity = Identity(1, 1, 1, "CLEARED.").to_bytes().replace(b"CLEARED.", b"\x1b[2J\r\n\x7f.")
    shown = describe_frame(encode(identity), BoardKind.SLOT_RAIL)
    assert "must be printable ASCII" in shown
    assert shown.isprintable()

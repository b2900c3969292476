"""What frames say to people: good ones, why a bad one is bad, and any bytes at all."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.escpos_words import describe_received as say_from_display
from devices.escpos_words import describe_written
from firmware_bridge.angel_eye.commands import CLEAR_ERROR, LOCK, UNLOCK
from firmware_bridge.angel_eye.framing import ShoeReport
from firmware_bridge.angel_eye.words import describe_received, describe_sent
from firmware_bridge.board.framing import LONGEST_FRAME, encode
from firmware_bridge.board.protocol import BoardKind, Body, Hello, Identity, State, Want
from firmware_bridge.board.rail_messages import LampOrder, RailState, RailWant, pack_lamps
from firmware_bridge.board.shoe_messages import ShoeState, ShoeWant
from firmware_bridge.board.shuffler_messages import BackCode, DeckCode, ShufflerState, ShufflerWant
from firmware_bridge.board.words import describe_frame as say_board_frame
from firmware_bridge.cctalk.protocol import CcTalkHeader, CoinEvent, CreditBuffer, Frame
from firmware_bridge.cctalk.words import describe_frame, describe_line
from firmware_bridge.frame_trace import TracedFrame

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
    assert say_board_frame(frame, kind) == says
    assert say_board_frame(b"\0" + frame, kind) == say_board_frame(frame[:-1], kind) == says


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
    says = say_board_frame(raw, BoardKind.SLOT_RAIL)
    assert says.startswith("bad: ")
    assert why in says


def test_a_board_cannot_send_the_terminal_anything() -> None:
    serial = encode(Identity(1, 1, 1, "\x1b[2J\r\n").to_bytes())
    assert "serial ?[2J?? firmware" in say_board_frame(serial, BoardKind.SLOT_RAIL)


def make_command(header: CcTalkHeader, data: bytes = b"") -> Frame:
    return Frame(13, 1, header, data)


def make_answer(data: bytes = b"", header: int = CcTalkHeader.ACK) -> bytes:
    return Frame(1, 13, header, data).to_bytes()


CREDITS = CreditBuffer(5, (CoinEvent(1, 1), CoinEvent(0, 20), *[CoinEvent(0, 0)] * 3)).to_bytes()


@pytest.mark.parametrize(
    ("command", "answer", "texts"),
    [
        (make_command(CcTalkHeader.SIMPLE_POLL), make_answer(), ["-> 13 poll", "<- 13 ACK"]),
        (
            make_command(CcTalkHeader.MODIFY_MASTER_INHIBIT, b"\0"),
            make_answer(),
            ["-> 13 be closed", "<- 13 ACK"],
        ),
        (
            make_command(CcTalkHeader.MODIFY_MASTER_INHIBIT, b"\1"),
            make_answer(),
            ["-> 13 be open", "<- 13 ACK"],
        ),
        (
            make_command(CcTalkHeader.MODIFY_INHIBIT, b"\x01\0"),
            make_answer(b"", CcTalkHeader.NAK),
            ["-> 13 accept coins 1", "<- 13 NAK"],
        ),
        (
            make_command(CcTalkHeader.READ_CREDIT),
            make_answer(CREDITS),
            ["-> 13 read credits", "<- 13 counter 5, coin 1 by path 1, coin on a string"],
        ),
        (
            make_command(CcTalkHeader.READ_CREDIT),
            make_answer(b"\1\2"),
            ["-> 13 read credits", "<- 13 bad: 2 bytes of credit, an acceptor gives 11"],
        ),
        (
            make_command(CcTalkHeader.SERIAL_NUMBER),
            make_answer(b"\xe9\x03\0"),
            ["-> 13 serial number", "<- 13 serial 1001"],
        ),
        (
            make_command(CcTalkHeader.MANUFACTURER),
            make_answer(b"N\x1bRI"),
            ["-> 13 manufacturer", "<- 13 'N?RI'"],
        ),
    ],
)
def test_a_cctalk_command_and_its_answer_say(
    command: Frame, answer: bytes, texts: list[str]
) -> None:
    line = [TracedFrame(1, True, command.to_bytes(), True), TracedFrame(0, False, answer, True)]
    assert describe_line(line) == texts


def test_the_example_of_the_cctalk_page_is_a_credit() -> None:
    answer = bytes.fromhex("01 0B 0D 00 01 01 01 00 00 00 00 00 00 00 00 E4")
    assert (
        describe_frame(answer, make_command(CcTalkHeader.READ_CREDIT))[1]
        == "<- 13 counter 1, coin 1 by path 1"
    )


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "bad: no bytes"),
        (b"\x01\0", "bad: 2 bytes"),
        (bytes.fromhex("0D 05 01 E5 0D"), "bad: 5 bytes, it says it has 10"),
        (bytes.fromhex("0D 00 01 E5 0E"), "bad: wrong checksum"),
        (make_answer(b"\1\2\3"), "bad: not the answer to what was asked: <- 13 ACK 01 02 03"),
    ],
)
def test_a_bad_piece_of_a_cctalk_line_says_why(raw: bytes, why: str) -> None:
    (says,) = describe_line([TracedFrame(0, False, raw, good=False)])
    assert says.startswith(why)


ANGEL_EYE = {
    "05 31 44 81 C4 03 33 33": "D 4H to player, place 1",
    "05 31 44 91 C4 03 32 33": "D 4H to banker, place 1",
    "05 32 47 90 03 45 36": "G result player",
    "05 33 43 03 37 33": "C the cut card is out",
    "05 34 4D B9 B0 B0 B3 B1 B2 03 37 33": "M setting 90 is 0312",
    "06": "answer 0, accepted",
    "15 21": "answer 21, busy",
    "05 33 43 03 37 34": "bad: wrong check",
    "41 42": "bad: 2 bytes that are no report",
    "05 33 43": "bad: 3 bytes that are no report",
    "06 06": "bad: 2 bytes that are no report",
}


@pytest.mark.parametrize("heard", ANGEL_EYE)
def test_what_a_reading_shoe_says(heard: str) -> None:
    assert describe_received(bytes.fromhex(heard)) == ANGEL_EYE[heard]


@pytest.mark.parametrize(
    ("letter", "data", "says"),
    [
        ("R", b"\x01\x44", "R 4H to player, place 1, sent again"),
        ("d", b"\x01\x44", "d 4H outside the game (1)"),
        ("G", b"\x43", "G result banker, player pair, banker pair"),
        ("E", b"\x42", "E error 2, overdraw"),
        ("e", b"\x02", "e error 2, overdraw, cleared"),
        ("S", b"", "S the shoe begins anew"),
        ("P", b"", "P standing by"),
        ("L", b"\x01", "L locked"),
        ("L", b"\x00", "L unlocked"),
        ("D", b"\x01\x7f", "bad: D: 0x7f is no card"),
        ("X", b"", "bad: a report X is not known"),
    ],
)
def test_each_report_says(letter: str, data: bytes, says: str) -> None:
    assert describe_received(ShoeReport("1", letter, data).to_bytes()) == says


def test_what_a_reading_shoe_is_told() -> None:
    commands = [command.to_bytes() for command in (LOCK, UNLOCK, CLEAR_ERROR)]
    assert [describe_sent(raw) for raw in commands] == [
        "command lock",
        "command unlock",
        "command clear error",
    ]
    assert describe_sent(LOCK.to_bytes(check_from_stx=False)) == "command lock"
    assert describe_sent(b"?") == "bad: no command that is known"


def test_what_is_written_to_the_display() -> None:
    written = (
        b"\x1b@\x1f\x01\x1fC\x00\x1f$\x01\x01JACKPOT   "
        b"\x1f$\x01\x02  10,00\xff\x1fC\x01\x1f$\x02\x01"
    )
    assert describe_written(written) == (
        "clear, overwrite, no cursor, at 1,1 'JACKPOT', at 1,2 '  10,00', ff, cursor, at 2,1"
    )
    assert say_from_display(b"abc") == "bad: 3 bytes from a display that says nothing"


def describe_all(raw: bytes) -> list[str]:
    """Whatever may be said of these bytes, on any line."""
    line = [TracedFrame(0, way, raw, good) for way in (True, False) for good in (True, False)]
    words: list[Callable[[bytes], str]] = [
        describe_received,
        describe_sent,
        describe_written,
        say_from_display,
    ]
    boards = [say_board_frame(raw, kind) for kind in BoardKind]
    return [*boards, *describe_line([*line, *line]), *(say(raw) for say in words)]


@given(st.binary(max_size=300))
def test_no_bytes_whatever_raise_anything_or_reach_the_terminal(raw: bytes) -> None:
    for says in describe_all(raw):
        assert says
        assert says.isascii()
        assert says.isprintable()


@given(st.sampled_from([0x01, 0x02, 0x81, 0x82, 0x99]), st.binary(max_size=60))
def test_no_message_in_a_good_frame_raises_anything(kind: int, rest: bytes) -> None:
    for says in describe_all(encode(bytes([kind]) + rest)):
        assert says.isprintable()


@given(st.integers(0, 255), st.sampled_from(CcTalkHeader), st.binary(max_size=252))
def test_no_good_cctalk_frame_raises_anything(
    address: int, header: CcTalkHeader, data: bytes
) -> None:
    command = Frame(address, 1, header, data).to_bytes()
    answer = Frame(1, address, CcTalkHeader.ACK, data).to_bytes()
    line = [TracedFrame(1, True, command, True), TracedFrame(0, False, answer, True)]
    for says in describe_line(line):
        assert says.isascii()
        assert says.isprintable()


@given(st.text("SPCDRdGEeLMX", min_size=1, max_size=1), st.binary(max_size=6))
def test_no_good_report_raises_anything(letter: str, data: bytes) -> None:
    low = bytes(byte & 0x7F for byte in data)
    says = describe_received(ShoeReport("1", letter, low).to_bytes())
    assert says.isascii()
    assert says.isprintable()

"""What ccTalk frames say to people, and why a bad piece of a line is bad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.cctalk.protocol import CcTalkHeader, CoinEvent, CreditBuffer, Frame
from firmware_bridge.cctalk.words import describe_frame, describe_line
from firmware_bridge.frame_trace import TracedFrame


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

"""Whatever bytes come on any line: their words raise nothing, and can be printed."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from devices.escpos_display import describe_written
from devices.line_display import describe_received as describe_from_display
from firmware_bridge.angel_eye.words import describe_received, describe_sent
from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.words import describe_frame
from firmware_bridge.cctalk.words import describe_line
from firmware_bridge.frame_trace import TracedFrame


def describe_all(raw: bytes) -> list[str]:
    """Whatever may be said of these bytes, on any line."""
    line = [TracedFrame(0, way, raw, good) for way in (True, False) for good in (True, False)]
    words: list[Callable[[bytes], str]] = [
        describe_received,
        describe_sent,
        describe_written,
        describe_from_display,
    ]
    boards = [describe_frame(raw, kind) for kind in BoardKind]
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

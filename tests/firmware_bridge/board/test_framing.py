"""The board's frames beside the host's, which are another piece of code."""

from hypothesis import given
from hypothesis.strategies import binary, integers, lists

from firmware_bridge.board.framing import LONGEST_FRAME, FrameReader, encode
from firmware_bridge.board_session import framing


@given(binary(min_size=1, max_size=250))
def test_a_payload_has_the_host_s_frame_and_comes_back(payload: bytes) -> None:
    assert encode(payload) == framing.encode(payload)
    assert FrameReader().feed(framing.encode(payload)) == [payload]


@given(
    lists(binary(max_size=300) | binary(min_size=1, max_size=60).map(framing.encode), max_size=6)
)
def test_noise_gives_the_payloads_that_the_host_would_find(pieces: list[bytes]) -> None:
    ours, host = FrameReader(), framing.Deframer()
    for piece in pieces:
        assert ours.feed(piece) == host.feed(piece)


@given(binary(min_size=1, max_size=250), integers(1, 40))
def test_a_frame_may_come_in_pieces(payload: bytes, size: int) -> None:
    reader, frame = FrameReader(), encode(payload)
    pieces = [frame[at : at + size] for at in range(0, len(frame), size)]
    assert [found for piece in pieces for found in reader.feed(piece)] == [payload]


def test_a_talker_without_an_end_takes_no_memory() -> None:
    reader = FrameReader()
    for _ in range(1000):
        assert reader.feed(b"\x01" * 100) == []
        assert len(reader._rest) <= LONGEST_FRAME
    assert reader.feed(b"\x00" + encode(b"go on")) == [b"go on"]

"""Frames: whatever the wire does to bytes costs the damaged frame only."""

import binascii
import time

import pytest
from cobs.cobs import _cobs_py
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.board_session.framing import (
    LONGEST_FRAME,
    LONGEST_PAYLOAD,
    Deframer,
    describe_slow_codec,
    encode,
)

payloads = st.binary(min_size=1, max_size=LONGEST_PAYLOAD)
GOOD = encode(b"good")


@given(payloads)
def test_a_payload_comes_back(payload: bytes) -> None:
    frame = encode(payload)
    assert frame.index(0) == len(frame) - 1 <= LONGEST_FRAME
    assert Deframer().feed(frame) == [payload]


@given(st.lists(payloads, max_size=5), st.data())
def test_pieces_of_any_size_give_the_same_frames(sent: list[bytes], data: st.DataObject) -> None:
    wire = b"".join(map(encode, sent))
    deframer, got, at = Deframer(), [], 0
    while at < len(wire):
        size = data.draw(st.integers(1, len(wire)))
        got += deframer.feed(wire[at : at + size])
        at += size
    assert got == sent
    assert deframer.counts.bad == 0


@given(payloads)
def test_byte_at_a_time(payload: bytes) -> None:
    deframer = Deframer()
    got = [deframer.feed(bytes([byte])) for byte in encode(payload)]
    assert got == [[]] * (len(got) - 1) + [[payload]]


@given(payloads, st.data())
def test_a_frame_cut_anywhere_costs_itself_only(payload: bytes, data: st.DataObject) -> None:
    frame = encode(payload)
    cut = frame[: data.draw(st.integers(1, len(frame) - 2))]
    deframer = Deframer()
    assert deframer.feed(cut + b"\0" + GOOD) == [b"good"]
    assert deframer.counts.bad == 1


@given(payloads, st.data())
def test_a_turned_bit_is_found(payload: bytes, data: st.DataObject) -> None:
    frame = bytearray(encode(payload))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert payload not in Deframer().feed(bytes(frame) + b"\0")


@given(st.binary(max_size=2000))
def test_garbage_gives_no_payload_and_the_next_frame_arrives(garbage: bytes) -> None:
    deframer = Deframer()
    assert deframer.feed(garbage + b"\0" + GOOD) == [b"good"]


def test_an_idle_line_of_delimiters_is_no_error() -> None:
    deframer = Deframer()
    assert deframer.feed(b"\0" * 9 + GOOD + b"\0" * 9 + GOOD) == [b"good", b"good"]
    assert deframer.counts.bad == 0
    assert deframer.counts.frames == 2


def test_the_first_two_bytes_of_a_broken_frame_are_told_apart() -> None:
    deframer = Deframer()
    deframer.feed(b"\x05\x01\0")  # points beyond its end
    deframer.feed(b"\x03\x01\x01\0")  # too short for a CRC
    deframer.feed(b"\x01" * (LONGEST_FRAME + 1) + b"\0")
    counts = deframer.counts
    assert (counts.bad_cobs, counts.bad_crc, counts.too_long) == (1, 1, 1)


@pytest.mark.parametrize("piece", [1, 7, 300, 100_000])
def test_a_talker_without_delimiter_is_kept_in_a_small_buffer(piece: int) -> None:
    deframer = Deframer()
    for _ in range(0, 100_000, piece):
        assert deframer.feed(b"\xaa" * piece) == []
        assert len(deframer._rest) <= LONGEST_FRAME
    assert deframer.feed(b"\0" + GOOD) == [b"good"]
    assert (deframer.counts.too_long, deframer.counts.bad) == (1, 1)


@pytest.mark.parametrize("size", [0, LONGEST_PAYLOAD + 1])
def test_a_payload_of_a_wrong_size_cannot_be_sent(size: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 250 bytes, not {size}"):
        encode(bytes(size))


def test_reset_forgets_half_a_frame() -> None:
    deframer = Deframer()
    deframer.feed(GOOD[:4])
    deframer.reset()
    assert deframer.feed(GOOD) == [b"good"]


HOSTILE = {
    "no delimiter": b"\xff",
    "only delimiters": b"\0",
    "shortest bad frames": b"\x02\0",
    "frames one byte too long": b"\x01" * (LONGEST_FRAME + 1) + b"\0",
    "bad CRC": encode(b"\x01" * 249 + b"\x02")[:-2] + b"\x07\0",
    "good frames": GOOD,
}


MEASURABLE_S = 0.05


def time_feeding(wire: bytes, piece: int) -> float:
    """The processor time that these bytes take, in seconds."""
    deframer = Deframer()
    began = time.process_time()
    for at in range(0, len(wire), piece):
        deframer.feed(wire[at : at + piece])
    return time.process_time() - began


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("piece", [1024, 1_000_000])
def test_a_million_hostile_bytes_take_a_time_in_proportion(unit: bytes, piece: int) -> None:
    """Five times as many take five times as long, whatever the machine; if quadratic, 25 times."""
    wire = unit * (1_000_000 // len(unit))
    fifth = time_feeding(wire[: len(wire) // 5], piece)
    assert time_feeding(wire, piece) < 12 * max(fifth, MEASURABLE_S)


def test_a_codec_without_its_compiled_part_is_named() -> None:
    assert "20 times longer" in describe_slow_codec(_cobs_py.encode)
    assert describe_slow_codec(binascii.hexlify) == ""  # compiled, as cobs should be

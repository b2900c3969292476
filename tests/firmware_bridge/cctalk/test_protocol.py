"""ccTalk as bytes: frames, the pause that parts them, and what an event buffer says."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.cctalk.protocol import (
    BUFFERED,
    NOTHING,
    CcTalkHeader,
    CoinEvent,
    CreditBuffer,
    Events,
    Frame,
    FrameParser,
    Overrun,
    Restarted,
    compare_credits,
)
from firmware_bridge.protocol_error import ProtocolError

TOKEN = CoinEvent(1, 1)
BLOCKED = CoinEvent(0, 14)

PUBLISHED = {
    "02 00 01 FE FF": Frame(2, 1, CcTalkHeader.SIMPLE_POLL),
    "01 00 02 00 FD": Frame(1, 2, CcTalkHeader.ACK),
    # From the manual of a real acceptor (Azkoyen Modular X6):
    "02 00 01 E5 18": Frame(2, 1, CcTalkHeader.READ_CREDIT),
    "01 0B 02 00 06 06 04 00 14 00 17 06 04 0D 02 9E": Frame(
        1, 2, CcTalkHeader.ACK, bytes((6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2))
    ),
    "02 00 01 E6 17": Frame(2, 1, CcTalkHeader.REQUEST_INHIBIT),
    "01 02 02 00 00 00 FB": Frame(1, 2, CcTalkHeader.ACK, bytes(2)),
    "02 00 01 E8 15": Frame(2, 1, CcTalkHeader.SELF_CHECK),
    "01 02 02 00 02 03 F6": Frame(1, 2, CcTalkHeader.ACK, bytes((2, 3))),
    "01 01 02 00 00 FC": Frame(1, 2, CcTalkHeader.ACK, bytes(1)),
    "01 00 03 00 FC": Frame(1, 3, CcTalkHeader.ACK),
}

frames = st.builds(
    Frame, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.binary(max_size=252)
)


def buffer(counter: int, *newest_first: CoinEvent) -> CreditBuffer:
    return CreditBuffer(counter, (newest_first + (NOTHING,) * BUFFERED)[:BUFFERED])


@pytest.mark.parametrize("text", PUBLISHED)
def test_published_examples_are_said_and_read(text: str) -> None:
    assert PUBLISHED[text].to_bytes() == bytes.fromhex(text)
    assert Frame.from_bytes(bytes.fromhex(text)) == PUBLISHED[text]


def test_the_published_credits_are_six_events_and_the_last_five() -> None:
    credit = CreditBuffer.from_bytes(bytes((6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2)))
    assert credit.counter == 6
    assert [str(event) for event in credit.events] == [
        "coin 6 by path 4",
        "coin on a string",
        "event 23",
        "coin 6 by path 4",
        "coin 13 by path 2",
    ]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (14, "sensor blocked"),
        (17, "coin the wrong way"),
        (40, "outside light"),
        (128, "inhibited coin 1"),
        (143, "inhibited coin 16"),
        (144, "event 144"),
    ],
)
def test_events_without_a_coin_have_names(code: int, text: str) -> None:
    assert str(CoinEvent(0, code)) == text


@given(frames)
def test_any_frame_is_read_as_it_was_said(frame: Frame) -> None:
    data = frame.to_bytes()
    assert sum(data) % 256 == 0
    assert Frame.from_bytes(data) == frame


@given(frames, st.data())
def test_any_single_byte_that_is_wrong_is_found(frame: Frame, data: st.DataObject) -> None:
    raw = bytearray(frame.to_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ProtocolError):
        Frame.from_bytes(bytes(raw))


@pytest.mark.parametrize("frame", [Frame(256, 1, 0), Frame(2, 1, 0, bytes(253))])
def test_what_no_frame_can_carry_is_refused(frame: Frame) -> None:
    with pytest.raises(ProtocolError):
        frame.to_bytes()


def test_credits_of_another_length_are_none() -> None:
    with pytest.raises(ProtocolError, match="10 bytes of credit"):
        CreditBuffer.from_bytes(bytes(10))


# The parser


@given(st.lists(frames, min_size=1, max_size=5), st.integers(1, 7))
def test_frames_are_found_in_pieces_of_any_size(sent: list[Frame], size: int) -> None:
    stream = b"".join(frame.to_bytes() for frame in sent)
    parser = FrameParser()
    found: list[Frame] = []
    for at in range(0, len(stream), size):
        found += parser.feed(stream[at : at + size], 1000)
    assert found == sent
    assert parser.idle


def test_a_pause_of_50_ms_is_borne_and_a_longer_one_begins_anew() -> None:
    poll = Frame(2, 1, CcTalkHeader.SIMPLE_POLL)
    raw = poll.to_bytes()
    parser = FrameParser()
    assert parser.feed(raw[:3], 1000) == []
    assert parser.feed(raw[3:], 1050) == [poll]
    assert parser.feed(raw[:3], 2000) == []
    assert parser.feed(raw, 2051) == [poll]


def test_after_a_bad_frame_it_is_deaf_until_a_pause() -> None:
    raw = Frame(2, 1, CcTalkHeader.SIMPLE_POLL).to_bytes()
    parser = FrameParser()
    assert parser.feed(raw[:-1] + b"\x00" + raw, 1000) == []
    assert parser.feed(raw, 1050) == []
    assert parser.feed(raw, 1101) != []


def test_a_million_random_bytes_leave_it_in_step_with_the_next_good_frame() -> None:
    chance, parser, now = Random(5), FrameParser(), 0
    good = Frame(1, 13, CcTalkHeader.ACK, buffer(9, TOKEN).to_bytes())
    false = bursts = noise = 0
    while noise < 1_000_000:
        burst = chance.randbytes(chance.randrange(1, 2000))
        noise += len(burst)
        bursts += 1
        false += len(parser.feed(burst, now))
        now += 51
        assert parser.feed(good.to_bytes(), now) == [good]
        now += 51
    # One sum in 256 fits by chance, and one burst is one chance, not many. What chance makes is
    # then addressed to anybody, from anybody, and as long as it likes: see the bus.
    assert false < bursts / 40


class CountedBytes(bytes):
    """Bytes that count how many are copied out of them, and out of what is copied."""

    copied = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        if not isinstance(found, bytes):
            return found
        CountedBytes.copied += len(found)
        return CountedBytes(found)


@pytest.mark.parametrize("count", [100, 10_000])
@pytest.mark.parametrize("size", [0, 11, 252])
def test_a_piece_is_read_in_time_that_grows_only_with_its_length(count: int, size: int) -> None:
    """However many frames come in one piece, each byte of them is copied a few times."""
    raw = Frame(1, 13, CcTalkHeader.ACK, bytes(size)).to_bytes()
    piece = CountedBytes(raw * count + raw[:4])
    CountedBytes.copied = 0
    assert len(FrameParser().feed(piece, 1000)) == count
    assert CountedBytes.copied <= 3 * len(piece)


# The event buffer


def test_nothing_new() -> None:
    assert compare_credits(7, buffer(7, TOKEN)) == Events()
    assert compare_credits(0, buffer(0)) == Events()


def test_five_at_once_are_all_there_oldest_first() -> None:
    five = tuple(CoinEvent(coin, 1) for coin in (5, 4, 3, 2, 1))
    assert compare_credits(10, CreditBuffer(15, five)) == Events(five[::-1])


def test_a_sixth_is_never_a_silent_five() -> None:
    assert compare_credits(10, CreditBuffer(16, (TOKEN,) * 5)) == Overrun(6)


def test_255_is_followed_by_1() -> None:
    assert compare_credits(255, buffer(1, TOKEN, BLOCKED)) == Events((TOKEN,))
    assert compare_credits(253, CreditBuffer(3, (TOKEN,) * 5)) == Events((TOKEN,) * 5)
    assert compare_credits(253, CreditBuffer(4, (TOKEN,) * 5)) == Overrun(6)


def test_a_counter_that_goes_back_has_gone_all_the_way_round() -> None:
    assert compare_credits(9, CreditBuffer(8, (TOKEN,) * 5)) == Overrun(254)


def test_0_is_a_reset_and_credits_nothing() -> None:
    assert compare_credits(3, CreditBuffer(0, (TOKEN,) * 5)) == Restarted()
    assert compare_credits(0, CreditBuffer(0, (TOKEN,) * 5)) == Events()


def test_after_a_reset_it_counts_from_1() -> None:
    assert compare_credits(0, buffer(2, TOKEN, BLOCKED)) == Events((BLOCKED, TOKEN))
    assert compare_credits(0, CreditBuffer(6, (TOKEN,) * 5)) == Overrun(6)


def test_a_reset_that_has_counted_up_to_the_old_counter_is_seen_by_what_lies_below() -> None:
    before = buffer(1, TOKEN).events
    assert compare_credits(1, buffer(1, BLOCKED), before) == Restarted()
    assert compare_credits(1, buffer(2, BLOCKED, BLOCKED), before) == Restarted()
    assert compare_credits(1, buffer(2, BLOCKED, TOKEN), before) == Events((BLOCKED,))


def test_without_what_lay_below_an_empty_place_tells_it() -> None:
    assert compare_credits(254, buffer(1, TOKEN)) == Restarted()
    assert compare_credits(254, buffer(1, TOKEN, BLOCKED)) == Events((BLOCKED, TOKEN))


@given(st.lists(st.lists(st.sampled_from((TOKEN, BLOCKED)), max_size=9), max_size=80))
def test_read_after_every_batch_all_is_counted_or_an_overrun_is_told(
    batches: list[list[CoinEvent]],
) -> None:
    mark, counter, kept = 0, 0, buffer(0).events
    for batch in batches:
        known = kept
        for event in batch:
            counter = counter % 255 + 1
            kept = (event, *kept[:-1])
        news = compare_credits(mark, CreditBuffer(counter, kept), known)
        expected = Events(tuple(batch)) if len(batch) <= BUFFERED else Overrun(len(batch))
        assert news == expected
        mark = counter

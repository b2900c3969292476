"""What a session to a board counts and keeps for whoever looks after it."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.host_speech import StandingWant
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.memory_line import WireFaults
from tests.firmware_bridge.board_session.rig import Rig
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

SILENT = WireFaults(silent=True)


def frame_types(rig: Rig) -> list[str]:
    """The last frames by their first letters: who sent it, and the message's type."""
    types = {0x01: "HELLO", 0x02: "WANT", 0x81: "IDENTITY", 0x82: "STATE"}
    return [types[seen.raw.strip(b"\0")[1]] for seen in rig.session.trace.last(32)]


def test_a_quiet_link_asks_nothing_again(rig: Rig) -> None:
    rig.run_for(600)
    figures = rig.session.statistics
    assert (figures.retries, figures.boots, figures.connections) == (0, 0, 1)
    assert rig.session.trace.bad == 0


def test_a_board_at_rest_is_told_again_when_it_reports(rig: Rig) -> None:
    """Nothing wakes the host only to tell it."""
    rig.want(1)
    rig.run_for(3)
    wants, states = (
        [round(seen.ago_s, 6) for seen in rig.session.trace.last(12) if seen.sent is host]
        for host in (True, False)
    )
    assert wants == states
    assert {round(before - after, 6) for before, after in pairwise(wants)} == {0.3}
    assert rig.session.statistics.retries == 0


def test_a_board_that_is_not_heard_is_told_three_times_before_its_watchdog_fires(rig: Rig) -> None:
    """Two of them may be lost."""
    figures = rig.session.statistics
    heard = figures.received.frames
    while figures.received.frames == heard:
        rig.run_for(0.001)
    rig.end.inject(to_host=SILENT)
    sent = figures.sent
    rig.run_for(0.99)
    assert (figures.sent, figures.connections) == (sent + 3, 1)
    assert rig.firmware.attended


def test_a_chattering_sensor_makes_the_host_say_no_more_than_ten_wants_a_second(rig: Rig) -> None:
    rig.run_for(1)
    sent = rig.session.statistics.sent
    for _ in range(100):
        rig.drop_token(1)
        rig.run_for(0.01)
    assert rig.session.statistics.sent <= sent + 10


def test_a_want_that_is_not_applied_is_counted_again_every_100_ms(rig: Rig) -> None:
    rig.end.inject(to_device=SILENT)
    rig.want(1)
    rig.run_for(0.35)
    assert rig.session.statistics.retries == 3


def test_a_hello_without_an_answer_is_counted_again_every_200_ms(idle_rig: Rig) -> None:
    idle_rig.board.power_off()
    idle_rig.session.start()
    idle_rig.run_for(0.9)
    assert idle_rig.session.statistics.retries == 4


def test_what_the_line_refuses_is_not_kept(rig: Rig) -> None:
    before = len(frame_types(rig))
    rig.end.unplug()
    rig.run_for(0.01)
    rig.session._speech.send(b"\x02\x02\0", 0.0)
    assert len(frame_types(rig)) == before
    assert rig.session.statistics.refused == 1


def test_a_connection_begins_with_these_frames(rig: Rig) -> None:
    assert frame_types(rig)[:2] == ["HELLO", "IDENTITY"]
    assert set(frame_types(rig)[2:]) == {"WANT", "STATE"}


def test_each_boot_is_counted_and_a_reconnection_is_none(rig: Rig) -> None:
    rig.end.unplug()
    rig.run_for(2)
    rig.end.plug()
    rig.run_for(2)
    assert (rig.session.statistics.connections, rig.session.statistics.boots) == (2, 0)
    for _ in range(3):
        rig.reboot()
        rig.run_for(1)
    assert (rig.session.statistics.connections, rig.session.statistics.boots) == (5, 3)


def test_another_board_counts_as_one_that_has_booted(rig: Rig) -> None:
    rig.exchange(RailFirmware(BoardKind.SLOT_RAIL, 0xABC))
    rig.run_for(1)
    assert rig.session.statistics.boots == 1


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (b"garbage\0", b"garbage"),
        (b"\x01\x02\x03", b"\x01\x02\x03"),  # no COBS
        (encode(b"good")[:-2] + b"\x7f", encode(b"good")[:-2] + b"\x7f"),  # wrong checksum
        (b"\x01" * 400, b"\x01" * 300),  # no end
    ],
)
def test_bad_frames_are_kept_as_they_came(rig: Rig, raw: bytes, kept: bytes) -> None:
    rig.end.send(raw + b"\0")
    rig.run_for(0.001)
    bad = [seen for seen in rig.session.trace.last(32) if not seen.good]
    assert [seen.raw for seen in bad] == [kept]
    assert rig.session.trace.bad == rig.session.statistics.received.bad == 1


def test_a_frame_in_pieces_is_kept_in_one(idle_rig: Rig) -> None:
    idle_rig.end.inject(to_host=WireFaults(byte_at_a_time=True))
    idle_rig.session.start()
    idle_rig.run_for(0.05)
    assert frame_types(idle_rig)[:2] == ["HELLO", "IDENTITY"]
    assert all(seen.good for seen in idle_rig.session.trace.last(32))


def test_what_was_kept_outlives_the_session(make_rig: Callable[[], Rig]) -> None:
    rig = make_rig()
    rig.session.start()
    rig.run_for(0.05)
    rig.session.close()
    assert frame_types(rig)


def test_only_numbers_of_this_connection_have_been_told_since_it_began() -> None:
    want = StandingWant(b"")
    want.number = 0xFFFD
    want.renew(1.0)
    want.begin_connection()
    assert (want.number, want.unapplied_since) == (0xFFFE, 1.0)
    for _ in range(3):
        want.renew(2.0)
    assert want.number == 2, "0 means no WANT"
    known = [
        number for number in (0xFFFD, 0xFFFE, 0xFFFF, 0, 1, 2, 3) if is_told_apart(want, number)
    ]
    assert known == [0xFFFE, 0xFFFF, 1, 2]


def is_told_apart(want: StandingWant, number: int) -> bool:
    return want.is_of_this_connection(number)

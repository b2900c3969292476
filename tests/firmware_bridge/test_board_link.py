"""The link and the reference board: found, ordered, lost, found again."""

from collections.abc import Callable

import pytest

from firmware_bridge.board_protocol import (
    BoardKind,
    Hello,
    Identity,
    MessageType,
    ProtocolError,
    State,
    Want,
)
from firmware_bridge.framing import Deframer, encode
from firmware_bridge.memory_line import WireFaults
from firmware_bridge.rail_firmware import RailFirmware
from firmware_bridge.rail_messages import RailState, RailWant
from tests.firmware_bridge.rig import PoweredBoard, Rig

SILENT = WireFaults(silent=True)


def as_version_2(data: bytes) -> bytes:
    for payload in Deframer().feed(data):
        if payload[0] == MessageType.HELLO:
            session = Hello.from_bytes(payload).session
            return encode(Identity(1, 1, session, version=2).to_bytes() + b"more")
    return b""


def stated(number: int, boot: int, applied: int = 0, tray: int = 0) -> bytes:
    return State(number, boot, applied, body=RailState(tray=tray).to_bytes()).to_bytes()


def test_the_board_is_found_and_its_outputs_are_written(rig: Rig) -> None:
    assert rig.owner.told == ["up", "settled"]
    assert rig.owner.identity is not None
    assert rig.owner.identity.serial == "RAIL-007"


def test_orders_given_before_are_written_when_it_is_found(cabled: Rig) -> None:
    rig = cabled
    rig.want(0x2AAA, 0, 0)
    rig.link.start()
    rig.run_for(0.05)
    assert rig.firmware.lamps == 0x2AAA


def test_an_order_is_carried_out_at_once(rig: Rig) -> None:
    rig.want(0x1555, 0b1, 1)
    rig.run_for(0.006)
    assert (rig.firmware.lamps, rig.firmware.gates) == (0x1555, 1)
    assert rig.owner.last.gates == 1


def test_a_token_that_drops_is_counted_and_the_gate_stays_closed(rig: Rig) -> None:
    rig.want(0, 0b100, 1)
    rig.run_for(0.02)
    rig.drop_token(3)
    rig.run_for(5)
    assert rig.owner.last.drops == (0, 0, 1, 0, 0, 0, 0)
    assert rig.firmware.gates == 0


def test_the_same_order_again_is_not_sent(rig: Rig) -> None:
    rig.want(1, 0, 0)
    rig.run_for(0.01)
    sent = rig.link.statistics.sent
    rig.want(1, 0, 0)
    assert rig.link.statistics.sent == sent


def test_an_order_that_cannot_be_expressed_is_refused(rig: Rig) -> None:
    with pytest.raises(ProtocolError, match="gates without a turn"):
        rig.want(0, 1, 0)


def test_a_quiet_hour_is_kept_alive_by_both_sides(rig: Rig) -> None:
    rig.run_for(3600)
    assert rig.owner.told == ["up", "settled"]
    assert rig.link.statistics.sent == pytest.approx(12_000, abs=20)
    assert rig.link.statistics.received.frames == pytest.approx(12_000, abs=20)
    assert len(rig.owner.states) == 1, "nothing has changed"


def test_a_board_that_falls_silent_is_lost_after_1_s(rig: Rig) -> None:
    rig.run_for(0.4)
    before = len(rig.owner.states)
    rig.end.inject(to_host=SILENT)
    rig.run_for(0.99 - 0.4)
    assert rig.owner.told == ["up", "settled"]
    rig.run_for(0.45)
    assert rig.owner.told[2:] == ["lost: silent for 1 s"]
    assert len(rig.owner.states) == before
    rig.end.inject()
    rig.run_for(0.5)
    assert rig.owner.told[3:] == ["up", "settled"]


def test_a_board_that_hears_nothing_says_so_and_is_lost(rig: Rig) -> None:
    rig.want(0x3FFF, 1, 1)
    rig.run_for(0.2)
    rig.end.inject(to_device=SILENT)
    rig.run_for(1.01)
    assert (rig.firmware.lamps, rig.firmware.gates) == (0, 0)
    assert rig.owner.told[2:] == ["lost: the board has not heard the host for 1 s"]
    rig.end.inject()
    rig.run_for(0.3)
    assert rig.owner.told[3:] == ["up", "settled"]
    assert rig.firmware.lamps == 0x3FFF
    assert rig.firmware.gates == 0, "turn 1 has been served"


def test_a_pulled_plug_is_lost_after_1_s_and_back_soon(rig: Rig) -> None:
    rig.end.unplug()
    rig.run_for(0.5)
    assert rig.owner.told == ["up", "settled"]
    rig.run_for(3600)
    assert rig.owner.told[2:] == ["lost: unplugged"]
    rig.drop_token(2)
    rig.end.plug()
    rig.run_for(0.5)
    assert rig.owner.told[3:] == ["up", "settled"]
    assert rig.owner.last.drops[1] == 1


def test_a_plug_out_for_half_a_second_is_no_loss(rig: Rig) -> None:
    rig.end.unplug()
    rig.run_for(0.5)
    rig.end.plug()
    rig.run_for(1.5)
    assert rig.owner.told == ["up", "settled", "up", "settled"]


def test_nobody_at_start_is_lost_after_1_s(cabled: Rig) -> None:
    rig = cabled
    rig.board.power_off()
    rig.link.start()
    rig.run_for(0.99)
    assert rig.owner.told == []
    rig.run_for(60)
    assert rig.owner.told == ["lost: nobody answers"]
    rig.board = PoweredBoard(rig.loop, rig.end, rig.firmware)
    rig.run_for(1)
    assert rig.owner.told[1:] == ["up", "settled"]


def test_the_wrong_kind_is_named_and_asked_again(make_rig: Callable[[BoardKind], Rig]) -> None:
    rig = make_rig(BoardKind.SENSOR_RAIL)
    rig.link.start()
    rig.run_for(30)
    assert rig.owner.told == ["lost: the board is of kind 2, kind 1 (SLOT_RAIL) is expected"]
    rig.reboot()
    rig.run_for(0.3)
    assert rig.owner.told[1:] == ["up", "settled"]


def test_another_version_is_named(cabled: Rig) -> None:
    rig = cabled
    rig.board.power_off()
    rig.end.on_received = lambda data: rig.end.send(as_version_2(data))
    rig.link.start()
    rig.run_for(2)
    assert rig.owner.told == ["lost: the board speaks version 2, this host version 1"]


def test_a_board_with_other_seats_is_named(cabled: Rig) -> None:
    def answer(data: bytes) -> None:
        for payload in Deframer().feed(data):
            session = Hello.from_bytes(payload).session
            cabled.end.send(encode(Identity(1, 1, session, seats=5).to_bytes()))

    cabled.board.power_off()
    cabled.end.on_received = answer
    cabled.link.start()
    cabled.run_for(2)
    assert cabled.owner.told == ["lost: the board has 5 seats, 7 are expected"]


def test_another_wrong_board_is_named_as_well(make_rig: Callable[[BoardKind], Rig]) -> None:
    rig = make_rig(BoardKind.SENSOR_RAIL)
    rig.link.start()
    rig.run_for(2)
    rig.board.power_off()
    rig.end.on_received = lambda data: rig.end.send(as_version_2(data))
    rig.run_for(5)
    assert [why[:16] for why in rig.owner.told] == ["lost: the board "] * 2
    assert rig.owner.told[1].endswith("speaks version 2, this host version 1")


def test_the_identity_of_another_session_is_not_ours(cabled: Rig) -> None:
    cabled.board.power_off()
    cabled.link.start()
    cabled.run_for(0.01)
    cabled.end.send(encode(Identity(BoardKind.SLOT_RAIL, 1, session=0).to_bytes()))
    cabled.run_for(0.01)
    assert cabled.owner.told == []
    assert cabled.link.statistics.unasked == 1


def test_a_port_on_which_nobody_answers_is_opened_anew(cabled: Rig) -> None:
    """Each opening has a session of its own."""
    cabled.board.power_off()
    sessions = list[int]()
    cabled.end.on_received = lambda data: sessions.extend(
        Hello.from_bytes(payload).session for payload in Deframer().feed(data)
    )
    cabled.link.start()
    cabled.run_for(2.9)
    assert len(set(sessions)) == 1
    cabled.run_for(3)
    assert len(set(sessions)) == 2


def test_half_a_frame_does_not_outlive_its_connection(rig: Rig) -> None:
    rig.end.send(b"\x09half")
    rig.run_for(0.01)
    rig.end.unplug()
    rig.run_for(0.01)
    rig.end.plug()
    rig.run_for(0.5)
    assert rig.link.statistics.received.bad == 0


def test_a_state_from_before_the_first_want_is_not_believed(cabled: Rig) -> None:
    cabled.end.inject(to_device=SILENT)
    cabled.link.start()
    cabled.run_for(0.01)
    cabled.board.power_off()
    session, sent = cabled.link._session, cabled.link._want.number + 1
    boot = cabled.firmware.boot
    cabled.end.send(encode(Identity(BoardKind.SLOT_RAIL, boot, session).to_bytes()))
    for number, applied in enumerate((0, sent + 8, sent - 2, sent ^ 0x8000), start=1):
        cabled.end.send(encode(stated(number, boot, applied % 0x10000)))
        cabled.run_for(0.01)
    assert (cabled.owner.told, cabled.owner.states) == (["up"], [])
    cabled.end.send(encode(stated(4, boot, sent, tray=4)))
    cabled.run_for(0.01)
    assert cabled.owner.told == ["up", "settled"]
    assert [state.tray for state in cabled.owner.states] == [4]


def test_a_reboot_is_noticed_and_its_outputs_are_written_again(rig: Rig) -> None:
    rig.want(0x2AAA)
    rig.run_for(0.05)
    rig.reboot()
    rig.run_for(0.05)
    assert rig.owner.told == ["up", "settled", "up", "settled"]
    assert rig.owner.boot == 0xB0070002
    assert rig.firmware.lamps == 0x2AAA


def test_something_else_can_be_wanted_of_a_board_that_has_booted(rig: Rig) -> None:
    """What was wanted before never reaches it."""
    rig.want(0x2AAA, 0b1, 9)
    rig.run_for(0.05)
    rig.owner.on_told = lambda: rig.want(0x1555)
    rig.reboot()
    rig.run_for(0.05)
    assert rig.owner.told == ["up", "settled", "up", "settled"]
    assert (rig.firmware.lamps, rig.firmware.served) == (0x1555, [0] * 7)


def test_a_stale_state_is_a_sign_of_life_and_nothing_else(rig: Rig) -> None:
    rig.drop_token(5)
    rig.run_for(0.05)
    seen = len(rig.owner.states)
    old = stated(1, rig.firmware.boot)
    rig.board.power_off()
    for _ in range(10):
        rig.end.send(encode(old))
        rig.run_for(0.3)
    assert len(rig.owner.states) == seen
    assert rig.owner.told == ["up", "settled"]
    assert rig.link.statistics.stale == 10


def test_unknown_and_broken_messages_are_counted_and_ignored(rig: Rig) -> None:
    rig.end.send(encode(b"\x99new") + encode(b"\x82short") + b"garbage\0")
    rig.run_for(0.01)
    figures = rig.link.statistics
    assert (figures.unknown, figures.malformed, figures.received.bad) == (1, 1, 1)
    assert rig.owner.told == ["up", "settled"]


def test_a_board_that_applies_nothing_is_lost(rig: Rig) -> None:
    rig.board.power_off()
    rig.want(1, 0, 0)
    for number in range(1000, 1012):
        rig.end.send(encode(stated(number, rig.firmware.boot)))
        rig.run_for(0.1)
    assert rig.owner.told[2:] == ["lost: the board does not apply what it is told"]


def test_what_a_stranger_has_told_the_board_does_not_stay(rig: Rig) -> None:
    rig.want(0x2AAA)
    rig.run_for(1)
    said = Want(rig.link._want.number + 9, RailWant(0x1555).to_bytes())
    rig.line.send(encode(said.to_bytes()))
    rig.run_for(0.01)
    assert rig.firmware.lamps == 0x1555
    rig.run_for(2)
    assert rig.firmware.lamps == 0x2AAA
    assert rig.owner.told[2:] == ["lost: the board does not apply what it is told", "up", "settled"]


def test_a_session_begun_by_a_stranger_costs_100_ms(rig: Rig) -> None:
    rig.want(0x2AAA, 1, 1)
    rig.run_for(0.31)
    sent = rig.link.statistics.sent
    rig.line.send(encode(Hello(0xBAD).to_bytes()))
    rig.run_for(0.12)
    assert rig.link.statistics.sent == sent + 1
    assert rig.link._want.unapplied_since is None
    assert rig.owner.told == ["up", "settled"]


def test_the_round_trip_is_measured(rig: Rig) -> None:
    rig.end.inject(to_device=SILENT)
    rig.want(1, 0, 0)
    rig.run_for(0.15)
    rig.end.inject()
    rig.run_for(0.1)
    figures = rig.link.statistics
    assert figures.round_trips.last_ms == pytest.approx(200)
    assert figures.round_trips.count == 2
    assert figures.round_trips.mean_ms == pytest.approx(102.5)


def test_a_closed_link_is_silent(cabled: Rig) -> None:
    rig = cabled
    rig.link.start()
    rig.run_for(0.1)
    rig.link.close()
    told, sent = list(rig.owner.told), rig.link.statistics.sent
    rig.run_for(10)
    assert (rig.owner.told, rig.link.statistics.sent) == (told, sent)
    assert not rig.firmware.attended


@pytest.mark.parametrize("seed", range(6))
def test_on_a_bad_wire_the_counters_agree_in_the_end(cabled: Rig, seed: int) -> None:
    rig = cabled
    to_host, to_device = (
        WireFaults(drop=0.2, repeat=0.2, cut=0.05, garbage=0.1, byte_at_a_time=way, seed=seed + way)
        for way in (False, True)
    )
    rig.end.inject(to_host=to_host, to_device=to_device)
    rig.link.start()
    opened = 0
    for turn in range(1, 101):
        opened += turn_served(rig, turn)
    rig.end.inject()
    rig.run_for(3)
    assert rig.owner.last.drops == tuple(rig.firmware.drops)
    assert rig.owner.last.tray == rig.firmware.tray == opened
    assert 60 < opened <= 100
    counted = [state.tray for state in rig.owner.states]
    assert counted == sorted(counted)


def turn_served(rig: Rig, turn: int) -> int:
    """How many tokens drop in a turn: none if the wire was dead for half a second, never two."""
    seat = turn % 7 + 1
    rig.want(turn, 1 << (seat - 1), turn)
    fell = 0
    for _ in range(50):
        rig.run_for(0.01)
        if rig.firmware.gates:
            assert rig.firmware.gates == 1 << (seat - 1)
            fell += 1
            rig.firmware.tray_passed()
            rig.drop_token(seat)
    assert fell <= 1
    return fell


def test_the_board_outlives_the_host(rig: Rig, make_rig: Callable[[], Rig]) -> None:
    rig.drop_token(1)
    rig.run_for(0.01)
    rig.link.close()
    boot, drops = rig.firmware.boot, rig.firmware.drops
    other = make_rig()
    other.exchange(RailFirmware(BoardKind.SLOT_RAIL, boot, drops=drops, tray=4))
    other.link.start()
    other.run_for(0.1)
    assert other.owner.boot == boot
    assert (other.owner.last.drops[0], other.owner.last.tray) == (1, 4)

"""The session and the reference board: lost, and found again."""

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import Hello
from tests.firmware_bridge.board_session.quiet_boards import SILENT, make_state
from tests.firmware_bridge.board_session.rig import PoweredBoard, Rig


def test_a_board_that_falls_silent_is_lost_after_1_s(rig: Rig) -> None:
    rig.run_for(0.4)
    before = len(rig.owner.states)
    rig.end.inject(to_host=SILENT)
    rig.run_for(0.99 - 0.4)
    assert rig.owner.events == ["up", "settled"]
    rig.run_for(0.45)
    assert rig.owner.events[2:] == ["lost: silent for 1 s"]
    assert len(rig.owner.states) == before
    rig.end.inject()
    rig.run_for(0.5)
    assert rig.owner.events[3:] == ["up", "settled"]


def test_a_board_that_hears_nothing_says_so_and_is_lost(rig: Rig) -> None:
    rig.want(0x3FFF, 1, 1)
    rig.run_for(0.2)
    rig.end.inject(to_device=SILENT)
    rig.run_for(1.01)
    assert (rig.firmware.lamps, rig.firmware.gates) == (0, 0)
    assert rig.owner.events[2:] == ["lost: the board has not heard the host for 1 s"]
    rig.end.inject()
    rig.run_for(0.3)
    assert rig.owner.events[3:] == ["up", "settled"]
    assert rig.firmware.lamps == 0x3FFF
    assert rig.firmware.gates == 0, "turn 1 has been served"


def test_a_pulled_plug_is_lost_after_1_s_and_back_soon(rig: Rig) -> None:
    rig.end.unplug()
    rig.run_for(0.5)
    assert rig.owner.events == ["up", "settled"]
    rig.run_for(3600)
    assert rig.owner.events[2:] == ["lost: unplugged"]
    rig.drop_token(2)
    rig.end.plug()
    rig.run_for(0.5)
    assert rig.owner.events[3:] == ["up", "settled"]
    assert rig.owner.last.drops[1] == 1


def test_a_plug_out_for_half_a_second_is_no_loss(rig: Rig) -> None:
    rig.end.unplug()
    rig.run_for(0.5)
    rig.end.plug()
    rig.run_for(1.5)
    assert rig.owner.events == ["up", "settled", "up", "settled"]


def test_nobody_at_start_is_lost_after_1_s(idle_rig: Rig) -> None:
    rig = idle_rig
    rig.board.power_off()
    rig.session.start()
    rig.run_for(0.99)
    assert rig.owner.events == []
    rig.run_for(60)
    assert rig.owner.events == ["lost: nobody answers"]
    rig.board = PoweredBoard(rig.loop, rig.end, rig.firmware)
    rig.run_for(1)
    assert rig.owner.events[1:] == ["up", "settled"]


def test_a_port_on_which_nobody_answers_is_opened_anew(idle_rig: Rig) -> None:
    """Each opening has a session of its own."""
    idle_rig.board.power_off()
    sessions = list[int]()
    idle_rig.end.on_received = lambda data: sessions.extend(
        Hello.from_bytes(payload).session for payload in Deframer().feed(data)
    )
    idle_rig.session.start()
    idle_rig.run_for(2.9)
    assert len(set(sessions)) == 1
    idle_rig.run_for(3)
    assert len(set(sessions)) == 2


def test_half_a_frame_does_not_outlive_its_connection(rig: Rig) -> None:
    rig.end.send(b"\x09half")
    rig.run_for(0.01)
    rig.end.unplug()
    rig.run_for(0.01)
    rig.end.plug()
    rig.run_for(0.5)
    assert rig.session.statistics.received.bad == 0


def test_a_board_that_applies_nothing_is_lost(rig: Rig) -> None:
    rig.board.power_off()
    rig.want(1, 0, 0)
    for number in range(1000, 1012):
        rig.end.send(encode(make_state(number, rig.firmware.boot)))
        rig.run_for(0.1)
    assert rig.owner.events[2:] == ["lost: the board does not apply what it is told"]

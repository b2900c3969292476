"""The session on a line where two boards speak, or one that restarts without end."""

from collections.abc import Callable

import pytest

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import BoardKind, Identity, MessageType, State, Want
from firmware_bridge.board_session.rail_messages import RailState
from tests.firmware_bridge.board_session.rig import FIRST_BOOT, Rig, SecondBoard
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

SLOT, SENSOR = BoardKind.SLOT_RAIL, BoardKind.SENSOR_RAIL


OTHERS = {
    "another boot number": RailFirmware(SLOT, 0xB0070999, serial="RAIL-008"),
    "the same boot number": RailFirmware(SLOT, FIRST_BOOT, serial="RAIL-008"),
    "another kind": RailFirmware(SENSOR, 0xB0070999, serial="RAIL-008"),
}


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest) -> RailFirmware:
    made = OTHERS[request.param]
    return RailFirmware(BoardKind(made.kind), made.boot, serial=made.serial)


def describe(other: RailFirmware) -> str:
    names = f"RAIL-007 (kind 1) and RAIL-008 (kind {other.kind:d})"
    return f"lost: two boards answer on this line: {names}"


def test_two_boards_on_one_line_are_a_lost_board_and_named(
    idle_rig: Rig, other: RailFirmware
) -> None:
    SecondBoard(idle_rig.loop, idle_rig.end, other)
    idle_rig.session.start()
    idle_rig.run_for(3)
    assert idle_rig.owner.events[-1] == describe(other)
    assert idle_rig.session.statistics.connections <= 4
    assert idle_rig.session.statistics.restless
    events, sent = len(idle_rig.owner.events), idle_rig.session.statistics.sent
    idle_rig.run_for(60)
    assert len(idle_rig.owner.events) == events, "it is told once"
    assert idle_rig.session.statistics.sent - sent <= 40


def test_a_second_board_that_is_plugged_in_during_play_is_noticed(rig: Rig) -> None:
    rig.want(0x2AAA, 0b1, 1)
    rig.run_for(0.1)
    second = SecondBoard(rig.loop, rig.end, RailFirmware(SLOT, 0xB0070999, serial="RAIL-008"))
    rig.run_for(1)
    assert rig.owner.events[-1].startswith("lost: two boards answer")
    rig.run_for(2)
    assert (rig.firmware.lamps, rig.firmware.gates) == (0, 0), "the host's silence darkens it"
    second.remove()
    rig.run_for(5)
    assert rig.owner.events[-2:] == ["up", "settled"]
    assert rig.firmware.lamps == 0x2AAA
    assert not rig.session.statistics.restless


def test_the_board_that_is_left_may_be_either(idle_rig: Rig, other: RailFirmware) -> None:
    second = SecondBoard(idle_rig.loop, idle_rig.end, other)
    idle_rig.session.start()
    idle_rig.run_for(10)
    second.remove()
    idle_rig.run_for(5)
    assert idle_rig.owner.events[-2:] == ["up", "settled"]
    assert idle_rig.owner.identity is not None
    assert idle_rig.owner.identity.serial == "RAIL-007"


def restart(rig: Rig) -> None:
    rig.exchange(RailFirmware(SLOT, rig.firmware.boot + 1, serial="RAIL-007"))
    rig.run_for(0.1)


def test_a_board_that_restarts_without_end_is_lost_until_it_stays(rig: Rig) -> None:
    for _ in range(30):
        restart(rig)
    assert rig.owner.events.count("up") <= 4
    assert rig.owner.events[-1].startswith("lost: found anew more than 3 times within 3 s")
    rig.run_for(5)
    assert rig.owner.events[-2:] == ["up", "settled"]


def test_a_board_that_restarts_three_times_is_found_each_time(rig: Rig) -> None:
    for _ in range(3):
        restart(rig)
    assert rig.owner.events == ["up", "settled"] * 4


def test_a_board_that_says_again_and_again_that_it_is_unattended(rig: Rig) -> None:
    rig.board.power_off()
    sent = 0

    def answer(data: bytes) -> None:
        nonlocal sent
        for payload in Deframer().feed(data):
            sent += 1
            if payload[0] == MessageType.HELLO:
                session = int.from_bytes(payload[2:6], "little")
                rig.end.send(encode(Identity(SLOT, FIRST_BOOT, session).to_bytes()))
            else:
                applied = Want.from_bytes(payload).number
                for unattended in (False, True):
                    number = (2 * sent + unattended) % 0x10000
                    state = State(number, FIRST_BOOT, applied, unattended, RailState().to_bytes())
                    rig.end.send(encode(state.to_bytes()))

    rig.end.on_received = answer
    rig.run_for(60)
    assert rig.owner.events[2].startswith("lost: ")
    assert len(rig.owner.events) < 4 * 60


def test_two_wrong_boards_are_told_once(make_rig: Callable[[BoardKind], Rig]) -> None:
    rig = make_rig(SENSOR)
    SecondBoard(
        rig.loop, rig.end, RailFirmware(BoardKind.CCTALK_SLOTS, 0xB0070999, serial="RAIL-008")
    )
    rig.session.start()
    rig.run_for(60)
    assert len(rig.owner.events) <= 2
    assert rig.owner.events[-1].startswith("lost: two boards answer on this line: ")

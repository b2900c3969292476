"""The session and what it is told: who is no board of ours, and what of a board is not believed."""

from collections.abc import Callable

from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import BoardKind, Hello, Identity, MessageType, Want
from firmware_bridge.board_session.rail_messages import RailWant
from tests.firmware_bridge.board_session.quiet_boards import SILENT, make_state
from tests.firmware_bridge.board_session.rig import Rig


def as_version_2(data: bytes) -> bytes:
    for payload in Deframer().feed(data):
        if payload[0] == MessageType.HELLO:
            session = Hello.from_bytes(payload).session
            return encode(Identity(1, 1, session, version=2).to_bytes() + b"more")
    return b""


def test_the_wrong_kind_is_named_and_asked_again(make_rig: Callable[[BoardKind], Rig]) -> None:
    rig = make_rig(BoardKind.SENSOR_RAIL)
    rig.session.start()
    rig.run_for(30)
    assert rig.owner.events == ["lost: the board is of kind 2, kind 1 (SLOT_RAIL) is expected"]
    rig.reboot()
    rig.run_for(0.3)
    assert rig.owner.events[1:] == ["up", "settled"]


def test_another_version_is_named(idle_rig: Rig) -> None:
    rig = idle_rig
    rig.board.power_off()
    rig.end.on_received = lambda data: rig.end.send(as_version_2(data))
    rig.session.start()
    rig.run_for(2)
    assert rig.owner.events == ["lost: the board speaks version 2, this host version 1"]


def test_a_board_with_other_seats_is_named(idle_rig: Rig) -> None:
    def answer(data: bytes) -> None:
        for payload in Deframer().feed(data):
            session = Hello.from_bytes(payload).session
            idle_rig.end.send(encode(Identity(1, 1, session, seats=5).to_bytes()))

    idle_rig.board.power_off()
    idle_rig.end.on_received = answer
    idle_rig.session.start()
    idle_rig.run_for(2)
    assert idle_rig.owner.events == ["lost: the board has 5 seats, 7 are expected"]


def test_another_wrong_board_is_named_as_well(make_rig: Callable[[BoardKind], Rig]) -> None:
    rig = make_rig(BoardKind.SENSOR_RAIL)
    rig.session.start()
    rig.run_for(2)
    rig.board.power_off()
    rig.end.on_received = lambda data: rig.end.send(as_version_2(data))
    rig.run_for(5)
    assert [why[:16] for why in rig.owner.events] == ["lost: the board "] * 2
    assert rig.owner.events[1].endswith("speaks version 2, this host version 1")


def test_the_identity_of_another_session_is_not_ours(idle_rig: Rig) -> None:
    idle_rig.board.power_off()
    idle_rig.session.start()
    idle_rig.run_for(0.01)
    idle_rig.end.send(encode(Identity(BoardKind.SLOT_RAIL, 1, session=0).to_bytes()))
    idle_rig.run_for(0.01)
    assert idle_rig.owner.events == []
    assert idle_rig.session.statistics.received.frames == 1


def test_a_state_from_before_the_first_want_is_not_believed(idle_rig: Rig) -> None:
    idle_rig.end.inject(to_device=SILENT)
    idle_rig.session.start()
    idle_rig.run_for(0.01)
    idle_rig.board.power_off()
    session, sent = idle_rig.session._speech.hello.session, idle_rig.session._speech.want.number + 1
    boot = idle_rig.firmware.boot
    idle_rig.end.send(encode(Identity(BoardKind.SLOT_RAIL, boot, session).to_bytes()))
    for number, applied in enumerate((0, sent + 8, sent - 2, sent ^ 0x8000), start=1):
        idle_rig.end.send(encode(make_state(number, boot, applied % 0x10000)))
        idle_rig.run_for(0.01)
    assert (idle_rig.owner.events, idle_rig.owner.states) == (["up"], [])
    idle_rig.end.send(encode(make_state(4, boot, sent, tray=4)))
    idle_rig.run_for(0.01)
    assert idle_rig.owner.events == ["up", "settled"]
    assert [state.tray for state in idle_rig.owner.states] == [4]


def test_a_stale_state_is_a_sign_of_life_and_nothing_else(rig: Rig) -> None:
    rig.drop_token(5)
    rig.run_for(0.05)
    seen = len(rig.owner.states)
    old = make_state(1, rig.firmware.boot)
    rig.board.power_off()
    for _ in range(10):
        rig.end.send(encode(old))
        rig.run_for(0.3)
    assert len(rig.owner.states) == seen
    assert rig.owner.events == ["up", "settled"]


def test_unknown_and_broken_messages_are_counted_and_ignored(rig: Rig) -> None:
    rig.end.send(encode(b"\x99new") + encode(b"\x82short") + b"garbage\0")
    rig.run_for(0.01)
    figures = rig.session.statistics
    assert (figures.unknown, figures.malformed, figures.received.bad) == (1, 1, 1)
    assert rig.owner.events == ["up", "settled"]


def test_what_a_stranger_has_told_the_board_does_not_stay(rig: Rig) -> None:
    rig.want(0x2AAA)
    rig.run_for(1)
    want = Want(rig.session._speech.want.number + 9, RailWant(0x1555).to_bytes())
    rig.line.send(encode(want.to_bytes()))
    rig.run_for(0.01)
    assert rig.firmware.lamps == 0x1555
    rig.run_for(2)
    assert rig.firmware.lamps == 0x2AAA
    assert rig.owner.events[2:] == [
        "lost: the board does not apply what it is told",
        "up",
        "settled",
    ]


def test_a_session_begun_by_a_stranger_costs_100_ms(rig: Rig) -> None:
    rig.want(0x2AAA, 1, 1)
    rig.run_for(0.31)
    sent = rig.session.statistics.sent
    rig.line.send(encode(Hello(0xBAD).to_bytes()))
    rig.run_for(0.12)
    assert rig.session.statistics.sent == sent + 1
    assert rig.session._speech.want.unapplied_since is None
    assert rig.owner.events == ["up", "settled"]

"""A session that holds its board's key: what is recorded or invented on the wire is nothing."""

from collections.abc import Callable

import pytest

from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.host_speech import NO_PROOF
from firmware_bridge.board_session.protocol import BoardKind, Hello, Identity, KeyAnswer, State
from firmware_bridge.board_session.rail_messages import RailState
from firmware_bridge.board_session.session_key import UNPROVEN, BoardKey
from firmware_bridge.board_session.words import describe_frame
from firmware_bridge.memory_line import WireFaults
from tests.firmware_bridge.board_session.rig import FIRST_BOOT, Rig, SecondBoard
from tests.firmware_bridge.reference.firmware import BoardSecrets
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

KEY = b"the board's key "
OTHER_KEY = b"another table's "
LIT = 0x2AAA


def record(rig: Rig, *, sent: bool) -> list[bytes]:
    """The last frames of one direction as they were on the wire."""
    return [frame.raw for frame in rig.session.trace.last(32) if frame.sent is sent]


@pytest.fixture
def rig(make_rig: Callable[..., Rig]) -> Rig:
    """A board that has proved its key, and is lit."""
    rig = make_rig(key=KEY)
    rig.session.start()
    rig.run_for(0.05)
    rig.want(LIT)
    rig.run_for(0.5)
    return rig


def test_a_board_with_the_key_is_found_and_obeys(rig: Rig) -> None:
    assert rig.owner.events == ["up", "settled"]
    assert rig.firmware.lamps == LIT
    rig.drop_token(3)
    rig.run_for(0.1)
    assert rig.owner.last.drops[2] == 1
    rig.run_for(3600)
    assert rig.owner.events == ["up", "settled"]
    assert rig.session.statistics.unproven == 0


@pytest.mark.parametrize(
    ("secrets", "why"),
    [
        (None, "the board speaks version 1, this host version 2"),
        (BoardSecrets(None), UNPROVEN),
        (BoardSecrets(OTHER_KEY), UNPROVEN),
    ],
    ids=["version 1", "no key", "another key"],
)
def test_a_board_without_it_is_not_connected(
    make_rig: Callable[..., Rig], secrets: BoardSecrets | None, why: str
) -> None:
    rig = make_rig(key=KEY)
    rig.firmware.secrets = secrets
    rig.session.start()
    rig.run_for(10)
    assert rig.owner.events == ["unproven: RAIL-007", f"lost: {why}"]
    assert rig.owner.states == []


def test_a_host_without_the_key_does_not_move_a_board_that_has_one(
    make_rig: Callable[..., Rig],
) -> None:
    rig = make_rig()
    rig.firmware.secrets = BoardSecrets(KEY)
    rig.session.start()
    rig.want(LIT)
    rig.run_for(3)
    assert rig.owner.events == ["lost: the board speaks version 2, this host version 1"]
    assert (rig.firmware.lamps, rig.firmware.attended) == (0, False)


def test_an_exchanged_board_that_repeats_what_it_heard_is_lost(rig: Rig) -> None:
    recorded = []
    rig.firmware.note_change()
    send = rig.end.send
    for count in range(20):
        state = State(count, FIRST_BOOT, 1, body=RailState(occupied=1).to_bytes()).to_bytes()
        recorded.append(encode(state + NO_PROOF))
    rig.board.power_off()
    states = len(rig.owner.states)
    for frame in recorded:
        send(frame)
        rig.run_for(0.1)
    assert rig.owner.events == ["up", "settled", "lost: silent for 1 s"]
    assert len(rig.owner.states) == states
    assert rig.session.statistics.unproven > 0


def test_every_recorded_frame_of_the_board_is_nothing_in_this_connection(rig: Rig) -> None:
    rig.drop_token(3)
    rig.run_for(3)
    recorded, states = record(rig, sent=False), len(rig.owner.states)
    assert len(recorded) > 5
    for frame in recorded:
        rig.end.send(frame + b"\0")
        rig.run_for(0.01)
    assert rig.owner.events == ["up", "settled"]
    assert len(rig.owner.states) == states
    assert rig.session.statistics.unproven >= len(recorded) - 1


def test_every_recorded_frame_of_the_board_is_nothing_in_the_next_connection(rig: Rig) -> None:
    recorded, states = record(rig, sent=False), len(rig.owner.states)
    rig.board.power_off()
    rig.run_for(2)
    for _ in range(50):
        for frame in recorded:
            rig.end.send(frame + b"\0")
            rig.run_for(0.02)
    assert rig.owner.events == ["up", "settled", "lost: silent for 1 s"]
    assert len(rig.owner.states) == states


def test_every_recorded_frame_of_the_host_moves_no_board(rig: Rig) -> None:
    rig.want(LIT, 1, 1)
    rig.run_for(3)
    recorded = record(rig, sent=True)
    rig.session.close()
    rig.run_for(2)
    assert (rig.firmware.attended, rig.firmware.lamps) == (False, 0)
    for _ in range(20):
        for frame in recorded:
            rig.firmware.receive(frame, rig.board.now_ms())
            rig.board.run()
            rig.run_for(0.02)
            assert (rig.firmware.attended, rig.firmware.lamps, rig.firmware.gates) == (False, 0, 0)


def test_every_wire_fault_costs_no_more_than_in_version_1(rig: Rig) -> None:
    faults = [WireFaults(drop=0.2, repeat=0.2, cut=0.1, garbage=0.1, seed=n) for n in (1, 2)]
    rig.end.inject(to_host=faults[0], to_device=faults[1])
    for turn in range(1, 31):
        rig.want(LIT, 1, turn)
        rig.run_for(0.3)
        if rig.firmware.gates:
            rig.drop_token(1)
        rig.run_for(0.1)
    rig.end.inject()
    rig.run_for(3)
    assert rig.owner.last.drops == tuple(rig.firmware.drops)
    assert rig.firmware.drops[0] >= 20


def test_a_rebooted_board_is_found_again_under_another_session_key(rig: Rig) -> None:
    after = RailFirmware(BoardKind.SLOT_RAIL, FIRST_BOOT + 1, serial="RAIL-007")
    after.secrets = BoardSecrets(KEY)
    rig.exchange(after)
    rig.run_for(0.1)
    assert rig.owner.events == ["up", "settled"] * 2
    assert rig.firmware.lamps == LIT


def test_a_key_that_is_not_confirmed_is_sent_until_the_board_proves_it(
    make_rig: Callable[..., Rig],
) -> None:
    rig = make_rig(key=KEY)
    rig.key.change(BoardKey("RAIL-007", KEY))
    rig.firmware.secrets = BoardSecrets(None)
    rig.end.inject(to_device=WireFaults(drop=0.5, seed=3))
    rig.session.start()
    rig.run_for(3)
    rig.end.inject()
    rig.run_for(1)
    assert rig.owner.events[-2:] == ["up", "settled"]
    assert rig.firmware.secrets.key == KEY
    assert rig.key.board == BoardKey("RAIL-007", KEY, confirmed=True)


@pytest.mark.parametrize(
    "board",
    [BoardKey("RAIL-007", KEY, confirmed=True), BoardKey("RAIL-008", KEY), None],
    ids=["confirmed", "another board's", "none"],
)
def test_no_other_key_is_sent(make_rig: Callable[..., Rig], board: BoardKey | None) -> None:
    rig = make_rig(key=KEY)
    rig.key.change(board)
    rig.firmware.secrets = BoardSecrets(None)
    rig.session.start()
    rig.run_for(5)
    assert rig.firmware.secrets.key is None


def test_the_trace_does_not_hold_a_key(make_rig: Callable[..., Rig]) -> None:
    rig = make_rig(key=KEY)
    rig.key.change(BoardKey("RAIL-007", KEY))
    rig.firmware.secrets = BoardSecrets(None)
    rig.session.start()
    rig.run_for(0.5)
    words = [describe_frame(raw, BoardKind.SLOT_RAIL) for raw in record(rig, sent=True)]
    assert any(word.startswith("KEY session") for word in words)
    assert rig.firmware.secrets.key == KEY
    assert not any(KEY in raw for raw in record(rig, sent=True))


def test_boards_that_are_invented_by_the_thousand_are_reported_now_and_then(rig: Rig) -> None:
    rig.board.power_off()
    rig.run_for(2)
    for count in range(3000):
        name, session = f"X{count}", rig.session._speech.hello.session
        forged = Identity(
            BoardKind.SLOT_RAIL, count, session, name, version=2, answer=KeyAnswer(1, 1)
        )
        rig.end.send(encode(forged.to_bytes()))
        rig.run_for(0.01)
    assert 2 <= sum(event.startswith("unproven") for event in rig.owner.events) <= 4


def test_invented_identities_do_not_interrupt_a_connection(rig: Rig) -> None:
    for version in (1, 2):
        session = rig.session._speech.hello.session
        forged = Identity(BoardKind.SLOT_RAIL, 1, session, "RAIL-007", version=version)
        rig.end.send(encode(forged.to_bytes()))
        rig.run_for(0.1)
    assert rig.owner.events == ["up", "settled"]
    assert rig.session.statistics.unproven == 2


def test_a_forged_hello_moves_nothing_while_a_session_runs(rig: Rig) -> None:
    for count in range(20):
        forged = Hello(count, 2, bytes([count]) * 8) if count % 2 else Hello(count)
        rig.firmware.receive(encode(forged.to_bytes()), rig.board.now_ms())
        rig.board.run()
        rig.run_for(0.1)
    assert rig.owner.events == ["up", "settled"]
    assert rig.firmware.lamps == LIT


@pytest.mark.parametrize("every_s", [0.05, 0.3])
def test_a_forged_hello_and_a_forged_state_end_no_session(rig: Rig, every_s: float) -> None:
    """The host asks again after what proves nothing, and is greeted behind the forged HELLO."""
    rig.want(LIT, 1, 1)
    for count in range(1, 6):
        forged = Hello(count, 2, bytes([count]) * 8)
        rig.firmware.receive(encode(forged.to_bytes()), rig.board.now_ms())
        rig.board.run()
        state = State(count, FIRST_BOOT, 1, body=RailState(occupied=1).to_bytes())
        rig.end.send(encode(state.to_bytes() + NO_PROOF))
        rig.run_for(every_s)
        assert rig.firmware.gates == 1
    rig.run_for(1)
    assert rig.owner.events == ["up", "settled"]


def test_a_second_board_on_the_line_is_not_believed(rig: Rig) -> None:
    states = len(rig.owner.states)
    second = RailFirmware(BoardKind.SLOT_RAIL, 77, serial="RAIL-007")
    second.secrets = BoardSecrets(OTHER_KEY)
    board = SecondBoard(rig.loop, rig.end, second)
    for seat in (1, 2, 3):
        second.count_drop(seat)
        rig.run_for(0.5)
    assert rig.owner.events == ["up", "settled"]
    assert len(rig.owner.states) == states
    assert (second.attended, second.lamps) == (False, 0)
    board.remove()

"""A coin-rail board by itself: gates once a turn, the watchdog, what it reports and when.

The firmware and the reference each pass every test.
"""

from collections.abc import Callable

import pytest

from firmware_bridge.board.rail import CcTalkSlots, Rail, SensorRail, SlotRail
from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import BoardKind, Hello, Identity, State, Want
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from tests.firmware_bridge.board_session.rig import rail_state
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

BOOT = 0xB0070001

RAILS: dict[BoardKind, type[Rail]] = {
    BoardKind.SLOT_RAIL: SlotRail,
    BoardKind.SENSOR_RAIL: SensorRail,
    BoardKind.CCTALK_SLOTS: CcTalkSlots,
}
AnyRail = Rail | RailFirmware
MakeRail = Callable[[BoardKind], AnyRail]


@pytest.fixture(params=["firmware", "reference"])
def make(request: pytest.FixtureRequest) -> MakeRail:
    """Makes a rail's board of a kind."""
    if request.param == "firmware":
        return lambda kind: RAILS[kind](BOOT)
    return lambda kind: RailFirmware(kind, BOOT)


def want(number: int, lamps: int = 0, gates: int = 0, turn: int = 0) -> Want:
    return Want(number, RailWant(lamps, gates, turn).to_bytes())


def state(number: int, applied: int = 0, *, unattended: bool = False, gates: int = 0) -> State:
    return State(number, BOOT, applied, unattended, RailState(gates=gates).to_bytes())


class Bench:
    """A board on the bench, its time in milliseconds set by hand."""

    def __init__(self, make: MakeRail, kind: BoardKind = BoardKind.SLOT_RAIL) -> None:
        self.board = make(kind)
        self.now = 0
        self.deframer = Deframer()

    def say(self, *messages: Hello | Want) -> list[bytes]:
        """Send these; the messages that come back at once."""
        for message in messages:
            self.board.receive(encode(message.to_bytes()), self.now)
        return self.listen()

    def listen(self) -> list[bytes]:
        return self.deframer.feed(self.board.advance(self.now))

    def state_at(self, now: int) -> State:
        self.now = now
        return State.from_bytes(self.listen()[-1])

    def rail_at(self, now: int) -> RailState:
        return RailState.from_bytes(self.state_at(now).body)


@pytest.fixture
def bench(make: MakeRail) -> Bench:
    """A board that has been greeted."""
    bench = Bench(make)
    bench.say(Hello(1))
    bench.now = 10
    return bench


def test_hello_is_answered_and_the_state_follows(make: MakeRail) -> None:
    identity, reported = Bench(make).say(Hello(0xCAFE))
    assert Identity.from_bytes(identity) == Identity(BoardKind.SLOT_RAIL, BOOT, 0xCAFE)
    assert State.from_bytes(reported) == state(1)


def test_before_hello_the_board_reports_and_obeys_nobody(make: MakeRail) -> None:
    bench = Bench(make)
    bench.say(want(1, 0x3FFF, 0x7F, 1))
    assert (bench.board.lamps, bench.board.gates) == (0, 0)
    assert bench.state_at(300) == state(2, unattended=True)


def test_hello_of_another_version_is_answered_and_not_obeyed(make: MakeRail) -> None:
    bench = Bench(make)
    answer = bench.say(Hello(5, version=2), want(1, 0x3FFF))
    assert Identity.from_bytes(answer[0]).version == 1
    assert not bench.board.attended
    assert bench.board.lamps == 0


def test_want_is_applied_and_said_to_be(bench: Bench) -> None:
    answer = bench.say(want(9, lamps=0x2AAA, gates=0b101, turn=4))
    assert (bench.board.lamps, bench.board.gates) == (0x2AAA, 0b101)
    assert State.from_bytes(answer[0]) == state(2, 9, gates=0b101)


def test_a_gate_closes_behind_the_first_token_and_not_again_for_that_turn(bench: Bench) -> None:
    bench.say(want(1, gates=0b11, turn=4))
    bench.board.count_drop(1)
    assert bench.board.gates == 0b10
    bench.say(want(1, gates=0b11, turn=4), want(2, lamps=1, gates=0b11, turn=4))
    assert bench.board.gates == 0b10
    bench.say(want(3, gates=0b11, turn=5))
    assert bench.board.gates == 0b11


def test_a_gate_closes_by_itself_after_2_s(bench: Bench) -> None:
    bench.say(want(1, gates=1, turn=4))
    opened = bench.now
    for bench.now in (opened + 900, opened + 1800, opened + 1999):
        bench.say(want(1, gates=1, turn=4))
        assert bench.board.gates == 1
    assert bench.board.next_wake(bench.now) == opened + 2000
    assert bench.rail_at(opened + 2000).gates == 0
    bench.say(want(2, gates=1, turn=4))
    assert bench.board.gates == 0


def test_a_bit_cleared_closes_the_gate_and_the_turn_is_over_for_it(bench: Bench) -> None:
    bench.say(want(1, gates=1, turn=4), want(2))
    assert bench.board.gates == 0
    bench.say(want(3, gates=1, turn=4))
    assert bench.board.gates == 0


def test_another_seat_may_join_a_turn(bench: Bench) -> None:
    bench.say(want(1, gates=0b01, turn=4), want(2, gates=0b11, turn=4))
    assert bench.board.gates == 0b11


def test_an_older_want_cannot_turn_the_board_back(bench: Bench) -> None:
    bench.say(want(1, gates=1, turn=4), want(2, gates=1, turn=5))
    bench.board.count_drop(1)
    bench.say(want(1, gates=1, turn=4))
    assert bench.board.gates == 0


def test_a_silent_host_darkens_and_closes_the_board(bench: Bench) -> None:
    bench.say(want(1, lamps=0x3FFF, gates=1, turn=4))
    bench.now = 1009
    bench.listen()
    assert bench.board.gates == 1
    bench.now = 1010
    bench.listen()
    assert (bench.board.lamps, bench.board.gates) == (0, 0)
    assert bench.state_at(1015) == state(4, unattended=True)
    bench.say(want(2, lamps=0x3FFF))
    assert bench.board.lamps == 0, "only HELLO wakes it"
    bench.say(Hello(1), want(3, lamps=0x3FFF, gates=1, turn=4))
    assert bench.board.lamps == 0x3FFF
    assert bench.board.gates == 0, "turn 4 has been served"


def test_the_watchdog_is_due_to_the_millisecond(bench: Bench) -> None:
    bench.now = 990
    bench.listen()
    assert bench.board.next_wake(bench.now) == 1000


@pytest.mark.parametrize("noise", [b"", b"\0" * 9, encode(b"\x02"), encode(b"\x70new")])
def test_noise_unknown_and_broken_messages_do_not_feed_the_watchdog(
    bench: Bench, noise: bytes
) -> None:
    bench.board.receive(noise, 900)
    assert not bench.state_at(900).unattended
    assert bench.state_at(1000).unattended


def test_a_new_session_closes_the_gates_and_keeps_the_lamps(bench: Bench) -> None:
    bench.say(want(7, lamps=0x2AAA, gates=1, turn=4))
    bench.say(Hello(2))
    assert (bench.board.lamps, bench.board.gates) == (0x2AAA, 0)
    assert bench.state_at(bench.now + 5).applied == 0
    bench.say(want(1, lamps=1))
    assert bench.board.lamps == 1, "a new session counts from where it likes"


def test_states_come_with_every_change_5_ms_apart_and_every_300_ms(bench: Bench) -> None:
    sent = bench.say(want(1))
    bench.board.sense(0b100)
    assert bench.listen() == []
    assert bench.board.next_wake(bench.now) == bench.now + 5
    assert bench.rail_at(bench.now + 5).occupied == 0b100
    assert bench.board.next_wake(bench.now) == bench.now + 300
    assert bench.state_at(bench.now + 300).number == State.from_bytes(sent[0]).number + 2


def test_what_does_not_change_is_not_reported(bench: Bench) -> None:
    bench.say(want(1))
    bench.board.sense(0)
    bench.board.set_dead_lamps(0)
    bench.now += 100
    assert bench.say(want(1)) == []


def test_counters_go_round(make: MakeRail) -> None:
    board = make(BoardKind.SLOT_RAIL)
    board.drops[:], board.tray = [65535] * 7, 65535
    board.count_drop(7)
    board.count_in_tray()
    board.set_dead_lamps(0x40)
    reported = rail_state(Deframer().feed(board.advance(0))[-1])
    assert (reported.drops, reported.tray, reported.dead_lamps) == ((*[65535] * 6, 0), 0, 0x40)


def test_what_is_wrong_with_the_board_itself_is_a_bit_of_its_state(make: MakeRail) -> None:
    board = make(BoardKind.SLOT_RAIL)
    board.advance(0)
    board.set_notices(0x82)
    state = State.from_bytes(Deframer().feed(board.advance(20))[-1])
    assert (state.notices, state.unattended) == (0x82, True)


@pytest.mark.parametrize("kind", [BoardKind.SENSOR_RAIL, BoardKind.CCTALK_SLOTS])
def test_only_a_slot_rail_has_gates(make: MakeRail, kind: BoardKind) -> None:
    bench = Bench(make, kind)
    bench.say(Hello(1), want(1, lamps=3, gates=0x7F, turn=1))
    assert (bench.board.lamps, bench.board.gates) == (3, 0)


def test_a_board_that_ran_before_keeps_what_it_served(make: MakeRail) -> None:
    bench = Bench(make)
    bench.board.served[:] = [4] * 7
    bench.say(Hello(1), want(1, gates=1, turn=4))
    assert bench.board.gates == 0


@pytest.mark.parametrize("serial", ["RAIL-0071", "RÄIL", "RAIL\x1b", "RAIL\0", "RAIL\x7f"])
def test_a_serial_has_at_most_eight_printable_ascii_characters(serial: str) -> None:
    with pytest.raises(ValueError, match="at most 8 printable ASCII characters"):
        SlotRail(BOOT, serial)

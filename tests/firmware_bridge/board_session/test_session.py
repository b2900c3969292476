"""The session and the reference board: found, ordered, booted anew, and right on a bad wire."""

from collections.abc import Callable

import pytest

from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.memory_line import WireFaults
from firmware_bridge.protocol_error import ProtocolError
from tests.firmware_bridge.board_session.quiet_boards import SILENT
from tests.firmware_bridge.board_session.rig import Rig
from tests.firmware_bridge.reference.rail_firmware import RailFirmware


def test_the_board_is_found_and_its_outputs_are_written(rig: Rig) -> None:
    assert rig.owner.events == ["up", "settled"]
    assert rig.owner.identity is not None
    assert rig.owner.identity.serial == "RAIL-007"


def test_orders_given_before_are_written_when_it_is_found(idle_rig: Rig) -> None:
    rig = idle_rig
    rig.want(0x2AAA, 0, 0)
    rig.session.start()
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
    sent = rig.session.statistics.sent
    rig.want(1, 0, 0)
    assert rig.session.statistics.sent == sent


def test_an_order_that_cannot_be_expressed_is_refused(rig: Rig) -> None:
    with pytest.raises(ProtocolError, match="gates without a turn"):
        rig.want(0, 1, 0)


def test_a_quiet_hour_is_kept_alive_by_both_sides(rig: Rig) -> None:
    rig.run_for(3600)
    assert rig.owner.events == ["up", "settled"]
    assert rig.session.statistics.sent == pytest.approx(12_000, abs=20)
    assert rig.session.statistics.received.frames == pytest.approx(12_000, abs=20)
    assert len(rig.owner.states) == 1, "nothing has changed"


def test_a_reboot_is_noticed_and_its_outputs_are_written_again(rig: Rig) -> None:
    rig.want(0x2AAA)
    rig.run_for(0.05)
    rig.reboot()
    rig.run_for(0.05)
    assert rig.owner.events == ["up", "settled", "up", "settled"]
    assert rig.owner.boot == 0xB0070002
    assert rig.firmware.lamps == 0x2AAA


def test_something_else_can_be_wanted_of_a_board_that_has_booted(rig: Rig) -> None:
    """What was wanted before never reaches it."""
    rig.want(0x2AAA, 0b1, 9)
    rig.run_for(0.05)
    rig.owner.on_event = lambda: rig.want(0x1555)
    rig.reboot()
    rig.run_for(0.05)
    assert rig.owner.events == ["up", "settled", "up", "settled"]
    assert (rig.firmware.lamps, rig.firmware.served) == (0x1555, [0] * 7)


def test_the_round_trip_is_measured(rig: Rig) -> None:
    rig.end.inject(to_device=SILENT)
    rig.want(1, 0, 0)
    rig.run_for(0.15)
    rig.end.inject()
    rig.run_for(0.1)
    figures = rig.session.statistics
    assert figures.round_trips.last_ms == pytest.approx(200)
    assert figures.round_trips.count == 2
    assert figures.round_trips.mean_ms == pytest.approx(102.5)


def test_a_closed_link_is_silent(idle_rig: Rig) -> None:
    rig = idle_rig
    rig.session.start()
    rig.run_for(0.1)
    rig.session.close()
    events, sent = list(rig.owner.events), rig.session.statistics.sent
    rig.run_for(10)
    assert (rig.owner.events, rig.session.statistics.sent) == (events, sent)
    assert not rig.firmware.attended


@pytest.mark.parametrize("seed", range(6))
def test_on_a_bad_wire_the_counters_agree_in_the_end(idle_rig: Rig, seed: int) -> None:
    rig = idle_rig
    to_host, to_device = (
        WireFaults(drop=0.2, repeat=0.2, cut=0.05, garbage=0.1, byte_at_a_time=way, seed=seed + way)
        for way in (False, True)
    )
    rig.end.inject(to_host=to_host, to_device=to_device)
    rig.session.start()
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
            rig.firmware.count_in_tray()
            rig.drop_token(seat)
    assert fell <= 1
    return fell


def test_the_board_outlives_the_host(rig: Rig, make_rig: Callable[[], Rig]) -> None:
    rig.drop_token(1)
    rig.run_for(0.01)
    rig.session.close()
    boot, drops = rig.firmware.boot, rig.firmware.drops
    other = make_rig()
    other.exchange(RailFirmware(BoardKind.SLOT_RAIL, boot, drops=drops, tray=4))
    other.session.start()
    other.run_for(0.1)
    assert other.owner.boot == boot
    assert (other.owner.last.drops[0], other.owner.last.tray) == (1, 4)

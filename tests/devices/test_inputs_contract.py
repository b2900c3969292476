"""What drivers tell of their contacts and sensors (the contract of `inputs`)."""

import pytest

from devices.board_rail import BoardRail
from devices.cctalk.rail import CcTalkRail
from devices.device import Device
from devices.figures import InputFigures
from devices.roles import SEATS, Button, KeyPosition, RailOrders
from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import BoardKind, Identity, State
from firmware_bridge.board_session.rail_messages import RailState
from firmware_bridge.memory_line import MemoryLine
from tests.devices.driven_devices import DeviceBench, MakeBench

BUTTONS = [button.value for button in Button]
KEYS = [f"key {position.value}" for position in KeyPosition]
SENSORS = [f"seat {seat}" for seat in SEATS]


@pytest.fixture
def panel(make_bench: MakeBench) -> DeviceBench:
    return make_bench("panel")


@pytest.fixture(params=["slot", "sensor", "cctalk"])
def rail(request: pytest.FixtureRequest, make_bench: MakeBench) -> DeviceBench:
    return make_bench(request.param)


@pytest.fixture
def slot(make_bench: MakeBench) -> DeviceBench:
    bench = make_bench("slot")
    bench.start()
    return bench


def changes_of(bench: DeviceBench) -> dict[str, tuple[int, int]]:
    """The inputs that have changed: their edges, and how many of them were chatter."""
    return {name: (one.edges, one.chatter) for name, one in bench.inputs.items() if one.edges}


def test_every_contact_of_the_panel_is_told_by_its_name(panel: DeviceBench) -> None:
    panel.start()
    assert list(panel.inputs) == [*BUTTONS, *KEYS, "inspector", "plug"]
    assert [name for name, one in panel.inputs.items() if one.closed] == ["key R", "plug"]
    assert changes_of(panel) == {}


def test_an_inspector_s_contact_that_is_not_fitted_is_not_told(make_bench: MakeBench) -> None:
    panel = make_bench("panel", inspector_fitted=False)
    panel.start()
    assert "inspector" not in panel.inputs


def test_there_are_none_before_the_panel_is_read_nor_after(panel: DeviceBench) -> None:
    assert panel.inputs == {}
    panel.start()
    panel.driver.close()
    assert panel.inputs == {}


@pytest.mark.parametrize("button", list(Button))
def test_a_button_held_is_closed_since_then_and_its_pulse_is_as_long(
    panel: DeviceBench, button: Button
) -> None:
    panel.start()
    panel.cabinet.panel.weld(button)
    panel.run(0.25)
    seen = panel.inputs[button.value]
    assert (
        seen.closed,
        seen.since_ms,
        seen.edges,
        seen.pulse_ms,
    ) == (True, 250, 1, None)
    panel.cabinet.panel.mend()
    panel.run(0.1)
    seen = panel.inputs[button.value]
    assert (
        seen.closed,
        seen.since_ms,
        seen.edges,
        seen.pulse_ms,
    ) == (False, 100, 2, 250.0)
    assert list(changes_of(panel)) == [button.value]


def test_a_turn_of_the_key_shows_on_both_contacts(panel: DeviceBench) -> None:
    panel.start()
    panel.cabinet.turn_key(KeyPosition.S)
    panel.run()
    assert changes_of(panel) == {"key R": (1, 0), "key S": (1, 0)}
    assert [name for name in KEYS if panel.inputs[name].closed] == ["key S"]


def test_a_welded_key_contact_stays_closed(panel: DeviceBench) -> None:
    panel.start()
    panel.cabinet.panel.weld(KeyPosition.R)
    panel.cabinet.turn_key(KeyPosition.JPH)
    panel.run(2)
    assert [name for name in KEYS if panel.inputs[name].closed] == ["key R", "key JPH"]
    assert panel.inputs["key R"].edges == 0


def test_chatter_is_told_of_every_contact(panel: DeviceBench) -> None:
    panel.start()
    for on in [True, False] * 6:
        panel.cabinet.inspector(on)
        panel.run(0.004)
    panel.run(0.1)
    assert changes_of(panel) == {"inspector": (12, 6)}


def test_what_happens_while_the_plug_is_out_is_counted_too(panel: DeviceBench) -> None:
    panel.start()
    panel.cabinet.unplug(Device.PANEL)
    panel.run(1)
    assert not panel.inputs["plug"].closed
    assert panel.inputs["plug"].since_ms == 1000
    assert panel.inputs["key R"].edges == 1, "its contacts open with it"
    panel.cabinet.plug(Device.PANEL)
    panel.run(1)
    assert changes_of(panel) == {"key R": (2, 0), "plug": (2, 0)}
    assert panel.inputs["plug"].pulse_ms is not None


def test_an_edge_that_waits_for_the_loop_counts_already(panel: DeviceBench) -> None:
    panel.start()
    panel.run(1)
    panel.cabinet.panel.hold(Button.JPOT)  # the event loop has not run yet
    seen = panel.inputs["JPOT"]
    assert (seen.closed, seen.since_ms, seen.edges) == (True, 0, 1)


NAMES = {
    "slot": [*SENSORS, *(f"{sensor} drop" for sensor in SENSORS), "tray"],
    "sensor": SENSORS,
    "cctalk": [*SENSORS, *(f"{sensor} credit" for sensor in SENSORS)],
}


def test_a_rail_tells_what_it_has(rail: DeviceBench) -> None:
    assert rail.inputs == {}
    rail.cabinet.rail.cover(2)
    rail.start()
    assert list(rail.inputs) == NAMES[rail.kind]
    assert rail.inputs["seat 2"].closed
    assert changes_of(rail) == {}


def test_a_sensor_tells_what_lies_there_and_for_how_long(rail: DeviceBench) -> None:
    rail.start()
    rail.cabinet.rail.cover(5)
    rail.run(2)
    seen = rail.inputs["seat 5"]
    assert (seen.closed, seen.edges) == (True, 1)
    assert seen.since_ms == pytest.approx(2000, abs=30)
    rail.cabinet.rail.uncover(5)
    rail.run(1)
    seen = rail.inputs["seat 5"]
    assert (seen.closed, seen.edges) == (False, 2)
    assert seen.pulse_ms == pytest.approx(2000, abs=30)
    assert changes_of(rail) == {"seat 5": (2, 0)}


def test_a_lost_rail_tells_what_it_told_last(rail: DeviceBench) -> None:
    rail.cabinet.rail.cover(1)
    rail.start()
    rail.unplug()
    assert rail.inputs["seat 1"].closed
    rail.driver.close()
    assert rail.inputs["seat 1"].closed


def test_tokens_that_drop_are_counted_at_the_seat_and_at_the_tray(slot: DeviceBench) -> None:
    for turn in (1, 2):
        slot.cabinet.rail.put_token(4)
        slot.run(0.1)
        order = RailOrders(gates=frozenset((4,)), turn=turn, boot=1)
        slot.driver_as(BoardRail).show(order)
        slot.run(1)
    assert changes_of(slot) == {"seat 4": (4, 0), "seat 4 drop": (2, 0), "tray": (2, 0)}
    drop = slot.inputs["seat 4 drop"]
    assert (drop.closed, drop.pulse_ms) == (False, None)
    assert 0 < drop.since_ms <= 1000


def test_a_dead_sensor_is_one_whose_tokens_drop_unseen(slot: DeviceBench) -> None:
    slot.cabinet.rail.kill_sensor(4)
    slot.cabinet.rail.put_token(4)
    slot.run(0.1)
    slot.driver_as(BoardRail).show(RailOrders(gates=frozenset((4,)), turn=1, boot=1))
    slot.run(1)
    assert changes_of(slot) == {"seat 4 drop": (1, 0), "tray": (1, 0)}


def test_credits_are_counted_since_the_service_started(make_bench: MakeBench) -> None:
    bench = make_bench("cctalk")
    bench.start()
    bench.driver_as(CcTalkRail).show(RailOrders(accepting=frozenset(SEATS)))
    bench.run()
    for _ in range(3):
        bench.cabinet.rail.put_token(6)
        bench.run(0.5)
    assert changes_of(bench)["seat 6 credit"] == (3, 0)
    assert bench.inputs["seat 6 credit"].since_ms <= 500


class ScriptedBoard:
    """A rail's board that says what it is told to say, and nothing else."""

    def __init__(self, bench: DeviceBench, boot: int) -> None:
        self.fitted = bench
        self.boot = boot
        self.number = 0
        self.applied = 0
        self.deframer = Deframer()
        (line,) = bench.lines
        assert isinstance(line, MemoryLine)
        self.end = line.device
        self.end.on_received = self.on_received

    def on_received(self, data: bytes) -> None:
        for payload in self.deframer.feed(data):
            if payload[0] == 1:
                session = int.from_bytes(payload[2:6], "little")
                self.end.send(encode(Identity(BoardKind.SLOT_RAIL, self.boot, session).to_bytes()))
            else:
                self.applied = int.from_bytes(payload[1:3], "little")

    def send_state(self, state: RailState) -> None:
        self.number += 1
        seen = State(self.number, self.boot, self.applied, body=state.to_bytes())
        self.end.send(encode(seen.to_bytes()))
        self.fitted.run(0.01)


def drops_of(seat_1: int) -> RailState:
    return RailState(drops=(seat_1, 0, 0, 0, 0, 0, 0), tray=seat_1)


def test_counters_go_round_and_begin_anew_without_counting_what_nobody_saw(
    make_bench: MakeBench,
) -> None:
    bench = make_bench("slot")
    board = ScriptedBoard(bench, boot=1)
    bench.driver.start(bench.events.append)
    bench.run(0.05)
    board.send_state(drops_of(65534))  # before the service started
    board.send_state(drops_of(1))
    assert changes_of(bench) == {"seat 1 drop": (3, 0), "tray": (3, 0)}
    board.boot = 2
    board.send_state(drops_of(7))  # it has booted: the session asks who it is
    board.send_state(drops_of(7))
    board.send_state(drops_of(9))
    assert changes_of(bench) == {"seat 1 drop": (5, 0), "tray": (5, 0)}
    board.send_state(drops_of(3))  # backwards within a boot: they count nothing
    assert changes_of(bench) == {"seat 1 drop": (5, 0), "tray": (5, 0)}


def test_looking_changes_nothing(rail: DeviceBench) -> None:
    rail.start()
    rail.cabinet.rail.cover(1)
    rail.run(1)
    first: dict[str, InputFigures] = rail.inputs
    assert rail.inputs == first
    assert rail.read_figures(40) == rail.read_figures(40)

"""What every driver tells of its device, in whatever state (the contract of `figures`)."""

import pytest

from devices.angel_eye_shoe import AngelEyeShoe
from devices.board_rail import BoardRail
from devices.card_reports import Back, ShufflerOrders
from devices.cctalk_rail import CcTalkRail
from devices.escpos_display import EscPosDisplay
from devices.figures import DeviceFigures
from devices.gpio_panel import GpioPanel
from devices.line_figures import LONGEST_SAYING, LONGEST_SHOWN
from devices.neutral_shuffler import NeutralShuffler
from devices.roles import SEATS, Button, DisplayText, KeyPosition, Lamp, PanelLights, RailOrders
from devices.sim.cctalk import SimulatedCcTalkRail
from firmware_bridge.memory_line import WireFaults
from tests.devices.fitted import BOARDS, DEVICES, ON_A_LINE, Fit, Fitted

LINES = {"cctalk": ["rail", "rail board"]}

DRIVERS = {
    "panel": "panel on GPIO",
    "slot": "board rail, slot rail",
    "sensor": "board rail, sensor rail",
    "cctalk": "ccTalk acceptors",
    "display": "ESC/POS display",
    "dealer": "neutral shuffler, shuffler",
    "mixer": "neutral shuffler, mixer",
    "counting": "counting shoe",
    "reading": "reading shoe, Angel Eye II-EX",
}

PASSES = {
    "slot": ("HELLO version 1", "IDENTITY slot rail", "WANT ", "STATE "),
    "sensor": ("HELLO version 1", "IDENTITY sensor rail", "WANT ", "STATE "),
    "cctalk": ("-> 17 be open", "<- 17 ACK", "-> 17 read credits", "<- 17 counter 0", "STATE "),
    "display": ("clear, overwrite, no cursor, at 1,1",),
    "dealer": ("HELLO version 1", "IDENTITY shuffler", "WANT ", "STATE "),
    "mixer": ("HELLO version 1", "IDENTITY mixer", "WANT ", "STATE "),
    "counting": ("HELLO version 1", "IDENTITY counting shoe", "WANT ", "STATE "),
    "reading": ("S the shoe begins anew", "M setting 90 is 0312", "D "),
}
"""What goes over each line in its first moments."""


@pytest.fixture(params=DEVICES)
def fitted(request: pytest.FixtureRequest, fit: Fit) -> Fitted:
    return fit(request.param)


@pytest.fixture(params=ON_A_LINE)
def on_a_line(request: pytest.FixtureRequest, fit: Fit) -> Fitted:
    return fit(request.param)


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest, fit: Fit) -> Fitted:
    return fit(request.param)


def nothing() -> None:
    """It is as it is."""


def are_well_formed(told: tuple[DeviceFigures, ...], fitted: Fitted) -> bool:
    """They name their device and lines, and their texts can be printed."""
    texts = [
        text
        for one in told
        for text in (one.driver, one.why_down, *one.identity.values(), *one.state.values())
    ]
    return (
        {one.device for one in told} == {fitted.device}
        and [one.line for one in told] == LINES.get(fitted.kind, [fitted.device.value])
        and all(text.isascii() and (not text or text.isprintable()) for text in texts)
        and all(one.up is (one.why_down == "") for one in told)
    )


def test_in_every_state_it_answers(fitted: Fitted) -> None:
    ups = []
    why = []
    steps = (nothing, fitted.start, fitted.unplug, fitted.plug, fitted.driver.close)
    for step in steps:
        step()
        fitted.run()
        told = fitted.told(40)
        assert are_well_formed(told, fitted)
        assert isinstance(fitted.inputs, dict)
        ups.append({one.up for one in told})
        why.append(told[0].why_down)
    assert ups == [{False}, {True}, {False}, {True}, {False}]
    assert (why[0], why[-1]) == ("not started", "closed")
    assert why[2] not in ("", "not started", "closed", "not found yet")


def test_the_driver_s_name_says_its_kind(fitted: Fitted) -> None:
    assert fitted.figures.driver == DRIVERS[fitted.kind]


def test_a_device_that_is_found_again_is_counted(fitted: Fitted) -> None:
    fitted.start()
    assert {one.link.connections for one in fitted.told()} == {1}
    fitted.unplug()
    fitted.plug()
    assert {one.link.connections for one in fitted.told()} == {2}
    assert {one.link.boots for one in fitted.told()} == {0}


def test_what_passed_is_among_the_last_frames_in_words(on_a_line: Fitted) -> None:
    on_a_line.driver.start(on_a_line.events.append)
    heard: list[str] = []
    for step in (nothing, on_a_line.play):
        step()
        for _ in range(50):
            on_a_line.run(0.01)
            heard += on_a_line.says
    for begins in PASSES[on_a_line.kind]:
        assert any(says.startswith(begins) for says in heard), begins
    assert [says for says in heard if "bad" in says] == []


def test_frames_are_told_when_they_are_asked_for(on_a_line: Fitted) -> None:
    on_a_line.start()
    on_a_line.play()
    on_a_line.run(30)
    assert [line.frames for line in on_a_line.told()] == [()] * len(on_a_line.lines)
    for line in on_a_line.told(3):
        assert len(line.frames) == 3
        ages = [frame.ago_ms for frame in line.frames]
        assert ages == sorted(ages, reverse=True)
        assert 0 <= ages[-1] < 31_000


def test_a_line_that_loses_frames_says_how_often_it_asked_again(board: Fitted) -> None:
    board.start()
    board.run(10)
    before = [line.link.retries for line in board.told()]
    board.inject(to_device=WireFaults(drop=0.4, seed=1), to_host=WireFaults(drop=0.4, seed=2))
    for turn in range(20):
        order_something(board, turn)
        board.run(1)
    told = board.told()
    assert all(line.link.retries >= was + 5 for line, was in zip(told, before, strict=True))
    assert {line.link.bad for line in told} == {0}
    assert before == [0] * len(before)


def order_something(fitted: Fitted, turn: int) -> None:
    """Something else than in the turn before, so that it has to be told."""
    lamp = Lamp.ON if turn % 2 else Lamp.ALERT
    if isinstance(fitted.driver, BoardRail | CcTalkRail):
        fitted.driver.show(RailOrders((lamp,) * 7, open=frozenset(SEATS[: turn % 7])))
    elif isinstance(fitted.driver, NeutralShuffler):
        fitted.driver.show(ShufflerOrders(turn % 2 == 0))


def test_noise_is_counted_bad_and_the_last_of_it_is_kept(on_a_line: Fitted) -> None:
    on_a_line.start()
    on_a_line.inject(to_host=WireFaults(garbage=0.5, seed=3))
    on_a_line.play()
    for line in on_a_line.lines:
        line.device.send(b"\xa7noise\x00")
    on_a_line.run(30)
    on_a_line.inject()
    on_a_line.run(20)
    for told in on_a_line.told(8):
        assert told.link.bad > 0
        assert told.link.received >= told.link.bad
        bad = [frame for frame in told.frames if frame.says.startswith("bad: ")]
        assert bad, "the last bad ones outlive the good ones"
        assert not any(frame.sent for frame in bad)


def test_a_board_that_restarts_is_counted_and_known_by_its_boot_number(fit: Fit) -> None:
    fitted = fit("slot")
    fitted.start()
    first = fitted.figures.identity["boot"]
    fitted.cabinet.rail.reset_every(2)
    fitted.run(7)
    fitted.cabinet.rail.mend()
    fitted.run(1)
    figures = fitted.figures
    assert (figures.link.boots, figures.link.connections, figures.up) == (3, 4, True)
    assert figures.identity["boot"] != first


def test_acceptors_that_begin_anew_are_counted_and_named(fit: Fit) -> None:
    fitted = fit("cctalk")
    fitted.start()
    rail = fitted.cabinet.rail
    assert isinstance(rail, SimulatedCcTalkRail)
    fitted.driver_as(CcTalkRail).show(RailOrders(open=frozenset(SEATS)))
    fitted.run()
    fitted.cabinet.put_token(3)
    fitted.run(1)
    rail.reset(3)
    fitted.run(1)
    figures = fitted.figures
    assert (figures.link.boots, figures.link.connections) == (1, 1)
    assert figures.identity["seat 3"] == "address 13, SIM TOKEN, serial 1003"
    assert figures.state["seat 3"] == (
        "ready, open, credits 1, counter 0, credits lost 1 times, began anew 1 times"
    )
    assert figures.state["seat 4"] == "ready, open, credits 0, counter 0"


def test_a_silent_acceptor_is_named(fit: Fit) -> None:
    fitted = fit("cctalk")
    fitted.start()
    rail = fitted.cabinet.rail
    assert isinstance(rail, SimulatedCcTalkRail)
    rail.acceptors[5].silent = True
    fitted.run(3)
    figures = fitted.figures
    assert (figures.up, figures.why_down) == (False, "acceptor of seat 5: silent")
    assert figures.state["seat 5"].startswith("silent")
    assert figures.link.retries > 0
    assert fitted.told()[1].up, "its slot board is there"


def test_a_rail_board_tells_its_state_and_who_it_is(fit: Fit) -> None:
    fitted = fit("slot")
    fitted.cabinet.cover(1)
    fitted.cabinet.put_token(3)
    fitted.start()
    figures = fitted.figures
    assert figures.identity == {
        "kind": "slot rail",
        "serial": "none",
        "firmware": "1.0.0",
        "protocol": "1",
        "boot": "0x1",
        "seats": "7",
    }
    assert figures.state == {
        "occupied": "1 3",
        "dead lamps": "none",
        "open gates": "none",
        "drops": "0 0 0 0 0 0 0",
        "tray": "0",
    }
    fitted.cabinet.rail.kill_lamp(3)
    rail = fitted.driver_as(BoardRail)
    rail.show(RailOrders((Lamp.ON,) * 7, frozenset({3}), 1, boot=1))
    fitted.run(1)
    state = fitted.figures.state
    assert (state["occupied"], state["dead lamps"], state["tray"]) == ("1", "3", "1")
    assert state["drops"] == "0 0 1 0 0 0 0"


def test_a_sensor_rail_tells_nothing_of_what_it_has_not(fit: Fit) -> None:
    fitted = fit("sensor")
    fitted.start()
    assert set(fitted.figures.state) == {"occupied", "dead lamps"}


def test_a_shuffler_tells_its_decks(fit: Fit) -> None:
    fitted = fit("dealer")
    fitted.start()
    fitted.cabinet.load_deck(Back.RED, 51)
    fitted.run(61)
    state = fitted.figures.state
    assert (state["preparing"], state["prepared back"], state["counted"]) == ("ready", "red", "51")
    assert (state["playing back"], state["unloaded"]) == ("none", "not yet")


def test_a_counting_shoe_tells_its_cards(fit: Fit) -> None:
    fitted = fit("counting")
    fitted.start()
    fitted.cabinet.load_shoe(312)
    for _ in range(3):
        fitted.cabinet.draw()
        fitted.run(1)
    state = fitted.figures.state
    assert (state["cards"], state["drawn"], state["cards left"]) == ("312", "3", "309")
    assert state["cut card"] == "in the shoe"
    fitted.cabinet.cut_card()
    fitted.run(1)
    assert fitted.figures.state["cut card"] == "out after 3"


def test_a_reading_shoe_tells_what_it_has_told(fit: Fit) -> None:
    fitted = fit("reading")
    fitted.start()
    assert fitted.figures.state["cards left"] == "not known"
    fitted.cabinet.load_shoe(312)
    fitted.run(1)
    fitted.cabinet.burn()
    fitted.run(1)
    fitted.cabinet.draw("4H")
    fitted.run(1)
    state = fitted.figures.state
    assert (state["loads"], state["cards"], state["drawn"]) == ("1", "312", "6")
    assert (state["cards left"], state["last card"]) == ("306", "4H to PUNTO 1")
    assert (state["cut card"], state["locked"]) == ("in the shoe", "not known")
    assert state["error"] == "none"
    fitted.cabinet.cut_card()
    fitted.driver_as(AngelEyeShoe).lock(True)
    fitted.run(1)
    state, link = fitted.figures.state, fitted.figures.link
    assert (state["cut card"], state["locked"]) == ("out", "yes")
    assert (link.sent, link.retries, link.bad) == (1, 0, 0)
    assert link.round_trip_ms is not None
    assert "command lock" in fitted.says


def test_a_reading_shoe_that_does_not_answer_is_asked_again(fit: Fit) -> None:
    fitted = fit("reading")
    fitted.start()
    fitted.inject(to_device=WireFaults(silent=True))
    fitted.driver_as(AngelEyeShoe).lock(True)
    fitted.run(10)
    link = fitted.figures.link
    assert (link.sent, link.retries, link.round_trip_ms) == (4, 3, None)


def test_a_display_tells_what_was_written(fit: Fit) -> None:
    fitted = fit("display")
    fitted.start()
    fitted.driver_as(EscPosDisplay).show(DisplayText(("JACKPOT", "10.002,80 EUR")))
    fitted.run(1)
    figures = fitted.figures
    assert figures.state == {"line 1": "JACKPOT", "line 2": "10.002,80 EUR"}
    assert figures.link.sent == len(figures.frames) == 2
    assert figures.frames[-1].says == "at 1,1 'JACKPOT', at 1,2 '10.002,80 EUR'"


def test_the_panel_tells_key_inspector_and_lamps(fit: Fit) -> None:
    fitted = fit("panel")
    assert fitted.figures.state == {"seat LEDs": "dark", "combination lamps": "none"}
    fitted.cabinet.turn_key(KeyPosition.JPL)
    fitted.cabinet.inspector(True)
    fitted.start()
    lights = PanelLights((Lamp.ON, *[Lamp.DARK] * 5, Lamp.ALERT), (False, True, False, False, True))
    fitted.driver_as(GpioPanel).show(lights)
    assert fitted.figures.state == {
        "key": "JPL",
        "inspector": "present",
        "seat LEDs": "on 1 alert 7",
        "combination lamps": "2 5",
    }
    fitted.cabinet.panel.weld(KeyPosition.S)
    fitted.run(1)
    assert fitted.figures.state["key"] == "unreadable"
    assert fitted.figures.identity == {"pins": "simulated", "settling time": "5 ms"}


def test_round_trips_are_told_in_milliseconds(fit: Fit) -> None:
    fitted = fit("slot")
    assert fitted.figures.link.round_trip_ms is None
    fitted.start()
    link = fitted.figures.link
    assert link.round_trip_ms == link.round_trip_mean_ms == pytest.approx(5)


def test_a_frame_is_shown_as_it_was_on_the_line_and_never_too_long(fit: Fit) -> None:
    fitted = fit("slot")
    fitted.start()
    good = fitted.figures.frames[-1]
    assert good.raw.endswith(b"\0")
    assert good.raw.count(0) == 1
    fitted.lines[0].device.send(b"\x01" * 5000)
    fitted.run(0.01)
    long = fitted.figures.frames[-1]
    assert (len(long.raw), long.says) == (
        LONGEST_SHOWN,
        "bad: longer than 255 bytes without an end (300 bytes)",
    )
    assert all(len(frame.says) <= LONGEST_SAYING + 20 for frame in fitted.figures.frames)


def test_a_press_is_no_frame(fit: Fit) -> None:
    fitted = fit("panel")
    fitted.start()
    fitted.cabinet.press(Button.COIN_IN)
    fitted.run()
    assert fitted.figures.frames == ()

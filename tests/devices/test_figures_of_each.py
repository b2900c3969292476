"""What each driver tells of its own device: its state, its identity, its counters."""

from devices.angel_eye_shoe import AngelEyeShoe
from devices.board_rail import BoardRail
from devices.card_reports import Back
from devices.cctalk.rail import CcTalkRail
from devices.escpos_display import EscPosDisplay
from devices.gpio_panel import GpioPanel
from devices.roles import SEATS, DisplayText, KeyPosition, Lamp, PanelLights, RailOrders
from devices.sim.cctalk import SimulatedCcTalkRail
from firmware_bridge.memory_line import WireFaults
from tests.devices.driven_devices import Fit


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
    assert fitted.read_figures()[1].up, "its slot board is there"


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

"""What each driver tells of its own device: its state, its identity, its counters."""

from devices.angel_eye_shoe import AngelEyeShoe
from devices.board_rail import BoardRail
from devices.card_reports import Back
from devices.cctalk.rail import CcTalkRail
from devices.gpio_panel import GpioPanel
from devices.line_display import LineDisplay
from devices.roles import SEATS, DisplayText, KeyPosition, Lamp, PanelLights, RailOrders
from devices.sim.cctalk import SimulatedCcTalkRail
from firmware_bridge.memory_line import WireFaults
from tests.devices.driven_devices import MakeBench


def test_a_board_that_restarts_is_counted_and_known_by_its_boot_number(
    make_bench: MakeBench,
) -> None:
    bench = make_bench("slot")
    bench.start()
    first = bench.figures.identity["boot"]
    bench.cabinet.rail.reset_every(2)
    bench.run(7)
    bench.cabinet.rail.mend()
    bench.run(1)
    figures = bench.figures
    assert (figures.counts.boots, figures.counts.connections, figures.up) == (3, 4, True)
    assert figures.identity["boot"] != first


def test_acceptors_that_begin_anew_are_counted_and_named(make_bench: MakeBench) -> None:
    bench = make_bench("cctalk")
    bench.start()
    rail = bench.cabinet.rail
    assert isinstance(rail, SimulatedCcTalkRail)
    bench.driver_as(CcTalkRail).show(RailOrders(accepting=frozenset(SEATS)))
    bench.run()
    bench.cabinet.rail.put_token(3)
    bench.run(1)
    rail.reset(3)
    bench.run(1)
    figures = bench.figures
    assert (figures.counts.boots, figures.counts.connections) == (1, 1)
    assert figures.identity["seat 3"] == "address 13, SIM TOKEN, serial 1003"
    assert figures.state["seat 3"] == (
        "ready, open, credits 1, counter 0, credits lost 1 times, began anew 1 times"
    )
    assert figures.state["seat 4"] == "ready, open, credits 0, counter 0"


def test_a_silent_acceptor_is_named(make_bench: MakeBench) -> None:
    bench = make_bench("cctalk")
    bench.start()
    rail = bench.cabinet.rail
    assert isinstance(rail, SimulatedCcTalkRail)
    rail.acceptors[5].silent = True
    bench.run(3)
    figures = bench.figures
    assert (figures.up, figures.why_down) == (False, "acceptor of seat 5: silent")
    assert figures.state["seat 5"].startswith("silent")
    assert figures.counts.retries > 0
    assert bench.read_figures()[1].up, "its slot board is there"


def test_a_rail_board_tells_its_state_and_who_it_is(make_bench: MakeBench) -> None:
    bench = make_bench("slot")
    bench.cabinet.rail.cover(1)
    bench.cabinet.rail.put_token(3)
    bench.start()
    figures = bench.figures
    assert figures.identity == {
        "kind": "slot rail",
        "serial": "RAIL-001",
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
    bench.cabinet.rail.kill_lamp(3)
    rail = bench.driver_as(BoardRail)
    rail.show(RailOrders((Lamp.ON,) * 7, frozenset({3}), 1, boot=1))
    bench.run(1)
    state = bench.figures.state
    assert (state["occupied"], state["dead lamps"], state["tray"]) == ("1", "3", "1")
    assert state["drops"] == "0 0 1 0 0 0 0"


def test_a_sensor_rail_tells_nothing_of_what_it_has_not(make_bench: MakeBench) -> None:
    bench = make_bench("sensor")
    bench.start()
    assert set(bench.figures.state) == {"occupied", "dead lamps"}


def test_a_shuffler_tells_its_decks(make_bench: MakeBench) -> None:
    bench = make_bench("dealer")
    bench.start()
    bench.cabinet.shuffler.load_deck(Back.RED, 51)
    bench.run(61)
    state = bench.figures.state
    assert (state["preparing"], state["prepared back"], state["counted"]) == ("ready", "red", "51")
    assert (state["playing back"], state["unloaded"]) == ("none", "not yet")


def test_a_deck_shuffler_tells_its_presses_too(make_bench: MakeBench) -> None:
    bench = make_bench("deck")
    bench.start()
    bench.cabinet.shuffler.press_green()
    bench.run()
    state = bench.figures.state
    assert (state["preparing"], state["presses"]) == ("empty", "1")


def test_a_counting_shoe_tells_its_cards(make_bench: MakeBench) -> None:
    bench = make_bench("counting")
    bench.start()
    bench.cabinet.shoe.load(312)
    for _ in range(3):
        bench.cabinet.shoe.draw()
        bench.run(1)
    state = bench.figures.state
    assert (state["cards"], state["drawn"], state["cards left"]) == ("312", "3", "309")
    assert state["cut card"] == "in the shoe"
    bench.cabinet.shoe.cut_card()
    bench.run(1)
    assert bench.figures.state["cut card"] == "out after 3"


def test_a_reading_shoe_tells_what_it_has_told(make_bench: MakeBench) -> None:
    bench = make_bench("reading")
    bench.start()
    assert bench.figures.state["cards left"] == "not known"
    bench.cabinet.shoe.load(312)
    bench.run(1)
    bench.cabinet.shoe.burn()
    bench.run(1)
    bench.cabinet.shoe.draw("4H")
    bench.run(1)
    state = bench.figures.state
    assert (state["loads"], state["cards"], state["drawn"]) == ("1", "312", "6")
    assert (state["cards left"], state["last card"]) == ("306", "4H to PUNTO 1")
    assert (state["cut card"], state["locked"]) == ("in the shoe", "not known")
    assert state["error"] == "none"
    bench.cabinet.shoe.cut_card()
    bench.driver_as(AngelEyeShoe).lock(True)
    bench.run(1)
    state, counts = bench.figures.state, bench.figures.counts
    assert (state["cut card"], state["locked"]) == ("out", "yes")
    assert (counts.sent, counts.retries, counts.bad) == (1, 0, 0)
    assert counts.round_trip_ms is not None
    assert "command lock" in bench.says


def test_a_reading_shoe_that_does_not_answer_is_asked_again(make_bench: MakeBench) -> None:
    bench = make_bench("reading")
    bench.start()
    bench.inject(to_device=WireFaults(silent=True))
    bench.driver_as(AngelEyeShoe).lock(True)
    bench.run(10)
    counts = bench.figures.counts
    assert (counts.sent, counts.retries, counts.round_trip_ms) == (4, 3, None)


def test_what_an_acceptors_line_carries_wrongly_is_told_by_kind(make_bench: MakeBench) -> None:
    bench = make_bench("cctalk")
    bench.start()
    assert all(name.startswith("seat ") for name in bench.figures.state)
    bench.inject(to_host=WireFaults(garbage=1.0))
    bench.run(5)
    state = bench.figures.state
    assert int(state["collisions"]) > 0
    assert int(state["times reopened"]) > 0


def test_what_the_line_to_a_board_does_not_take_is_told(make_bench: MakeBench) -> None:
    bench = make_bench("slot")
    bench.start()
    assert "frames not taken" not in bench.figures.state
    while bench.lines[0].send(bytes(1)):
        pass
    bench.driver_as(BoardRail).show(RailOrders(lamps=(Lamp.ON,) * len(SEATS)))
    assert bench.figures.state["frames not taken"] == "1"


def test_a_display_tells_what_was_written(make_bench: MakeBench) -> None:
    bench = make_bench("display")
    bench.start()
    bench.driver_as(LineDisplay).show(DisplayText(("JACKPOT", "10.002,80 EUR")))
    bench.run(1)
    figures = bench.figures
    assert figures.state == {"line 1": "JACKPOT", "line 2": "10.002,80 EUR"}
    assert figures.counts.sent == len(figures.frames) == 2
    assert figures.frames[-1].says == "at 1,1 'JACKPOT', at 1,2 '10.002,80 EUR'"


def test_the_panel_tells_key_inspector_and_lamps(make_bench: MakeBench) -> None:
    bench = make_bench("panel")
    assert bench.figures.state == {"seat LEDs": "dark", "combination lamps": "none"}
    bench.cabinet.turn_key(KeyPosition.JPL)
    bench.cabinet.inspector(True)
    bench.start()
    lights = PanelLights((Lamp.ON, *[Lamp.DARK] * 5, Lamp.ALERT), (False, True, False, False, True))
    bench.driver_as(GpioPanel).show(lights)
    assert bench.figures.state == {
        "key": "JPL",
        "inspector": "present",
        "seat LEDs": "on 1 alert 7",
        "combination lamps": "2 5",
    }
    bench.cabinet.panel.weld(KeyPosition.S)
    bench.run(1)
    assert bench.figures.state["key"] == "unreadable"
    assert bench.figures.identity == {"pins": "simulated", "settling time": "5 ms"}

"""The dealer panel on the cabinet's pins (the contract of `DealerPanel`)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPWMPin

from devices.device import Device
from devices.gpio_lines import DRIVERS, describe_holder
from devices.gpio_panel import GpioPanel
from devices.panel_wiring import PANEL_LINES, PanelWiring
from devices.pin_factories import pin_factory
from devices.roles import (
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    Lamp,
    PanelLights,
)
from tests.devices.table import Table

UP = DeviceUp(Device.PANEL)
LIGHTS = PanelLights(
    seats=(Lamp.ON, Lamp.DARK, Lamp.ALERT, Lamp.DARK, Lamp.DARK, Lamp.DARK, Lamp.ON),
    combinations=(False, True, False, False, False),
)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(None, inspector_fitted=True)
    yield table
    table.close()


def read_lights(table: Table) -> PanelLights:
    return PanelLights(
        tuple(table.cabinet.panel.seat_leds().values()), table.cabinet.panel.combination_lamps()
    )


def test_key_and_inspector_are_found_before_it_is_up(table: Table) -> None:
    table.cabinet.turn_key(KeyPosition.JPH)
    table.cabinet.inspector(True)
    table.start_panel()
    table.run()
    assert table.events == [KeyFound(KeyPosition.JPH), InspectorSeen(True), UP]


def test_no_inspector_is_reported_where_no_contact_is_fitted() -> None:
    table = Table(None)
    table.start_panel()
    table.run()
    table.cabinet.inspector(True)
    table.run()
    assert table.events == [KeyFound(KeyPosition.R), UP]
    table.close()


@pytest.mark.parametrize("button", list(Button))
def test_each_button_is_reported_once_within_20_ms(table: Table, button: Button) -> None:
    panel = table.start_panel()
    table.run()
    table.cabinet.panel.press(button)
    table.run(0.020)
    assert table.events_of(ButtonPressed) == [ButtonPressed(button)]
    table.run(1)
    assert table.events_of(ButtonPressed) == [ButtonPressed(button)]
    (pressed,) = (one for one in panel.inputs() if one.name == button.value)
    assert (pressed.edges, pressed.chatter) == (2, 0)


@pytest.mark.parametrize("position", list(KeyPosition)[1:])
def test_a_key_that_jumps_moves_once(table: Table, position: KeyPosition) -> None:
    table.start_panel()
    table.run()
    table.cabinet.turn_key(position)
    table.run(1)
    assert table.events_of(KeyMoved) == [KeyMoved(position)]
    assert not table.events_of(KeyUnreadable)


def test_a_key_between_two_positions_is_unreadable_after_500_ms(table: Table) -> None:
    table.start_panel()
    table.run()
    table.cabinet.turn_key(None)
    table.run(0.45)
    assert table.events_of(KeyMoved) == [KeyMoved(None)]
    assert not table.events_of(KeyUnreadable)
    table.run(10)
    assert table.events_of(KeyUnreadable) == [KeyUnreadable()]


def test_the_inspector_comes_and_goes(table: Table) -> None:
    table.start_panel()
    table.run()
    for present in (True, False):
        table.cabinet.inspector(present)
        table.run()
    assert [seen.present for seen in table.events_of(InspectorSeen)] == [False, True, False]


def test_a_button_held_at_the_start_does_nothing_until_it_is_pressed_again(table: Table) -> None:
    table.cabinet.panel.hold(Button.JPOT)
    table.start_panel()
    table.run(1)
    table.cabinet.panel.release(Button.JPOT)  # its contact chatters
    table.cabinet.panel.hold(Button.JPOT)
    table.run(1)
    table.cabinet.panel.release(Button.JPOT)
    table.run()
    assert not table.events_of(ButtonPressed)
    table.press(Button.JPOT)
    assert table.events_of(ButtonPressed) == [ButtonPressed(Button.JPOT)]


def test_the_lights_are_those_ordered_and_dark_when_closed(table: Table) -> None:
    panel = table.start_panel()
    panel.show(LIGHTS)
    assert read_lights(table) == LIGHTS
    panel.show(PanelLights())
    assert read_lights(table) == PanelLights()
    panel.show(LIGHTS)
    assert read_lights(table) == LIGHTS
    panel.close()
    assert read_lights(table) == PanelLights()


def test_an_unplugged_panel_is_lost_after_200_ms_with_no_other_complaint(table: Table) -> None:
    table.start_panel()
    table.run()
    table.events.clear()
    table.cabinet.unplug(Device.PANEL)
    table.run(0.19)
    assert table.events == []
    table.run(10)
    (lost,) = table.events
    assert isinstance(lost, DeviceLost)


def test_a_panel_back_on_its_plug_is_found_anew_and_lit(table: Table) -> None:
    panel = table.start_panel()
    table.run()
    panel.show(LIGHTS)
    table.cabinet.unplug(Device.PANEL)
    table.run(1)
    assert read_lights(table) == PanelLights()
    table.cabinet.turn_key(KeyPosition.S)
    table.cabinet.panel.hold(Button.GAME_OVER)
    table.cabinet.pin_factory.pin(PanelWiring().seats[0]).state = 0  # whatever put it out
    table.events.clear()
    table.cabinet.plug(Device.PANEL)
    table.run(1)
    table.cabinet.panel.release(Button.GAME_OVER)  # its contact chatters
    table.cabinet.panel.hold(Button.GAME_OVER)
    table.run(1)
    assert table.events == [KeyFound(KeyPosition.S), InspectorSeen(False), UP]
    assert read_lights(table) == LIGHTS


def test_a_plug_that_is_in_for_less_than_200_ms_changes_nothing(table: Table) -> None:
    table.start_panel()
    table.run()
    table.cabinet.unplug(Device.PANEL)
    table.run(1)
    table.events.clear()
    table.cabinet.plug(Device.PANEL)
    table.run(0.1)
    table.cabinet.unplug(Device.PANEL)
    table.run(1)
    assert table.events == []


def test_a_loose_plug_is_passed_over_but_a_key_turned_meanwhile_has_moved(table: Table) -> None:
    table.start_panel()
    table.run()
    table.events.clear()
    table.cabinet.unplug(Device.PANEL)
    table.run(0.1)
    table.cabinet.turn_key(KeyPosition.JPL)
    table.cabinet.plug(Device.PANEL)
    table.run(1)
    assert table.events == [KeyMoved(KeyPosition.JPL)]


def test_a_plug_that_flaps_and_never_rests_is_lost_once_and_comes_back(table: Table) -> None:
    """It was neither lost nor back, for as long as it flapped faster than every 200 ms."""
    table.start_panel()
    table.run()
    table.events.clear()
    for _ in range(50):
        table.cabinet.unplug(Device.PANEL)
        table.run(0.1)
        table.cabinet.plug(Device.PANEL)
        table.run(0.1)
    assert table.events == [DeviceLost(Device.PANEL, "its plug's presence contact flaps")]
    table.run(1)
    assert table.events[-1] == UP


def test_the_figures_say_why_a_panel_is_lost(table: Table) -> None:
    panel = table.start_panel()
    table.run()
    for _ in range(10):
        table.cabinet.unplug(Device.PANEL)
        table.run(0.1)
        table.cabinet.plug(Device.PANEL)
        table.run(0.1)
    (figures,) = panel.figures()
    assert (figures.up, figures.why_down) == (False, "its plug's presence contact flaps")
    table.run(1)
    assert panel.figures()[0].up
    table.cabinet.unplug(Device.PANEL)
    table.run(1)
    (figures,) = panel.figures()
    assert (figures.up, figures.why_down) == (False, "its plug's presence contact is open")


def test_a_plug_that_flaps_at_the_start_is_lost(table: Table) -> None:
    table.cabinet.unplug(Device.PANEL)
    table.start_panel()
    for _ in range(20):
        table.cabinet.plug(Device.PANEL)
        table.run(0.1)
        table.cabinet.unplug(Device.PANEL)
        table.run(0.1)
    (lost,) = table.events
    assert isinstance(lost, DeviceLost)
    table.run(1)
    assert table.events == [lost]


def test_a_panel_that_is_not_there_at_the_start_is_sought(table: Table) -> None:
    table.cabinet.unplug(Device.PANEL)
    table.start_panel()
    table.run(5)
    assert [type(event) for event in table.events] == [DeviceLost]
    table.cabinet.plug(Device.PANEL)
    table.run(1)
    assert table.events[-1] == UP


def test_a_new_controller_finds_the_contacts_as_they_are_after_a_power_cut(table: Table) -> None:
    panel = table.start_panel()
    panel.show(LIGHTS)
    table.cabinet.turn_key(KeyPosition.JPL)
    table.cabinet.cut_power()
    assert read_lights(table) == PanelLights()
    table.cabinet.restore_power()
    table.events.clear()
    table.start_panel()
    table.run()
    assert table.events[0] == KeyFound(KeyPosition.JPL)


def test_a_mock_pin_does_not_grow(table: Table) -> None:
    panel = table.start_panel()
    for _ in range(100):
        panel.show(LIGHTS)
        panel.show(PanelLights())
    assert all(len(pin.states) < 20 for pin in table.cabinet.pin_factory.pins.values())


def test_the_default_wiring_uses_every_line_once() -> None:
    wiring = PanelWiring()
    lines = [*wiring.contacts().values(), *wiring.seats, *wiring.combination_lamps]
    assert sorted(lines) == sorted(PANEL_LINES)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (lambda: PanelWiring(coin_in=14), r"\[14\]"),
        (lambda: PanelWiring(coin_in=5), r"more than one part: GPIO \[5\]"),
        (lambda: PanelWiring(seats=(17, 18)), "seats needs 7"),
    ],
)
def test_a_wrong_wiring_names_its_lines(wrong: Callable[[], object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        wrong()


def test_a_line_that_is_taken_is_named_with_its_part(table: Table) -> None:
    with LED(7, pin_factory=table.cabinet.pin_factory):
        why = r"^GPIO 7 \(combination button 5\) cannot be used: pin .*7 is already in use"
        with pytest.raises(OSError, match=why):
            table.start_panel()


def test_a_line_that_cannot_be_watched_is_named_with_its_part(table: Table) -> None:
    def refuse(_pin: object) -> None:
        raise OSError(16, "Device or resource busy")

    unwatched = type("UnwatchedPin", (MockPWMPin,), {"_enable_event_detect": refuse})
    factory = MockFactory(pin_class=unwatched)
    panel = GpioPanel(table.loop, PanelWiring(), factory, inspector_fitted=False)
    with pytest.raises(OSError, match=r"^GPIO 4 \(COIN IN\) .*Device or resource busy"):
        panel.start(table.events.append)
    panel.close()


def test_the_holder_of_a_line_is_named_and_what_gives_it_the_line() -> None:
    chip = Path("/dev/gpiochip0")
    assert describe_holder(chip, 7, "spi0 CS1") == (
        " on /dev/gpiochip0: 'spi0 CS1' holds it; take dtparam=spi=on out of config.txt if it is "
        "there, and end other programs that use the panel's lines"
    )
    assert "config.txt" not in describe_holder(chip, 27, "lg")
    assert describe_holder(chip, 7, "") == " on /dev/gpiochip0"
    assert set(DRIVERS) == {2, 3, 4, *range(7, 12), *range(18, 22)}  # docs/how-to/wiring.md


@pytest.mark.parametrize("name", ["lgpio", "rpigpio", "pigpio"])
def test_a_backend_that_cannot_be_had_is_an_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=name):
        pin_factory(name, tmp_path)

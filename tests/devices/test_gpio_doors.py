"""The contacts of the doors on the cabinet's pins (the contract of `Doors`)."""

from collections.abc import Iterator

import pytest
from gpiozero import LED

from devices.door_inputs import SHUTS_S
from devices.door_reports import DoorContact, DoorsSeen
from devices.gpio_doors import GpioDoors
from devices.panel_wiring import DoorWiring
from devices.roles import Event
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.virtual_time import VirtualLoop

LATCHED = DoorWiring(latch=26)
ALL_SHUT = DoorsSeen(())
CABINET_OPEN = DoorsSeen((DoorContact.CABINET, DoorContact.LATCH))


class DoorTable:
    """A cabinet whose doors have contacts, and what their driver has reported."""

    def __init__(self, wiring: DoorWiring = LATCHED) -> None:
        self.loop = VirtualLoop()
        self.wiring = wiring
        self.cabinet = SimulatedCabinet(self.loop, rail=None, inspector_fitted=False, doors=wiring)
        self.events: list[Event] = []

    def start(self) -> GpioDoors:
        doors = GpioDoors(self.loop, self.wiring, self.cabinet.pin_factory)
        doors.start(self.events.append)
        return doors

    def move(self, door: DoorContact, *, opened: bool, for_s: float) -> None:
        self.cabinet.move_door(door, opened=opened)
        self.loop.run_for(for_s)


@pytest.fixture
def table() -> Iterator[DoorTable]:
    table = DoorTable()
    yield table
    table.cabinet.close()
    table.loop.close()


def test_the_contacts_are_reported_at_the_start_and_with_each_change(table: DoorTable) -> None:
    doors = table.start()
    assert table.events == [ALL_SHUT]
    table.move(DoorContact.CABINET, opened=True, for_s=0.05)
    assert table.events[1:] == [CABINET_OPEN]
    table.move(DoorContact.CABINET, opened=False, for_s=SHUTS_S + 0.05)
    assert table.events[2:] == [DoorsSeen((DoorContact.LATCH,))]
    table.move(DoorContact.LATCH, opened=False, for_s=SHUTS_S + 0.05)
    assert table.events[3:] == [ALL_SHUT]
    doors.close()


def test_a_latch_set_without_power_is_reported_at_the_start(table: DoorTable) -> None:
    table.cabinet.cut_power()
    table.cabinet.move_door(DoorContact.LOGIC, opened=True)
    table.cabinet.move_door(DoorContact.LOGIC, opened=False)
    table.cabinet.restore_power()
    table.start().close()
    assert table.events == [DoorsSeen((DoorContact.LATCH,))]


def test_a_door_is_shut_when_it_has_rested_for_a_second(table: DoorTable) -> None:
    """A loose contact opens every 100 ms for a minute: one opening, and then one report."""
    doors = table.start()
    for _ in range(300):
        table.move(DoorContact.CABINET, opened=True, for_s=0.1)
        table.move(DoorContact.CABINET, opened=False, for_s=0.1)
    assert table.events == [ALL_SHUT, CABINET_OPEN]
    table.loop.run_for(SHUTS_S)
    assert table.events[2:] == [DoorsSeen((DoorContact.LATCH,))]
    doors.close()


def test_the_slowest_flapping_makes_about_one_report_a_second(table: DoorTable) -> None:
    doors = table.start()
    for _ in range(30):
        table.move(DoorContact.LOGIC, opened=True, for_s=0.03)
        table.move(DoorContact.LOGIC, opened=False, for_s=SHUTS_S + 0.01)
    assert len(table.events) <= 1 + 2 * 30
    doors.close()


def test_a_spike_is_no_opening(table: DoorTable) -> None:
    doors = table.start()
    table.move(DoorContact.CABINET, opened=True, for_s=0.01)
    table.move(DoorContact.CABINET, opened=False, for_s=2.0)
    assert DoorContact.CABINET not in {
        contact for event in table.events if isinstance(event, DoorsSeen) for contact in event.open
    }
    doors.close()


def test_people_see_each_contact_by_its_name(table: DoorTable) -> None:
    doors = table.start()
    table.move(DoorContact.CABINET, opened=True, for_s=0.05)
    assert [(one.name, one.closed) for one in doors.inputs()] == [
        ("door cabinet", False),
        ("door logic", True),
        ("latch", False),
    ]
    doors.close()


def test_a_line_that_is_taken_is_named_with_its_part(table: DoorTable) -> None:
    with LED(15, pin_factory=table.cabinet.pin_factory):
        why = r"^GPIO 15 \(door logic\) cannot be used: pin .*15 is already in use"
        with pytest.raises(OSError, match=why):
            table.start()


def test_without_a_latch_there_is_none() -> None:
    two = DoorTable(DoorWiring())
    doors = two.start()
    two.move(DoorContact.CABINET, opened=True, for_s=0.05)
    assert two.events == [ALL_SHUT, DoorsSeen((DoorContact.CABINET,))]
    doors.close()
    two.cabinet.close()
    two.loop.close()

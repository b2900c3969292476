"""The display over a line in memory and over a pseudo-terminal (the contract of `Display`)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.device import Device
from devices.escpos_display import ESCPOS
from devices.line_display import LineDisplay
from devices.roles import DeviceLost, DeviceUp, DisplayText, Event
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.display import SimulatedDisplay
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.memory_line import memory_wire
from firmware_bridge.serial_line import SerialLine
from tests.devices.real_time import run_until
from tests.devices.table import Table

TEXT = DisplayText(("JACKPOT", "       10.002,80 EUR"))
SHOWN = ("JACKPOT             ", "       10.002,80 EUR")
UP = DeviceUp(Device.DISPLAY)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(None)
    yield table
    table.close()


def test_it_shows_the_two_lines_within_200_ms(table: Table) -> None:
    display = table.start_display()
    display.show(TEXT)
    table.run(0.15)
    assert table.cabinet.display.lines() == SHOWN
    assert table.events == [UP]


def test_at_a_start_the_first_text_does_not_wait_for_blanks(table: Table) -> None:
    """A display is found before the ledger has said what it shows."""
    display = table.start_display()
    table.run(0.001)
    assert table.events == [UP]
    display.show(TEXT)
    table.run(0.02)
    assert table.cabinet.display.lines() == SHOWN


def test_of_many_texts_the_newest_is_shown(table: Table) -> None:
    display = table.start_display()
    table.run()
    for number in range(1000):
        display.show(DisplayText(("JACKPOT", str(number))))
    table.run(0.15)
    assert table.cabinet.display.lines()[1].rstrip() == "999"


def test_the_line_gets_no_more_than_it_carries_and_is_initialised_at_each_plug() -> None:
    loop = VirtualLoop()
    line, end = memory_wire(loop)
    received: list[bytes] = []
    end.on_received = received.append
    display = LineDisplay(loop, line, ESCPOS)
    display.start(lambda _: None)
    for number in range(100):
        display.show(DisplayText(("JACKPOT", str(number))))
        loop.run_for(0.01)
    assert len(b"".join(received)) <= 960 + 60
    assert b"".join(received).startswith(b"\x1b@")
    received.clear()
    end.unplug()
    loop.run_for(0.1)
    end.plug()
    loop.run_for(1)
    assert b"".join(received).startswith(b"\x1b@")
    display.close()
    loop.close()


def test_a_shorter_text_leaves_nothing_of_the_longer_one(table: Table) -> None:
    display = table.start_display()
    display.show(TEXT)
    table.run(0.2)
    display.show(DisplayText(("A", "B")))
    table.run(0.2)
    assert table.cabinet.display.lines() == ("A".ljust(20), "B".ljust(20))


def test_why_a_lost_display_is_down_is_what_was_heard_last(table: Table) -> None:
    display = table.start_display()
    table.run()
    table.cabinet.unplug(Device.DISPLAY)
    table.run(2)
    display.line_down("the port: DSR is off")
    assert display.figures()[0].why_down == "the port: DSR is off"
    assert [type(event) for event in table.events] == [DeviceUp, DeviceLost]


def test_an_unplugged_display_is_dark_and_lost_after_a_second(table: Table) -> None:
    table.start_display().show(TEXT)
    table.run()
    table.cabinet.unplug(Device.DISPLAY)
    assert table.cabinet.display.lines() == ("", "")
    table.run(0.9)
    assert table.events == [UP]
    table.run(5)
    assert [type(event) for event in table.events] == [DeviceUp, DeviceLost]


def test_a_display_that_is_back_is_written_again_within_5_s(table: Table) -> None:
    display = table.start_display()
    table.run()
    table.cabinet.unplug(Device.DISPLAY)
    table.run(2)
    display.show(TEXT)
    table.cabinet.plug(Device.DISPLAY)
    table.run(5)
    assert table.events[-1] == UP
    assert table.cabinet.display.lines() == SHOWN


def test_a_display_that_is_back_can_be_lost_again(table: Table) -> None:
    table.start_display()
    table.run()
    for _ in range(2):
        table.cabinet.unplug(Device.DISPLAY)
        table.run(2)
        table.cabinet.plug(Device.DISPLAY)
        table.run(5)
    assert [type(event) for event in table.events] == [DeviceUp, *([DeviceLost, DeviceUp] * 2)]


def test_a_short_interruption_is_no_loss_but_is_written_again(table: Table) -> None:
    table.start_display().show(TEXT)
    table.run()
    table.cabinet.unplug(Device.DISPLAY)
    table.run(0.3)
    table.cabinet.plug(Device.DISPLAY)
    table.run(1)
    assert table.cabinet.display.lines() == SHOWN
    table.run(5)
    assert table.events == [UP]


def test_a_character_it_cannot_show_is_a_question_mark(table: Table) -> None:
    table.start_display().show(DisplayText(("PERCHÉ", "€")))
    table.run(0.2)
    assert table.cabinet.display.lines()[0].rstrip() == "PERCH?"


def test_a_byte_lost_on_the_wire_does_not_stand(table: Table) -> None:
    display = SimulatedDisplay()
    display.receive(b"\x1b@\x1f$\x01\x01JACKPOT\x1f$")
    display.receive(b"\x01\x02X\x1f")
    display.receive(b"C\x00Y")
    assert display.lines() == ("JACKPOT".ljust(20), "XY".ljust(20))
    table.start_display().show(TEXT)
    table.run()
    table.cabinet.display.receive(b"GARBAGE")
    assert table.cabinet.display.lines() != SHOWN
    table.run(6)
    assert table.cabinet.display.lines() == SHOWN


def test_over_a_pseudo_terminal_it_is_shown_lost_and_found_again(tmp_path: Path) -> None:
    loop = asyncio.new_event_loop()
    cabinet = SimulatedCabinet(loop, rail=None, inspector_fitted=False)
    path = cabinet.serve_pty(Device.DISPLAY, tmp_path)
    events: list[Event] = []
    display = LineDisplay(loop, SerialLine(str(path), 9600, loop=loop), ESCPOS)
    display.start(events.append)
    display.show(TEXT)
    run_until(loop, lambda: cabinet.display.lines() == SHOWN)
    cabinet.unplug(Device.DISPLAY)
    assert not path.exists()
    run_until(loop, lambda: len(events) == 2)
    cabinet.plug(Device.DISPLAY)
    run_until(loop, lambda: cabinet.display.lines() == SHOWN)
    run_until(loop, lambda: [type(event) for event in events] == [DeviceUp, DeviceLost, DeviceUp])
    display.close()
    cabinet.close()
    loop.close()


def test_a_terminal_that_nobody_reads_blocks_nothing(tmp_path: Path) -> None:
    loop = VirtualLoop()
    cabinet = SimulatedCabinet(loop, rail="slot", inspector_fitted=False)
    cabinet.serve_pty(Device.RAIL, tmp_path)
    loop.run_for(600)
    cabinet.close()
    loop.close()


def test_a_display_that_was_never_found_is_lost_for_what_the_port_says(tmp_path: Path) -> None:
    loop = asyncio.new_event_loop()
    events: list[Event] = []
    path = tmp_path / "display"
    display = LineDisplay(loop, SerialLine(str(path), 9600, loop=loop), ESCPOS)
    display.start(events.append)
    run_until(loop, lambda: bool(events))
    lost = events[0]
    assert isinstance(lost, DeviceLost)
    assert f"{path}: " in lost.why
    assert "No such file or directory" in lost.why
    display.close()
    loop.close()

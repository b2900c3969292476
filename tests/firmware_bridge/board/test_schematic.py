"""The carrier board connects what the firmware's table of lines says, and its files are those that
KiCad has checked and made.
"""

import csv
import re

import pytest

from firmware_bridge.board import pins
from tests.firmware_bridge.board.netlist import PICO, Netlist, read_netlist
from tests.firmware_bridge.board.pico_lines import list_lines
from tests.firmware_bridge.board.schematic import (
    BILL,
    HASHES,
    WIRING,
    compact_picture,
    list_hashes,
    renew_plugs,
)

SEATS = range(7)
FIRST, SECOND = "U2", "U3"
"""The shift registers: the one at the Pico, the one behind it."""


@pytest.fixture(scope="module")
def netlist() -> Netlist:
    return read_netlist()


def follow_line(netlist: Netlist, line: int) -> set[str]:
    """Where a line of the Pico leads to, itself left out."""
    ends = netlist.follow(netlist.net_of(PICO, f"GPIO{line}"))
    assert f"{PICO} GPIO{line}" in ends
    return ends - {f"{PICO} GPIO{line}"}


def follow_bit(netlist: Netlist, bit: int) -> set[str]:
    """Where an input of the shift registers leads to, as the firmware numbers them."""
    chip, pin = (FIRST, bit - 8) if bit >= 8 else (SECOND, bit)
    return netlist.follow(netlist.net_of(chip, f"D{pin}")) - {f"{chip} D{pin}"}


@pytest.mark.parametrize("seat", SEATS)
def test_every_line_of_a_seat_leads_to_its_own_plug(netlist: Netlist, seat: int) -> None:
    plug = f"J{seat + 1}01"
    lamp, gate = pins.LAMPS[seat], pins.GATES[seat]
    assert follow_line(netlist, gate) == {f"{plug} GATE-"}
    assert follow_line(netlist, pins.DROPS[seat]) == {f"{plug} DROP_SENSOR"}
    sensed = f"{SECOND} D{pins.SHIFT_LAMPS + seat}"
    assert follow_line(netlist, lamp) == {f"{plug} LAMP-", sensed}
    assert follow_bit(netlist, pins.SHIFT_SEATS + seat) == {f"{plug} SEAT_SENSOR"}
    assert follow_bit(netlist, pins.SHIFT_LAMPS + seat) == {f"{plug} LAMP-", f"U1 GPIO{lamp}"}


def test_tray_jumper_and_registers_are_where_the_firmware_reads_them(netlist: Netlist) -> None:
    assert follow_bit(netlist, pins.SHIFT_TRAY) == {"J3 TRAY_SENSOR"}
    assert follow_bit(netlist, pins.SHIFT_JUMPER) == {"J4 JUMPER"}
    assert follow_line(netlist, pins.SHIFT_LOAD) == {f"{FIRST} ~{{PL}}", f"{SECOND} ~{{PL}}"}
    assert follow_line(netlist, pins.SHIFT_CLOCK) == {f"{FIRST} CP", f"{SECOND} CP"}
    assert follow_line(netlist, pins.SHIFT_DATA) == {f"{FIRST} Q7"}
    assert netlist.net_of(FIRST, "DS") == netlist.net_of(SECOND, "Q7")
    assert {netlist.net_of(chip, "~{CE}") for chip in (FIRST, SECOND)} == {"GND"}


def test_only_the_isolator_joins_the_boards_side_and_the_adapters(netlist: Netlist) -> None:
    assert follow_line(netlist, pins.UART_TX) == {"U5 INB"}
    assert follow_line(netlist, pins.UART_RX) == {"U5 OUTA"}
    assert netlist.follow(netlist.net_of("U5", "OUTB")) == {"U5 OUTB", "J2 HOST_RXD"}
    assert netlist.follow(netlist.net_of("U5", "INA")) == {"U5 INA", "J2 HOST_TXD"}
    host = {name for name in netlist.nets if name.startswith("/HOST_")}
    parts = {pin.part for name in host for pin in netlist.nets[name]}
    assert parts == {"J2", "U5", "C6"}
    assert {name for part in ("J2", "C6") for name in netlist.nets_of(part)} - host == {
        "unconnected-(J2-Pin_2-Pad2)",
        "unconnected-(J2-Pin_6-Pad6)",
    }


def test_no_other_line_of_the_pico_is_connected(netlist: Netlist) -> None:
    joined = {
        int(pin.function.removeprefix("GPIO"))
        for pins_on in netlist.nets.values()
        for pin in pins_on
        if pin.part == PICO and pin.function.startswith("GPIO") and len(pins_on) > 1
    }
    assert sorted(joined) == [line for line, _ in list_lines(pins.SLOT_RAIL)]


@pytest.mark.parametrize("line", [*pins.GATES, *pins.LAMPS])
def test_gates_and_lamps_are_low_without_a_program(netlist: Netlist, line: int) -> None:
    net = netlist.net_of(PICO, f"GPIO{line}")
    pulled = [
        netlist.parts[pin.part]["Value"]
        for pin in netlist.nets[net]
        if pin.part[0] == "R" and "GND" in netlist.nets_of(pin.part)
    ]
    assert pulled == ["10k"]


def test_the_bill_names_every_part_with_its_maker(netlist: Netlist) -> None:
    with BILL.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    listed = [part for row in rows for part in row["Reference"].split(",")]
    assert sorted(listed) == sorted(netlist.parts)
    assert [row for row in rows if not (row["MPN"] and row["Manufacturer"])] == []


def test_the_files_are_those_that_kicad_checked_and_made() -> None:
    assert HASHES.read_text("utf-8") == list_hashes(), "the schematic has changed: make carrier"


def test_the_plugs_on_the_page_are_those_of_the_netlist() -> None:
    page = WIRING.read_text("utf-8")
    assert renew_plugs(page) == page, "the netlist has changed: make carrier"


def test_a_picture_keeps_its_texts_and_loses_strokes_and_date() -> None:
    drawn = '<svg\n x="1">\n<title>date</title><text opacity="0" stroke-opacity="0">R1</text>'
    strokes = '<g class="stroked-text"><path d="M1 1"/></g></svg>'
    text = compact_picture(drawn + strokes)
    assert not {"date", "path"} & set(re.findall(r"\w+", text))
    assert 'stroke:none">R1</text>' in text

"""Draws the boards' schematic from the pin tables: python -m tests.firmware_bridge.board.schematic.

docs/pictures/board-lines.svg has every line of the Pico, board-circuits.svg what is at each.
"""

from pathlib import Path

from firmware_bridge.board import pins
from tests.firmware_bridge.board.drawing import Drawing

PICTURES = Path(__file__).resolve().parents[3] / "docs" / "pictures"

GROUND = "GND"
LEFT = (0, 1, GROUND, 2, 3, 4, 5, GROUND, 6, 7, 8, 9, GROUND, 10, 11, 12, 13, GROUND, 14, 15)
"""Pins 1 to 20 of the Pico's header, from the top: the line, or what else it is."""

RIGHT = (
    "VBUS", "VSYS", GROUND, "3V3_EN", "3V3", "ADC_VREF", 28, "AGND", 27, 26,
    "RUN", 22, GROUND, 21, 20, 19, 18, GROUND, 17, 16,
)  # fmt: skip
"""Pins 40 down to 21."""

CONNECTED = {
    "VSYS": "5 V, through the diode",
    GROUND: "ground",
    "AGND": "ground",
    "3V3": "3.3 V for the 74HC165s and the pull-ups",
}
ROW = 30
"""The distance of two pins."""


def describe_line(line: int) -> str:
    """What is at a line."""
    name = dict(pins.list_lines(pins.SLOT_RAIL))[line]
    part, _, seat = name.partition(" ")
    return {
        "UART": f"{'to RXD' if seat == 'TX' else 'from TXD'} of the adapter ({name})",
        "gate": f"gate of seat {seat}: circuit G",
        "lamp": f"lamp of seat {seat}: circuit L",
        "drop": f"drop sensor of seat {seat}: circuit S",
        "74HC165": f"74HC165s {seat}: circuit R",
    }[part]


def draw_lines() -> str:
    """The Pico and its 40 pins."""
    drawing = Drawing(960, 700, "The lines of the Raspberry Pi Pico on a rail's board")
    drawing.write((480, 30), "Raspberry Pi Pico, seen from above", "middle", "title")
    drawing.box((380, 50), 200, 620, "Pico")
    for row in range(20):
        _draw_pin(drawing, 0, row, LEFT[row])
        _draw_pin(drawing, 1, row, RIGHT[row])
    return drawing.to_svg()


def _draw_pin(drawing: Drawing, side: int, row: int, what: int | str) -> None:
    y = 75 + ROW * row
    number = row + 1 if side == 0 else 40 - row
    label = f"GP{what}" if isinstance(what, int) else what
    goes = describe_line(what) if isinstance(what, int) else CONNECTED.get(what, "")
    edge, inside, end, outside, anchor = (
        (380, 388, 330, 322, "end") if side == 0 else (580, 572, 630, 638, "start")
    )
    drawing.write((inside, y + 5), label, "start" if side == 0 else "end")
    drawing.write((end + (20 if side == 0 else -20), y - 4), str(number), "middle", "small")
    drawing.wire((edge, y), (end, y))
    drawing.write((outside, y + 5), goes or "open", anchor, "" if goes else "small")


def draw_circuits() -> str:
    """What is at the lines: sensors, shift register, gates, lamps, serial line and supply."""
    drawing = Drawing(1080, 1150, "The circuits of a rail's board")
    _draw_sensor(drawing, 40, 60)
    ends = (f"GP{pins.SHIFT_DATA}", "the second's QH")
    _draw_register(drawing, (590, 60), "R  seats and tray", [*seats("seat"), "tray"], ends)
    lamps = [*seats("lamp"), "jumper to 3.3 V, 10 kΩ to ground"]
    _draw_register(drawing, (300, 900), "R  the second: lamps", lamps, ("the first's SER", GROUND))
    _draw_gate(drawing, 40, 350)
    _draw_lamp(drawing, 590, 350)
    _draw_serial(drawing, 40, 680)
    _draw_supply(drawing, 590, 680)
    return drawing.to_svg()


def seats(what: str) -> list[str]:
    """What seats 1 to 7 have."""
    return [f"{what} {seat + 1}" for seat in range(len(pins.LAMPS))]


def _span(lines: tuple[int, ...]) -> str:
    return f"GP{lines[0]} to GP{lines[-1]}"


def _draw_sensor(drawing: Drawing, x: float, y: float) -> None:
    drawing.write((x, y - 20), "S  a sensor, 15 times", style="title")
    drawing.box((x, y + 40), 120, 80, "slot sensor", "EE-SX672", "NPN")
    drawing.supply((x + 60, y + 40), "24 V")
    drawing.ground((x + 60, y + 120))
    drawing.wire((x + 120, y + 80), (x + 180, y + 80))
    drawing.join((x + 180, y + 80))
    drawing.supply((x + 180, y + 20), "3.3 V")
    drawing.resistor((x + 180, y + 20), (x + 180, y + 80), "4.7 kΩ")
    drawing.resistor((x + 180, y + 80), (x + 290, y + 80), "1 kΩ")
    drawing.join((x + 290, y + 80))
    drawing.capacitor((x + 290, y + 80), (x + 290, y + 130), "100 nF")
    drawing.ground((x + 290, y + 130))
    drawing.wire((x + 290, y + 80), (x + 340, y + 80))
    drawing.write((x + 348, y + 76), _span(pins.DROPS))
    drawing.write((x + 348, y + 96), "or a 74HC165 input")
    drawing.write(
        (x, y + 190),
        "Seats: dark-ON, low at a token. Drops and tray: light-ON, high at a token or a cut wire.",
        style="small",
    )


def _draw_register(
    drawing: Drawing, at: tuple[float, float], title: str, names: list[str], ends: tuple[str, str]
) -> None:
    x, y = at
    drawing.write((x, y - 20), title, style="title")
    drawing.box((x + 130, y), 150, 220)
    drawing.write((x + 158, y + 196), "74HC165")
    for number, name in enumerate(names):
        row = y + 20 + 24 * number
        drawing.wire((x + 80, row), (x + 130, row))
        drawing.write((x + 72, row + 5), name, "end")
        drawing.write((x + 138, row + 5), "ABCDEFGH"[number])
    data, behind = ends
    right = ((f"GP{pins.SHIFT_LOAD}", "SH/LD"), (f"GP{pins.SHIFT_CLOCK}", "CLK"))
    for number, (line, name) in enumerate((*right, (data, "QH"), (behind, "SER"))):
        row = y + 30 + 40 * number
        drawing.wire((x + 280, row), (x + 330, row))
        drawing.write((x + 338, row + 5), line)
        drawing.write((x + 272, row + 5), name, "end")
    drawing.wire((x + 280, y + 180), (x + 300, y + 180), (x + 300, y + 196))
    drawing.write((x + 272, y + 185), "CLK INH", "end")
    drawing.ground((x + 300, y + 196))
    drawing.write((x + 130, y + 238), "VCC 3.3 V with 100 nF to GND", style="small")


def _draw_gate(drawing: Drawing, x: float, y: float) -> None:
    drawing.write((x, y - 20), "G  a gate, 7 times", style="title")
    drawing.write((x, y + 165), _span(pins.GATES))
    drawing.write(
        (x, y + 275), "10 kΩ to ground: the gate is shut without a program.", style="small"
    )
    drawing.wire((x, y + 180), (x + 60, y + 180))
    drawing.join((x + 60, y + 180))
    drawing.resistor((x + 60, y + 180), (x + 60, y + 240), "10 kΩ")
    drawing.ground((x + 60, y + 240))
    drawing.resistor((x + 60, y + 180), (x + 190, y + 180), "100 Ω")
    drain, source = drawing.mosfet((x + 190, y + 180))
    drawing.ground(source)
    drawing.write((source[0] + 12, y + 185), "AO3422")
    drawing.wire(drain, (drain[0], y + 130))
    drawing.join((drain[0], y + 130))
    drawing.resistor(
        (drain[0], y + 60), (drain[0], y + 130), "coil of the gate, 24 V, at most 0.4 A"
    )
    drawing.wire((drain[0], y + 130), (drain[0] - 60, y + 130))
    drawing.diode((drain[0] - 60, y + 130), (drain[0] - 60, y + 60), "")
    drawing.write((drain[0] - 74, y + 100), "1N4007", "end", "small")
    drawing.wire((drain[0] - 60, y + 60), (drain[0], y + 60))
    drawing.join((drain[0], y + 60))
    drawing.resistor((drain[0], y + 10), (drain[0], y + 60), "RXEF050, resettable fuse")
    drawing.supply((drain[0], y + 10), "24 V")


def _draw_lamp(drawing: Drawing, x: float, y: float) -> None:
    drawing.write((x, y - 20), "L  a lamp, 7 times", style="title")
    drawing.write((x, y + 125), _span(pins.LAMPS))
    drawing.wire((x, y + 140), (x + 60, y + 140))
    drawing.join((x + 60, y + 140))
    drawing.resistor((x + 60, y + 140), (x + 60, y + 210), "10 kΩ")
    drawing.ground((x + 60, y + 210))
    drawing.wire((x + 60, y + 140), (x + 140, y + 140))
    drawing.box((x + 140, y + 100), 130, 90, "ULN2803A", "1 of 8")
    drawing.wire((x + 270, y + 140), (x + 310, y + 140), (x + 310, y + 110))
    drawing.lamp((x + 310, y + 30), (x + 310, y + 110), "lamp, 24 V, 0.1 A")
    drawing.supply((x + 310, y + 30), "24 V")
    drawing.ground((x + 205, y + 190))
    drawing.join((x + 310, y + 140))
    drawing.resistor((x + 310, y + 140), (x + 390, y + 140), "470 kΩ")
    drawing.join((x + 390, y + 140))
    drawing.resistor((x + 390, y + 140), (x + 390, y + 210), "100 kΩ")
    drawing.ground((x + 390, y + 210))
    drawing.wire((x + 390, y + 140), (x + 430, y + 140))
    drawing.write((x + 400, y + 130), "R, the second", style="small")
    drawing.write((x, y + 275), "COM stays open: its diode would leak into R.", style="small")


def _draw_serial(drawing: Drawing, x: float, y: float) -> None:
    drawing.write((x, y - 20), "The serial line", style="title")
    drawing.box((x + 260, y), 190, 140, "TTL-232R-3V3", "USB cable", "to the hub")
    rows = ((f"GP{pins.UART_TX}", "RXD, yellow"), (f"GP{pins.UART_RX}", "TXD, orange"))
    for number, (line, name) in enumerate((*rows, (GROUND, "GND, black"))):
        row = y + 30 + 40 * number
        drawing.write((x, row + 5), line)
        drawing.wire((x + 45, row), (x + 260, row))
        drawing.write((x + 250, row - 6), name, "end", "small")


def _draw_supply(drawing: Drawing, x: float, y: float) -> None:
    drawing.write((x, y - 20), "The supply", style="title")
    drawing.write((x, y + 82), "24 V")
    drawing.resistor((x, y + 60), (x + 110, y + 60), "fuse T 4 A")
    drawing.join((x + 110, y + 60))
    drawing.wire((x + 110, y + 60), (x + 110, y + 20), (x + 150, y + 20))
    drawing.write((x + 156, y + 25), "24 V of sensors, gates, lamps")
    drawing.wire((x + 110, y + 60), (x + 150, y + 60))
    drawing.box((x + 150, y + 35), 120, 55, "TSR 1-2450", "24 V → 5 V")
    drawing.ground((x + 210, y + 90))
    drawing.diode((x + 270, y + 60), (x + 380, y + 60), "1N5817")
    drawing.write((x + 388, y + 65), "VSYS")
    drawing.write(
        (x, y + 145), "Grounds of Pico, sensors and 24 V meet at the supply.", style="small"
    )


def draw_pictures() -> dict[str, str]:
    """Each picture's text by its file's name."""
    return {"board-lines.svg": draw_lines(), "board-circuits.svg": draw_circuits()}


if __name__ == "__main__":
    for name, text in draw_pictures().items():
        (PICTURES / name).write_text(text, "utf-8")

"""Which line of the Raspberry Pi Pico goes where: a table for each kind of rail.

docs/how-to/board.md.

What must be dark or shut without a working program, gates and lamps, has lines of its own: a reset
turns them into inputs, and their resistors pull them down. The seats' sensors and the tray's share
three lines through a 74HC165, because the Pico's 26 lines are one too few.
"""

SLOT_RAIL = 1
SENSOR_RAIL = 2
CCTALK_SLOTS = 6
"""The kinds of board that these tables are for, as IDENTITY names them."""

UART_TX = 0
UART_RX = 1
GATES = (2, 3, 4, 5, 6, 7, 8)
LAMPS = (9, 10, 11, 12, 13, 14, 15)
DROPS = (16, 17, 18, 19, 20, 21, 22)
"""A line for each seat, seat 1 first."""

SHIFT_LOAD = 26
SHIFT_CLOCK = 27
SHIFT_DATA = 28
"""The 74HC165: a low pulse on LOAD takes its inputs in, each rising CLOCK brings the next one."""

SHIFT_JUMPER = 8
"""The jumper is at SER, which comes after the eight inputs; high while it is closed."""

SHIFT_TRAY = 7
"""The tray's input of the 74HC165: H, the first to come. Inputs A to G are seats 1 to 7."""

LED = 25
"""The Pico's own, not on its header."""


def list_lines(kind: int) -> list[tuple[int, str]]:
    """The lines that a board of this kind uses, lowest first, each with its name."""
    named = [(UART_TX, "UART TX"), (UART_RX, "UART RX")]
    named += [(line, f"lamp {seat + 1}") for seat, line in enumerate(LAMPS)]
    named += [(SHIFT_LOAD, "74HC165 load"), (SHIFT_CLOCK, "74HC165 clock")]
    named += [(SHIFT_DATA, "74HC165 data")]
    if kind == SLOT_RAIL:
        named += [(line, f"gate {seat + 1}") for seat, line in enumerate(GATES)]
        named += [(line, f"drop {seat + 1}") for seat, line in enumerate(DROPS)]
    return sorted(named)

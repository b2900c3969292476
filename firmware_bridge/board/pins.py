"""Which line of the Raspberry Pi Pico goes where: a table for each kind of rail.

docs/how-to/board.md.

What must be dark or shut without a working program, gates and lamps, has lines of its own: a reset
turns them into inputs, and their resistors pull them down. The seats' sensors, the tray's and what
the lamps' wires show share three lines through two 74HC165 in a row: the Pico's 26 lines are too
few.
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
"""The 74HC165s: LOAD low takes their inputs in, each rising CLOCK brings the next one."""

SHIFT_TRAY = 15
SHIFT_SEATS = 8
SHIFT_JUMPER = 7
SHIFT_LAMPS = 0
"""The bits of what is shifted in, the first one highest: of the register at the Pico inputs H (the
tray) and G to A (seats 7 to 1), of the one behind it H (the jumper, high while it is closed) and G
to A (lamps 7 to 1)."""

LED = 25
"""The Pico's own, not on its header."""

"""The lines of the Raspberry Pi Pico that the pin tables use."""

from firmware_bridge.board import pins


def list_lines(kind: int) -> list[tuple[int, str]]:
    """The lines that a board of this kind uses, lowest first, each with its name."""
    named = [(pins.UART_TX, "UART TX"), (pins.UART_RX, "UART RX")]
    named += [(line, f"lamp {seat + 1}") for seat, line in enumerate(pins.LAMPS)]
    named += [(pins.SHIFT_LOAD, "74HC165 load"), (pins.SHIFT_CLOCK, "74HC165 clock")]
    named += [(pins.SHIFT_DATA, "74HC165 data")]
    if kind == pins.SLOT_RAIL:
        named += [(line, f"gate {seat + 1}") for seat, line in enumerate(pins.GATES)]
        named += [(line, f"drop {seat + 1}") for seat, line in enumerate(pins.DROPS)]
    return sorted(named)

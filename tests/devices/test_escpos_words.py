"""What is written to the display, in words."""

from devices.escpos_display import describe_written
from devices.line_display import describe_received


def test_what_is_written_to_the_display() -> None:
    written = (
        b"\x1b@\x1f\x01\x1fC\x00\x1f$\x01\x01JACKPOT   "
        b"\x1f$\x01\x02  10,00\xff\x1fC\x01\x1f$\x02\x01"
    )
    assert describe_written(written) == (
        "clear, overwrite, no cursor, at 1,1 'JACKPOT', at 1,2 '  10,00', ff, cursor, at 2,1"
    )
    assert describe_received(b"abc") == "bad: 3 bytes from a display that says nothing"

"""The boards' own firmware: one source for CPython, MicroPython's unix port and the chip.

Pure: bytes, levels and milliseconds in; bytes, lamps and gates out
(docs/dev/decisions/0006-boards.md). It imports only what MicroPython has. The time is a
counter of milliseconds that never wraps: `clock.TickClock` makes it of a chip's, which does.
"""

"""Counters of 16 bits, as boards and acceptors keep them, and the rules follow them."""

CYCLE = 0x10000
"""They count modulo this number."""

HALF_CYCLE = CYCLE // 2
"""A difference of so much or more means that the counter ran backwards."""

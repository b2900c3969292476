"""A message over a pipe: one JSON object a line, of limited length."""

import msgspec


def encode_line(message: msgspec.Struct, longest: int) -> bytes:
    """The message as a line. Raises ValueError for more than `longest` bytes, its end included."""
    line = msgspec.json.encode(message) + b"\n"
    if len(line) > longest:
        raise ValueError(f"a message of {len(line)} bytes; at most {longest} are read")
    return line

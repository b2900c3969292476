"""The bytes on a display's line in words, for people who look at its last pieces. Pure.

`clear, overwrite, no cursor, at 1,1 'JACKPOT', at 1,2 '10.002,80 EUR'`. No bytes raise an error,
and the result is ASCII that is safe for a terminal.
"""

import re
from collections.abc import Iterator

_COMMANDS = re.compile(
    rb"(?P<text>[\x20-\x7e]+)|\x1f\$(?P<move>..)|(?P<clear>\x1b@)|(?P<overwrite>\x1f\x01)"
    rb"|(?P<cursor>\x1fC.)|(?P<other>.)",
    re.DOTALL,
)


def describe_written(raw: bytes) -> str:
    """Text and commands in the order of the bytes."""
    return ", ".join(_parts(raw)) or "nothing"


def describe_received(raw: bytes) -> str:
    """A display sends nothing: whatever is received is bad."""
    return f"bad: {len(raw)} bytes from a display that says nothing"


def _parts(raw: bytes) -> Iterator[str]:
    place = ""
    for command in _COMMANDS.finditer(raw):
        text, move = command["text"], command["move"]
        if move is not None:
            place = f"at {move[0]},{move[1]} "
            continue
        if text is not None:
            yield f"{place}'{text.decode('ascii').rstrip()}'"
        else:
            yield place + _command(command)
        place = ""
    if place:
        yield place.rstrip()


def _command(command: re.Match[bytes]) -> str:
    if command["cursor"] is not None:
        return "cursor" if command["cursor"][-1] else "no cursor"
    if command["other"] is not None:
        return command["other"].hex()
    return str(command.lastgroup)

"""The commands of an ESC/POS display, 9600 8N1 (docs/reference/rules.md, section 1).

The commands are those of the Epson DM-D series: ESC @ initialises and clears, US MD1 (1F 01)
overwrites in place, US C 0 hides the cursor, US $ x y moves it.
"""

import re
from collections.abc import Iterator

from devices.line_display import DisplayCommands

_COMMANDS = (
    rb"(?s)(?P<text>[\x20-\x7e]+)|\x1f\$(?P<move>..)|(?P<clear>\x1b@)|(?P<overwrite>\x1f\x01)"
    rb"|(?P<cursor>\x1fC.)|(?P<other>.)"
)


def describe_written(raw: bytes) -> str:
    """Text and commands in the order of the bytes."""
    return ", ".join(_parts(raw)) or "nothing"


def _parts(raw: bytes) -> Iterator[str]:
    place = ""
    for command in re.finditer(_COMMANDS, raw):
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


ESCPOS = DisplayCommands(
    name="ESC/POS display",
    initialise=b"\x1b@",
    settings=b"\x1f\x01" + b"\x1fC\x00",
    lines=(lambda text: b"\x1f$\x01\x01" + text, lambda text: b"\x1f$\x01\x02" + text),
    describe=describe_written,
)

"""`banco check`: what a configuration says, and what is wrong or risky in it."""

import sys
from pathlib import Path

from console.configuration.adopted import adopt_content
from console.configuration.file import ConfigurationErrors, content_of
from console.configuration.keys import fingerprint
from console.configuration.risks import find_risks
from console.configuration.room_file import check_room, is_room
from firmware_bridge.board_link.framing import describe_slow_codec

DONE, UNUSABLE = 0, 2


def check_configuration(file: Path) -> int:
    """Check a table's or a room's configuration; the exit status."""
    try:
        content = content_of(file)
        if is_room(content):
            check_room(str(file), content)
            print(f"{file}: a room, in order")
            return DONE
        configuration = adopt_content(file, content).in_force
    except ConfigurationErrors as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print(f"{file}: a {configuration.kind.value} table, {configuration.game}, in order")
    print(f"sha256 of the configuration: {fingerprint(configuration)}")
    for risk in find_risks(configuration):
        print(f"warning: {risk}", file=sys.stderr)
    slow = describe_slow_codec()
    if slow:
        print(f"note: {slow}", file=sys.stderr)
    return DONE

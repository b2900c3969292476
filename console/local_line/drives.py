"""Whether outputs can be driven as somebody asks; the answer goes to people."""

from console.drive import Drive
from devices.roles import ALL_DARK, COMBINATION_BUTTONS, SEATS, DisplayText, Lamp, RailTraits

COLUMNS = 20


def objection(drive: Drive, rail: RailTraits | None) -> str | None:
    """What is wrong with a drive at a table with this rail; None: nothing."""
    panel = drive.panel
    if len(drive.slots) != len(SEATS):
        return "slots: seven lamps, seat 1 first"
    if len(panel.seats) != len(SEATS) or Lamp.INVITE in panel.seats:
        return "panel.seats: seven lamps, seat 1 first, DARK, ON or ALERT"
    if len(panel.combinations) != len(COMBINATION_BUTTONS):
        return "panel.combinations: five, from the left"
    if not drive.gates <= set(SEATS):
        return "gates: seats are numbers from 1 to 7"
    if rail is None and drive.slots != ALL_DARK:
        return "slots: this table has no rail"
    if drive.gates and not (rail and rail.gates):
        return "gates: this table has none"
    return _unreadable(drive.display) if drive.display is not None else None


def _unreadable(text: DisplayText) -> str | None:
    for line in text.lines:
        if len(line) > COLUMNS or not (line.isascii() and line.isprintable()):
            return f"display: two lines of at most {COLUMNS} printable ASCII characters"
    return None

"""Findings: what the service notices besides faults of the rules.

A finding refuses nothing and locks nothing. It is computed from figures, lasts as long as they do,
and tells a technician where to look first.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum

import msgspec

from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from devices.roles import SEATS, Button, KeyPosition
from jackpot.money.prizes import Combination


class FindingCode(Enum):
    """The codes of findings; their texts are in the catalogue."""

    BUTTON_HELD = "BUTTON_HELD"
    KEY_CONTACTS = "KEY_CONTACTS"
    CONTACT_CHATTERS = "CONTACT_CHATTERS"
    SENSOR_DEAD = "SENSOR_DEAD"
    SENSOR_COVERED = "SENSOR_COVERED"
    LAMP_DEAD = "LAMP_DEAD"
    GATE_STICKS = "GATE_STICKS"
    SHUFFLER_JAMMED = "SHUFFLER_JAMMED"
    BOARD_RESTARTS = "BOARD_RESTARTS"
    TWO_BOARDS = "TWO_BOARDS"
    REPORTS_FLOOD = "REPORTS_FLOOD"
    LINE_NOISY = "LINE_NOISY"
    DISK_FILLS = "DISK_FILLS"
    UNDER_VOLTAGE = "UNDER_VOLTAGE"
    HOT = "HOT"
    LOOP_STALLS = "LOOP_STALLS"
    COPY_LOST = "COPY_LOST"
    COPY_BEHIND = "COPY_BEHIND"
    SEAL_LOST = "SEAL_LOST"
    WITNESS_LOST = "WITNESS_LOST"
    NOT_COMPARED = "NOT_COMPARED"
    CLOCK_UNSYNCED = "CLOCK_UNSYNCED"
    PIN_GUESSED = "PIN_GUESSED"
    BOARD_NOT_ENROLLED = "BOARD_NOT_ENROLLED"
    BOARD_WITHOUT_KEY = "BOARD_WITHOUT_KEY"


class Finding(msgspec.Struct, frozen=True):
    """Something noticed besides faults of the rules: its code, place and detail."""

    code: str
    where: str
    detail: str = ""


HELD_MS = 10_000
"""A button closed for longer is being held, or is stuck."""

KEY_SETTLES_MS = 500
"""While the key turns, none or two of its contacts may be closed for so long
(docs/reference/rules.md, section 6)."""

CHATTER = 100
CHATTER_A_CHANGE = 10
"""A contact chatters from this number of bounces, in all and for each settled change."""

COVERED_MS = 30 * 60_000
"""While a table is played, no token and no changed card lies on a sensor for so long."""

NOISY_FRAMES = 20
NOISY_SHARE = 0.01
"""A line is noisy from this number of bad frames, if they are also this share of all frames."""

LEAST_FREE_MB = 200.0
"""Less free space on the ledger's disk than this is named, long before the disk is full."""

HOTTEST_C = 80.0
"""At 80 degrees the Raspberry Pi slows down."""

LONGEST_STALL_MS = 100.0

LATE_S = 60.0
"""How long a counterpart may lack the newest record."""

BUTTONS = frozenset({*(button.value for button in Button), *Combination})
KEY_CONTACTS = {f"key {position.value}": position.value for position in KeyPosition}


def find(
    inputs: Sequence[InputFigures],
    devices: Sequence[DeviceFigures],
    stuck: Mapping[int, int],
    health: Mapping[str, float],
    not_enrolled: Collection[str] = (),
    without_keys: Collection[str] = (),
) -> tuple[Finding, ...]:
    """All findings, in the order of the parts of `FindingCode`; never raises.

    `stuck`: by seat, how often a token did not drop lately. `health`: `disk_free_mb`,
    `under_voltage`, `clock_unsynced` (0 or 1), `temperature_c`, `loop_stall_ms`, `pins_guessed`,
    and of the ledger's counterparts `copy_lost`, `copy_late_s`, `seal_lost`, `seal_late_s`,
    `witness_lost`, `witness_late_s`, `not_compared`; figures that are not measured are left out.
    `not_enrolled`: devices whose boards are believed, and to be enrolled. `without_keys`: devices
    for whose boards version 1 of the wire protocol is asked for.
    """
    named = {figures.name: figures for figures in inputs}
    return (
        *_of_the_panel(named),
        *(chatters for figures in inputs for chatters in _chatters(figures)),
        *_of_the_sensors(named),
        *(dead for figures in devices for dead in _dead_lamps(figures)),
        *_sticking(stuck),
        *(jam for figures in devices for jam in _jams(figures)),
        *(wrong for figures in devices for wrong in _of_a_line(figures)),
        *_of_the_computer(health),
        *_each(FindingCode.BOARD_NOT_ENROLLED, not_enrolled),
        *_each(FindingCode.BOARD_WITHOUT_KEY, without_keys),
    )


def _finding(code: FindingCode, where: str, detail: str = "") -> Finding:
    return Finding(code.value, where, detail)


def _of_the_panel(named: Mapping[str, InputFigures]) -> Iterator[Finding]:
    """Findings of the panel; none while its plug is out."""
    plug = named.get("plug")
    if plug is not None and not plug.closed:
        return
    for name in sorted(named.keys() & BUTTONS):
        held = named[name]
        if held.closed and held.since_ms > HELD_MS:
            yield _finding(FindingCode.BUTTON_HELD, name, f"{held.since_ms // 1000} s")
    key = {position: named[name] for name, position in KEY_CONTACTS.items() if name in named}
    closed = [position for position, contact in key.items() if contact.closed]
    lately = min((contact.since_ms for contact in key.values()), default=0)
    if key and len(closed) != 1 and lately > KEY_SETTLES_MS:
        yield _finding(FindingCode.KEY_CONTACTS, "key", " ".join(closed) or "none")


def _chatters(figures: InputFigures) -> Iterator[Finding]:
    changes = max(1, figures.edges - 2 * figures.chatter)
    if figures.chatter >= CHATTER and figures.chatter > CHATTER_A_CHANGE * changes:
        yield _finding(FindingCode.CONTACT_CHATTERS, figures.name, str(figures.chatter))


def _of_the_sensors(named: Mapping[str, InputFigures]) -> Iterator[Finding]:
    for seat in SEATS:
        sensor, drop = named.get(f"seat {seat}"), named.get(f"seat {seat} drop")
        if sensor is None:
            continue
        if drop is not None and drop.edges > 0 and sensor.edges == 0:
            yield _finding(FindingCode.SENSOR_DEAD, sensor.name, str(drop.edges))
        if sensor.closed and sensor.since_ms > COVERED_MS:
            yield _finding(
                FindingCode.SENSOR_COVERED, sensor.name, f"{sensor.since_ms // 60_000} min"
            )


def _sticking(stuck: Mapping[int, int]) -> Iterator[Finding]:
    for seat, times in sorted(stuck.items()):
        often = f"{times} times" if times > 1 else "once"
        yield _finding(FindingCode.GATE_STICKS, f"seat {seat}", often)


def _dead_lamps(figures: DeviceFigures) -> Iterator[Finding]:
    """Lamps that draw no current although they should, according to the rail's board."""
    if figures.device is Device.RAIL:
        dead = figures.state.get("dead lamps", "").split()
        for seat in SEATS:
            if str(seat) in dead:
                yield _finding(FindingCode.LAMP_DEAD, f"seat {seat}")


def _jams(figures: DeviceFigures) -> Iterator[Finding]:
    """A shuffler that has stopped, and the back of the deck that it prepares."""
    if figures.device is Device.SHUFFLER and figures.up:
        back = figures.state.get("prepared back", "none")
        if figures.state.get("preparing") == "jammed":
            yield _finding(FindingCode.SHUFFLER_JAMMED, figures.line, back.replace("none", ""))


def _of_a_line(figures: DeviceFigures) -> Iterator[Finding]:
    counts = figures.counts
    if counts.boots > 0:
        yield _finding(FindingCode.BOARD_RESTARTS, figures.line, str(counts.boots))
    if figures.restless:
        yield _finding(FindingCode.TWO_BOARDS, figures.line)
    if figures.flood is not None:
        yield _finding(FindingCode.REPORTS_FLOOD, figures.line, str(figures.flood))
    if counts.bad >= NOISY_FRAMES and counts.bad > NOISY_SHARE * counts.received:
        share = counts.bad / max(counts.bad, counts.received)
        yield _finding(FindingCode.LINE_NOISY, figures.line, f"{share:.0%}")


def _each(code: FindingCode, devices: Collection[str]) -> Iterator[Finding]:
    for device in Device:
        if device.value in devices:
            yield _finding(code, device.value)


def _of_the_computer(health: Mapping[str, float]) -> Iterator[Finding]:
    for code, where, key, unit, wrong in COMPUTER:
        value = health.get(key)
        if value is not None and wrong(value):
            yield _finding(code, where, f"{value:.0f} {unit}" if unit else "")


COMPUTER: tuple[tuple[FindingCode, str, str, str, Callable[[float], bool]], ...] = (
    (FindingCode.DISK_FILLS, "disk", "disk_free_mb", "MB", lambda free: free < LEAST_FREE_MB),
    (FindingCode.UNDER_VOLTAGE, "supply", "under_voltage", "", lambda seen: seen > 0),
    (FindingCode.HOT, "computer", "temperature_c", "C", lambda heat: heat >= HOTTEST_C),
    (FindingCode.LOOP_STALLS, "loop", "loop_stall_ms", "ms", lambda ms: ms > LONGEST_STALL_MS),
    (FindingCode.COPY_LOST, "copy", "copy_lost", "", lambda lost: lost > 0),
    (FindingCode.COPY_BEHIND, "copy", "copy_late_s", "s", lambda late: late > LATE_S),
    (FindingCode.SEAL_LOST, "seal", "seal_lost", "", lambda lost: lost > 0),
    (FindingCode.SEAL_LOST, "seal", "seal_late_s", "s", lambda late: late > LATE_S),
    (FindingCode.WITNESS_LOST, "witness", "witness_lost", "", lambda lost: lost > 0),
    (FindingCode.WITNESS_LOST, "witness", "witness_late_s", "s", lambda late: late > LATE_S),
    (FindingCode.CLOCK_UNSYNCED, "clock", "clock_unsynced", "", lambda seen: seen > 0),
    (FindingCode.PIN_GUESSED, "people", "pins_guessed", "", lambda names: names > 0),
    (FindingCode.NOT_COMPARED, "ledger", "not_compared", "", lambda count: count > 0),
)

"""The frames on an Angel Eye II-EX's line in words, for people. Pure.

`D 4H to player, place 1`, `command lock`; a bad frame is `bad: ` and why. No bytes raise an error,
and the result is ASCII that is safe for a terminal.
"""

from firmware_bridge.angel_eye.commands import (
    CLEAR_ERROR,
    LOCK,
    UNLOCK,
    AngelEyeCommand,
    CommandType,
)
from firmware_bridge.angel_eye.framing import AngelEyeAnswer, ReportReader, ShoeReport
from firmware_bridge.angel_eye.reports import (
    CommunicationStarted,
    CoupEnded,
    CutCardDrawn,
    ErrorReported,
    GameCard,
    LockReported,
    Meaning,
    OutsideCard,
    ShoeSettingChanged,
    StandBy,
    parse_report,
)
from firmware_bridge.protocol_error import ProtocolError
from firmware_bridge.seat_words import format_name, plain_ascii

_PLAIN: dict[type, str] = {
    CommunicationStarted: "the shoe begins anew",
    CutCardDrawn: "the cut card is out",
    StandBy: "standing by",
}

_KNOWN_COMMANDS = {
    LOCK: "lock",
    UNLOCK: "unlock",
    CLEAR_ERROR: "clear error",
    AngelEyeCommand(CommandType.CONFIRM_GAME): "confirm game",
}

_COMMANDS = {
    command.to_bytes(check_from_stx=check_from_stx): name
    for command, name in _KNOWN_COMMANDS.items()
    for check_from_stx in (True, False)
}


def describe_sent(raw: bytes) -> str:
    """A sent command in words."""
    name = _COMMANDS.get(raw)
    return "bad: no command that is known" if name is None else f"command {name}"


def describe_received(raw: bytes) -> str:
    """A received report or answer in words."""
    reader = ReportReader()
    found = reader.feed(raw)
    reader.reset()
    counts = reader.counts
    if counts.bad_bcc and not found:
        return "bad: wrong check"
    if len(found) != 1 or counts.discarded or counts.repeats:
        return f"bad: {len(raw)} bytes that are no report"
    (heard,) = found
    if isinstance(heard, AngelEyeAnswer):
        return f"answer {heard.code}, {heard.name}"
    return _report(heard)


def _report(report: ShoeReport) -> str:
    try:
        meaning = parse_report(report)
    except ProtocolError as error:
        return f"bad: {plain_ascii(str(error))}"
    return f"{report.letter} {_meaning(meaning)}"


def _meaning(meaning: Meaning) -> str:
    match meaning:
        case GameCard():
            again = ", sent again" if meaning.again else ""
            return f"{meaning.card} to {format_name(meaning.target)}, place {meaning.place}{again}"
        case OutsideCard():
            return f"{meaning.card} outside the game ({meaning.target})"
        case CoupEnded():
            return f"result {format_name(meaning.result)}{_pairs(meaning)}"
        case ErrorReported():
            return f"error {meaning.code}, {meaning.name}{', cleared' if meaning.over else ''}"
        case LockReported():
            return "locked" if meaning.locked else "unlocked"
        case ShoeSettingChanged():
            return f"setting {meaning.address} is {plain_ascii(meaning.value)}"
        case CommunicationStarted() | CutCardDrawn() | StandBy():
            return _PLAIN[type(meaning)]


def _pairs(coup: CoupEnded) -> str:
    pairs = (("player", coup.player_pair), ("banker", coup.banker_pair))
    return "".join(f", {whose} pair" for whose, has in pairs if has)

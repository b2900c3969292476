"""The requests and answers of the local line (docs/dev/local-line.md).

One JSON object per line and direction, in turn; an answer that does not fit into a line is
shortened. Read requests are open to everyone who can open the
socket. Changes need a login on that connection, and the duty.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from console.rules.acts import PartTested
from console.rules.board_marks import BoardMarks, serials_of
from console.rules.codes import Duty, Fault
from console.rules.drive import Drive
from console.rules.release_marks import ReleaseMarks
from console.rules.state import TableState
from console.rules.structs import replace
from console.service.health.log_ring import LogLine
from console.texts.catalogue.findings import Finding
from devices.boards import Boards
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from jackpot.failures import Refused
from jackpot.money.prizes import PrizeTable

LONGEST_LINE = 64 * 1024
"""Most bytes of a request, and of an answer."""

LONGEST_LOG = LONGEST_LINE // 2
"""Most characters of log text taken into an answer; JSON makes it longer."""

_encoder = msgspec.json.Encoder()


class Standing(Enum):
    """Whether the boards that answer for a device are enrolled."""

    ENROLLED = "enrolled"
    ASKED = "asked"
    """Believed; the technician has not enrolled them yet."""
    CHANGED = "changed"
    """Others than the enrolled ones, or none is enrolled: not believed."""


class BoardView(msgspec.Struct, frozen=True):
    """The boards that have answered for a device since the service started."""

    device: Device
    boards: Boards
    standing: Standing
    enrolled: str = ""
    """The serial numbers of the enrolled boards, where others answer."""


def view_boards(state: TableState) -> tuple[BoardView, ...]:
    """Every device whose boards have answered."""
    marks = state.boards
    if not isinstance(marks, BoardMarks):
        return ()
    return tuple(
        BoardView(
            device,
            marks.found[device.value],
            _standing(marks, device),
            serials_of(marks.enrolled.get(device.value, ())) if marks.is_foreign(device) else "",
        )
        for device in Device
        if device.value in marks.found
    )


def _standing(marks: BoardMarks, device: Device) -> Standing:
    if marks.is_foreign(device):
        return Standing.CHANGED
    return Standing.ASKED if marks.is_asked(device) else Standing.ENROLLED


class PresentFault(msgspec.Struct, frozen=True):
    """A present fault."""

    fault: Fault
    since: str = ""
    """A wall-clock label, "" if unknown."""

    detail: str = ""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask"):
    """A request; its field `ask` says which."""


class AskStatus(Request, frozen=True, tag="status"):
    """The table at this instant. Answer: `Status`."""


class AskInputs(Request, frozen=True, tag="inputs"):
    """Every button, contact and sensor. Answer: `Inputs`."""


class AskDevices(Request, frozen=True, tag="devices"):
    """Every device, with its last frames. Answer: `Devices`."""

    frames: int = 0
    """How many of the last frames of each line."""


class AskLog(Request, frozen=True, tag="log"):
    """The service's last log lines, oldest first. Answer: `Log`."""

    lines: int = 50


class AskSettings(Request, frozen=True, tag="settings"):
    """All settings. Answer: `SettingsView`."""


class Enter(Request, frozen=True, tag="enter"):
    """Log in by name and PIN. Answer: `Person`, or `No` (WRONG_PIN, PIN_TOO_OLD, WAIT)."""

    name: str
    pin: str


class LogOut(Request, frozen=True, tag="leave"):
    """Log out; driven outputs are released. Answer: `Done`."""


class Declare(Request, frozen=True, tag="declare"):
    """A declaration of the floor manager. Answer: `Done`."""

    words: str
    """As in docs/how-to/operating.md, without `declare`: `hand-void 3 returned`."""

    really: bool = False
    """False: only preview; the answer says what would be done."""


class ClearFault(Request, frozen=True, tag="clear"):
    """The technician clears a latched fault, the key at S. Answer: `Done`.

    One of `CLEARED_BY_TWO` needs a second person, a cashier.
    """

    fault: Fault

    second: str = ""
    """The second person's name."""

    pin: str = ""
    """The second person's PIN."""


class SignHead(Request, frozen=True, tag="sign-head"):
    """The table's key signs the newest record, for an export. Answer: `Done`, once on record.

    Open to everyone: it changes no state. At most once a minute; sooner the answer is WAIT.
    """


class EnrolBoard(Request, frozen=True, tag="enrol-board"):
    """The technician enrols the boards that answer for a device, the key at S. Answer: `Done`."""

    device: Device
    boards: Boards
    """As the status shows them; others that answer meanwhile are not enrolled."""


class DriveOutputs(Request, frozen=True, tag="drive"):
    """The technician drives outputs, the key at S; None releases them. Answer: `Done`."""

    drive: Drive | None


class ChangeSetting(Request, frozen=True, tag="change-setting"):
    """The technician writes a setting for the next start, or for the next jackpot, the key at S.

    Answer: `Done`. Money needs a second person, a cashier.
    """

    key: str
    value: str
    """Empty: the configuration file's own value applies again."""

    second: str = ""
    """The second person's name."""

    pin: str = ""
    """The second person's PIN."""

    really: bool = False
    """False: only check the value."""

    next_jackpot: bool = False
    """True: it waits until the jackpot is won; only money does."""


class CorrectAccounts(Request, frozen=True, tag="correct"):
    """Two cashiers correct the accounts: the one logged in here, and a second. Answer: `Done`."""

    source: str
    """The account that pays, by name."""

    target: str
    """The account that receives, by name."""

    amount: str
    """In EUR, such as `12.50`."""

    reason: str
    second: str = ""
    """The second cashier's name."""

    pin: str = ""
    """The second cashier's PIN."""

    number: int = 0
    """The number that the preview gave."""

    really: bool = False
    """False: only preview, without a second person; the answer has the number."""


class Restart(Request, frozen=True, tag="restart"):
    """The technician ends the service, the key at S; systemd starts it again. Answer: `Done`."""


class KeepSelfTest(Request, frozen=True, tag="keep-self-test"):
    """The technician puts a self-test on record. Answer: `Done`."""

    parts: tuple[PartTested, ...]


AnyRequest = (
    AskStatus
    | AskInputs
    | AskDevices
    | AskLog
    | AskSettings
    | Enter
    | LogOut
    | Declare
    | ClearFault
    | SignHead
    | EnrolBoard
    | DriveOutputs
    | ChangeSetting
    | CorrectAccounts
    | Restart
    | KeepSelfTest
)


class LineAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="answer"):
    """An answer; its field `answer` says which."""


class No(LineAnswer, frozen=True, tag="no"):
    """Not done, or not understood."""

    code: str
    """A `Refusal`, or one of `NoCode`."""

    why: str
    """The reason in English."""


class NotDone(Refused):
    """A request was not carried out; `no` is the answer, on both sides of the line."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.no = No(code, why)


class Status(LineAnswer, frozen=True, tag="status"):
    """The table at this instant. Amounts are text in EUR with whole cents, as `10002.80`."""

    table: str
    game: str
    known_as: str
    """What people call the game."""

    rail: str
    """The kind of rail, "" for a game without one."""

    language: str
    simulated: bool
    phase: str
    underneath: str
    """The phase that SERVICE or a lock covers."""

    key: str
    """R, JPL, JPH, S, or "" if it cannot be read."""

    round: int
    seats: Mapping[str, str]
    """The state of each seat that is not idle: accepted, stuck, changed, void, token, covered."""

    choice: str
    award: str
    accounts: Mapping[str, str]
    faults: tuple[PresentFault, ...]
    findings: tuple[Finding, ...]
    devices_up: Mapping[str, bool]
    """For each device whether it is connected."""

    display: tuple[str, str]
    driven: bool
    """Whether somebody drives outputs by hand."""

    version: str
    boot: int
    """Which opening of the ledger this is."""

    up_s: int
    """Seconds since the service started."""

    settings_version: int
    waiting_acts: int
    ledger: str
    """The ledger's folder."""

    configuration: str
    """The configuration file, "" without one."""

    configuration_sha256: str
    """Of the configuration in force (docs/reference/configuration.md), "" without a file."""

    health: Mapping[str, float]
    """Figures by their key in docs/reference/health.md."""

    key_store: str = ""
    """Where the table's own key is: `tpm`, `file`, or "" for a table without one."""

    person: str = ""
    """The person logged in on this connection."""

    duties: tuple[Duty, ...] = ()
    person_left_s: int = 0
    boards: tuple[BoardView, ...] = ()
    """The boards that have answered since the service started."""

    prizes: PrizeTable | UnsetType = UNSET
    """Of the table's prize file, as it is on record: amounts in whole cents, shares in basis points
    (docs/reference/prizes.md); left out where no file is named."""

    at_limit: bool | UnsetType = UNSET
    """That the jackpot has reached its limit, a linked one at the centre; else left out."""

    release: ReleaseMarks | UnsetType = UNSET
    """What the program is, held against its signed list; left out where it is no release."""


class Inputs(LineAnswer, frozen=True, tag="inputs"):
    """Every button, contact and sensor, panel first."""

    inputs: tuple[InputFigures, ...]


class Devices(LineAnswer, frozen=True, tag="devices"):
    """Every line of every device."""

    devices: tuple[DeviceFigures, ...]


class Log(LineAnswer, frozen=True, tag="log"):
    """The last log lines, oldest first."""

    lines: tuple[LogLine, ...]


class SettingView(msgspec.Struct, frozen=True):
    """One key of the configuration."""

    key: str
    value: str
    """The value in force, "" if unset."""

    next: str = ""
    """The value of the next start, if it differs."""

    changeable: bool = False
    """Whether the technician may change it on the line."""

    second: Duty | None = None
    """The duty of the second person whom a change needs."""

    next_jackpot: str | msgspec.UnsetType = msgspec.UNSET
    """What waits until the jackpot is won, as typed."""


class SettingsView(LineAnswer, frozen=True, tag="settings"):
    """All settings."""

    version: int
    """The recorded version of the settings in force."""

    settings: tuple[SettingView, ...]


class Person(LineAnswer, frozen=True, tag="person"):
    """The person who is logged in now."""

    name: str
    duties: tuple[Duty, ...]
    left_s: int
    """For how many seconds the login is valid."""

    pin_ends: str = ""
    """The last day on which the PIN opens, such as `2026-12-12`, if it is near."""


class Done(LineAnswer, frozen=True, tag="done"):
    """The result of a request that was not refused."""

    outcome: str
    """`done` or `no effect`."""

    decisions: tuple[Mapping[str, Any], ...] = ()
    """As in the record."""

    accounts: Mapping[str, tuple[str, str]] = {}
    """Each account that changes: balance before and after."""

    phase: str = ""
    """The phase afterwards."""


AnyAnswer = No | Status | Inputs | Devices | Log | SettingsView | Person | Done


class NoCode:
    """The codes of `No` that are not a `Refusal`."""

    NOT_UNDERSTOOD = "NOT_UNDERSTOOD"  # not JSON, no such request, a wrong field
    TOO_LONG = "TOO_LONG"  # a line over LONGEST_LINE; the connection is closed
    NOT_ENTERED = "NOT_ENTERED"  # nobody is logged in, or the ten minutes are over
    NOT_YOUR_DUTY = "NOT_YOUR_DUTY"  # logged in, but not enrolled for this
    WRONG_PIN = "WRONG_PIN"
    PIN_TOO_OLD = "PIN_TOO_OLD"
    WAIT = "WAIT"  # too many wrong PINs, or signed heads: `why` says for how long
    NO_SUCH_SETTING = "NO_SUCH_SETTING"
    WRONG_VALUE = "WRONG_VALUE"
    NO_ANSWER = "NO_ANSWER"  # the table did not do it in time; it may still do it
    NO_POWER = "NO_POWER"  # a simulated cabinet is unplugged
    CANNOT = "CANNOT"  # not possible at this table; `why` says what is missing
    BUSY = "BUSY"  # too many connections


def encode_answer(answer: AnyAnswer) -> bytes:
    """Encode an answer. Of frames and log lines only the newest that fit are kept."""
    line = _encoder.encode(answer)
    while len(line) > LONGEST_LINE:
        answer = _shorten(answer, len(line))
        line = _encoder.encode(answer)
    return line


def choose_newest_lines(lines: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
    """Return the last lines, up to `LONGEST_LOG` characters."""
    space = LONGEST_LOG
    for number, line in enumerate(reversed(lines)):
        space -= len(line.text)
        if space < 0:
            return lines[len(lines) - number :]
    return lines


def _shorten(answer: AnyAnswer, length: int) -> AnyAnswer:
    if isinstance(answer, Log) and len(answer.lines) > 1:
        return Log(answer.lines[-(len(answer.lines) // 2) :])
    if isinstance(answer, Devices):
        frames = max(len(device.frames) for device in answer.devices)
        if frames:
            return Devices(tuple(_keep_last(device, frames // 2) for device in answer.devices))
    return No(NoCode.CANNOT, f"the answer would have {length} bytes; a line has {LONGEST_LINE}")


def _keep_last(device: DeviceFigures, frames: int) -> DeviceFigures:
    return replace(device, frames=device.frames[-frames:] if frames else ())

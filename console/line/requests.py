"""What may be asked of a running table on its local line, and what is answered.

One JSON object a line each way, in turn: a request, its answer (docs/dev/local-line.md). Looking is
open to whoever can open the socket. Doing needs somebody entered on that connection, and the duty.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from console.rules.acts import PartTested
from console.rules.codes import Duty, Fault
from console.rules.drive import Drive
from console.service.health.log_ring import LogLine
from console.texts.catalogue.findings import Finding
from devices.figures import DeviceFigures, InputFigures

LONGEST_LINE = 64 * 1024
"""Bytes of a request, and of an answer."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask"):
    """A request; `ask` says which."""


class AskStatus(Request, frozen=True, tag="status"):
    """The table at this instant. Answer: `Status`."""


class AskInputs(Request, frozen=True, tag="inputs"):
    """Every button, contact and sensor. Answer: `Inputs`."""


class AskDevices(Request, frozen=True, tag="devices"):
    """Every device, with its last frames. Answer: `Devices`; `frames`: so many of each."""

    frames: int = 0


class AskLog(Request, frozen=True, tag="log"):
    """The service's last log lines, oldest first. Answer: `Log`."""

    lines: int = 50


class AskSettings(Request, frozen=True, tag="settings"):
    """The settings in force. Answer: `SettingsView`."""


class Enter(Request, frozen=True, tag="enter"):
    """Somebody enrolled gives name and PIN. Answer: `Person`, or `No` (WRONG_PIN, WAIT)."""

    name: str
    pin: str


class Leave(Request, frozen=True, tag="leave"):
    """Who has entered leaves; outputs driven are let go. Answer: `Done`."""


class Declare(Request, frozen=True, tag="declare"):
    """A floor manager's declaration, in docs/rules.md's words: `hand-void 3 returned`.

    Not `really`: nothing is done, the answer says what would be. Answer: `Done`.
    """

    words: str
    really: bool = False


class ClearFault(Request, frozen=True, tag="clear"):
    """The technician clears a latched fault, the key at S. Answer: `Done`."""

    fault: Fault


class DriveOutputs(Request, frozen=True, tag="drive"):
    """The technician drives outputs, the key at S; None lets them go. Answer: `Done`."""

    drive: Drive | None


class ChangeSetting(Request, frozen=True, tag="change-setting"):
    """The technician writes a setting for the next start, the key at S. Answer: `Done`.

    Not `really`: it is checked, and nothing is written.
    """

    key: str
    value: str
    really: bool = False


class CorrectAccounts(Request, frozen=True, tag="correct"):
    """Two cashiers correct the accounts: who has entered here, and a `second` with his own `pin`.

    `source`, `target`: accounts by name; `amount`: in EUR, such as `12.50`; `number`: as told
    beforehand. Not `really`: nothing is done, no second person is needed, and the answer says what
    would be done, under which number. Answer: `Done`.
    """

    source: str
    target: str
    amount: str
    reason: str
    second: str = ""
    pin: str = ""
    number: int = 0
    really: bool = False


class Restart(Request, frozen=True, tag="restart"):
    """The technician ends the service, the key at S; systemd starts it again. Answer: `Done`."""


class KeepSelfTest(Request, frozen=True, tag="keep-self-test"):
    """The technician puts a test of the cabinet on record. Answer: `Done`."""

    parts: tuple[PartTested, ...]


AnyRequest = (
    AskStatus
    | AskInputs
    | AskDevices
    | AskLog
    | AskSettings
    | Enter
    | Leave
    | Declare
    | ClearFault
    | DriveOutputs
    | ChangeSetting
    | CorrectAccounts
    | Restart
    | KeepSelfTest
)


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="answer"):
    """An answer; `answer` says which."""


class No(Answer, frozen=True, tag="no"):
    """Not done, or not understood. `code` is a refusal's, or one of `NoCode`; `why` is English."""

    code: str
    why: str


class PresentFault(msgspec.Struct, frozen=True):
    """A present fault: since when (wall-clock label, "" if not known), and a detail."""

    fault: Fault
    since: str = ""
    detail: str = ""


class Status(Answer, frozen=True, tag="status"):
    """The table at this instant. Amounts are text in whole cents, as `10002.80`.

    `key`: R, JPL, JPH, S, or "" where it cannot be read. `seats`: for each seat that is not idle,
    what it is (`accepted`, `stuck`, `changed`, `void`, `token`, `covered`). `links`: each device,
    and whether it is there. `person`: who has entered on this connection.
    """

    table: str
    game: str
    rail: str
    language: str
    simulated: bool
    phase: str
    underneath: str
    key: str
    round: int
    seats: Mapping[str, str]
    choice: str
    award: str
    accounts: Mapping[str, str]
    faults: tuple[PresentFault, ...]
    findings: tuple[Finding, ...]
    links: Mapping[str, bool]
    display: tuple[str, str]
    driven: bool
    version: str
    boot: int
    up_s: int
    settings_version: int
    waiting_acts: int
    ledger: str
    configuration: str
    health: Mapping[str, float]
    person: str = ""
    duties: tuple[Duty, ...] = ()
    person_left_s: int = 0


class Inputs(Answer, frozen=True, tag="inputs"):
    """Every button, contact and sensor, panel first."""

    inputs: tuple[InputFigures, ...]


class Devices(Answer, frozen=True, tag="devices"):
    """Every device's lines."""

    devices: tuple[DeviceFigures, ...]


class Log(Answer, frozen=True, tag="log"):
    """The last log lines, oldest first."""

    lines: tuple[LogLine, ...]


class SettingView(msgspec.Struct, frozen=True):
    """One key of the configuration.

    `value` as in force, "" if unset; `next`: what the next start will adopt, where that differs;
    `changeable`: the technician may write it on the line.
    """

    key: str
    value: str
    next: str = ""
    changeable: bool = False


class SettingsView(Answer, frozen=True, tag="settings"):
    """The settings in force, and their version on record."""

    version: int
    settings: tuple[SettingView, ...]


class Person(Answer, frozen=True, tag="person"):
    """Who has entered, for what, and for how many seconds."""

    name: str
    duties: tuple[Duty, ...]
    left_s: int


class Done(Answer, frozen=True, tag="done"):
    """What became of it: `done` or `no effect` (a refusal is `No`).

    `decisions` as on record; `accounts`: what changes, from and to; `phase` after it.
    """

    outcome: str
    decisions: tuple[Mapping[str, Any], ...] = ()
    accounts: Mapping[str, tuple[str, str]] = {}
    phase: str = ""


AnyAnswer = No | Status | Inputs | Devices | Log | SettingsView | Person | Done


class NoCode:
    """Codes of `No` beside those of `Refusal`."""

    NOT_UNDERSTOOD = "NOT_UNDERSTOOD"  # not JSON, no such request, a wrong field
    TOO_LONG = "TOO_LONG"  # a line over LONGEST_LINE; the connection is closed
    NOT_ENTERED = "NOT_ENTERED"  # nobody has entered, or the ten minutes are over
    NOT_YOUR_DUTY = "NOT_YOUR_DUTY"  # entered, but not enrolled for this
    WRONG_PIN = "WRONG_PIN"
    WAIT = "WAIT"  # too many wrong PINs: `why` says for how long
    NO_SUCH_SETTING = "NO_SUCH_SETTING"
    WRONG_VALUE = "WRONG_VALUE"
    NO_ANSWER = "NO_ANSWER"  # the table did not do it in time; whether it will is not known
    NO_POWER = "NO_POWER"  # a simulated cabinet's plug is out
    CANNOT = "CANNOT"  # this table has no such thing; `why` says what
    BUSY = "BUSY"  # too many connections

"""The guided test of a cabinet as data: its parts, the steps of each, and who judges them.

Pure. A step says what a person is to do and when it has been done; a judge sees the looks taken
before the first step and after each, and decides, or lets the test go on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from console.line.requests import Status
from console.rules.acts import PartTested
from console.rules.drive import Drive
from console.texts.language import Words
from console.texts.self_test_findings import PartFinding
from devices.figures import DeviceFigures, InputFigures


class StepEnd(Enum):
    """How a step ended."""

    DONE = "done"
    LATE = "late"  # not done within its time
    YES = "yes"
    NO = "no"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CabinetLook:
    """All that is known of the table at one instant, and how the step before it ended.

    `inputs` by name, `devices` by line; `installed`: the version of the program installed here.
    """

    inputs: Mapping[str, InputFigures]
    devices: Mapping[str, DeviceFigures]
    status: Status
    step_end: StepEnd = StepEnd.DONE
    installed: str = ""

    @property
    def faults(self) -> frozenset[str]:
        """The codes of the faults present."""
        return frozenset(told.fault.value for told in self.status.faults)


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """A part's result: `passed` is None if it was not tested; `found` says what was seen."""

    passed: bool | None
    found: PartFinding

    def of(self, part: str) -> PartTested:
        """As it goes on record."""
        return PartTested(part, self.passed, str(self.found))


def pass_part(code: str, **values: object) -> PartVerdict:
    """It is in order."""
    return PartVerdict(True, PartFinding.of(code, **values))


def fail_part(code: str, **values: object) -> PartVerdict:
    """It is not."""
    return PartVerdict(False, PartFinding.of(code, **values))


def skip_part(code: str, **values: object) -> PartVerdict:
    """Nothing can be said of it."""
    return PartVerdict(None, PartFinding.of(code, **values))


Inputs = Mapping[str, InputFigures]
Judge = Callable[[Sequence[CabinetLook]], PartVerdict | None]

PERSON_S = 20.0
"""So long a person is waited for."""


@dataclass(frozen=True, slots=True)
class GuidedStep:
    """One thing a person does, or sees.

    `done`: given the inputs at the step's beginning and now, whether it has been done; a step that
    has been done before it begins is not asked for. None: it is a question, answered yes or no.
    `drive`: outputs driven meanwhile.
    """

    say: Words
    done: Callable[[Inputs, Inputs], bool] | None
    seconds: float = PERSON_S
    drive: Drive | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the cabinet.

    `group`: the word by which it is asked for with its like. `overall`: it is judged at the end, by
    the test's first look and its last. `afterwards`: what a person must do when it has failed.
    """

    name: str
    group: str
    judge: Judge
    steps: tuple[GuidedStep, ...] = ()
    overall: bool = False
    afterwards: Words | None = None

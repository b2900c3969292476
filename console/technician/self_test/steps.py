"""The guided test of a cabinet as data: parts, steps and judges.

Pure. A step says what a person does and how to see that it is done. A judge gets the readings taken
before the first step and after each step, and returns a verdict, or None to continue.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from msgspec import Struct

from console.line.requests import Status
from console.rules.acts import PartTested
from console.rules.drive import Drive
from console.texts.language import Words
from console.texts.self_test_texts import PartFinding
from devices.figures import DeviceFigures, InputFigures


class StepEnd(Enum):
    """How a step ended."""

    DONE = "done"
    LATE = "late"  # not done within its time
    YES = "yes"
    NO = "no"
    SKIPPED = "skipped"
    ENDED = "ended"  # the person has ended the test


class CabinetLook(Struct, frozen=True):
    """One reading of the table."""

    inputs: Mapping[str, InputFigures]
    """By name."""

    devices: Mapping[str, DeviceFigures]
    """By line."""

    status: Status
    step_end: StepEnd = StepEnd.DONE
    """How the step before it ended."""

    installed: str = ""
    """The version of the installed program."""

    @property
    def faults(self) -> frozenset[str]:
        """The codes of the faults present."""
        return frozenset(present.fault.value for present in self.status.faults)


class PartVerdict(Struct, frozen=True):
    """The result of a part."""

    passed: bool | None
    """None if it was not tested."""

    found: PartFinding

    def of(self, part: str) -> PartTested:
        """Return the result for the record."""
        return PartTested(part, self.passed, str(self.found))


def pass_part(code: str, **values: object) -> PartVerdict:
    """Return the verdict for a part in order."""
    return PartVerdict(True, PartFinding.of(code, **values))


def fail_part(code: str, **values: object) -> PartVerdict:
    """Return the verdict for a failed part."""
    return PartVerdict(False, PartFinding.of(code, **values))


def skip_part(code: str, **values: object) -> PartVerdict:
    """Return the verdict for a part that was not tested."""
    return PartVerdict(None, PartFinding.of(code, **values))


Inputs = Mapping[str, InputFigures]
Judge = Callable[[Sequence[CabinetLook]], PartVerdict | None]

PERSON_S = 20.0
"""Time for a person to do a step."""


class GuidedStep(Struct, frozen=True):
    """One step of a part's test: something to do, or a question."""

    say: Words
    done: Callable[[Inputs, Inputs], bool] | None
    """Whether it is done, from the inputs at the beginning and now. A step done before it begins is
    left out. None: it is a question, answered yes or no."""

    seconds: float = PERSON_S
    drive: Drive | None = None
    """Outputs driven during the step."""


class Part(Struct, frozen=True):
    """One part of the cabinet."""

    name: str
    group: str
    """The word that names all parts of its kind."""

    judge: Judge
    steps: tuple[GuidedStep, ...] = ()
    overall: bool = False
    """Whether it is judged at the end, by the first and last reading of the test."""

    afterwards: Words | None = None
    """What a person must do if it failed."""

"""Tests the cabinet with a person at the terminal: the steps of each part in order, and a report.

The report is of 40 columns, for a slip printer.
"""

import asyncio
from collections.abc import Sequence

from console.line.requests import AskDevices, Devices, NoCode, NotDone
from console.office.dialogue import render_refusal
from console.rules.acts import PartTested, SelfTested
from console.rules.codes import Refusal
from console.rules.structs import replace
from console.technician.command import TechnicianSession
from console.technician.driven_outputs import LOOK_EVERY_S, ManualOutputs, read_inputs
from console.technician.gate_drops import count_drops
from console.technician.self_test.steps import (
    CabinetLook,
    GuidedStep,
    Part,
    PartVerdict,
    StepEnd,
    skip_part,
)
from console.technician.table_requests import ask_status, ask_table
from console.texts import self_test_texts
from console.texts.language import Language, Words
from console.texts.layout import WIDTH, wrap
from console.texts.self_test_texts import TITLE, PartFinding, part_name, summary

COLUMNS = 40
RULE = "-" * COLUMNS

RESULTS: dict[bool | None, Words] = {
    False: self_test_texts.FAIL,
    None: self_test_texts.NOT_TRIED,
    True: self_test_texts.OK,
}
"""In the order they are printed: failed parts first."""

POLL_S = 0.2
NO_ANSWER_S = 0.5
"""Keys pressed this soon after a question are ignored: nobody can have looked at the cabinet. A
board also needs this time to find out whether a lit lamp draws current."""

AGAIN_S = 10.0
"""Time to ask for another try of a failed part."""

YES, NO = ("y", "Y", "o", "O"), ("n", "N")
SKIP, END, AGAIN, ON = ("s", "S"), ("q", "Q"), ("r", "R"), ("\r", "\n")

FOR_GOOD = frozenset(
    {Refusal.NOT_IN_SERVICE.value, NoCode.NOT_ENTERED, NoCode.NOT_YOUR_DUTY, NoCode.CANNOT}
)
"""After such a refusal no further outputs are driven in this test."""


def render_result(part: PartTested, language: Language) -> str:
    """Render `FAIL`, `--` or `ok`."""
    return RESULTS[part.passed].in_(language)


def render_report(test: SelfTested, table: str, when: str, language: Language) -> list[str]:
    """Render the whole report; `when` is a label."""
    lines = [
        f"{TITLE.in_(language)} {table}".rstrip(),
        f"{when}  {test.who}".rstrip(),
        RULE,
        *wrap(summary(test.parts, language), COLUMNS, after="  "),
        RULE,
    ]
    for result in RESULTS:
        for part in test.parts:
            if part.passed is result:
                lines += render_part(part, language, COLUMNS)
    return [*lines, RULE]


def render_part(part: PartTested, language: Language, columns: int) -> list[str]:
    """Render a part: result and name, and the finding beside them, or below if it is too long."""
    width = max(len(words.in_(language)) for words in RESULTS.values())
    name = part_name(part.part, language)
    head = f"{render_result(part, language):{width}} {name}"
    found = PartFinding.read(part.found).in_(language)
    if not found:
        return [head]
    if len(head) + 2 + len(found) <= columns:
        return [f"{head}  {found}"]
    indent = " " * (width + 3)
    return [head, *wrap(found, columns, first=indent, after=indent)]


class GuidedTest:
    """Tests parts and collects the results. `installed`: the version of the installed program."""

    def __init__(self, session: TechnicianSession, outputs: ManualOutputs, installed: str) -> None:
        self._session = session
        self._outputs = outputs
        self._installed = installed
        self._may_drive = True
        self._answers_from = 0.0

    async def run(self, parts: Sequence[Part]) -> tuple[PartTested, ...]:
        """Test the parts and return their results. Overall parts are judged last.

        Raises NotDone, Unreachable, Interrupted, Hung.
        """
        first = await self._look()
        own = [part for part in parts if not part.overall]
        overall = [part for part in parts if part.overall]
        results: list[PartTested] = []
        goes_on = True
        for number, part in enumerate(own, 1):
            verdict = skip_part("ENDED")
            if goes_on:
                await self._say(f"[{number}/{len(parts)}] {self._name(part)}")
                verdict, goes_on = await self._test_part(part)
            results.append(verdict.of(part.name))
        last = await self._look()
        for part in overall:
            results.append(_judge(part, [first, last]).of(part.name))
            await self._show_result(results[-1])
        await self._show_tokens(sum(count_drops(first.inputs, last.inputs).at.values()))
        return tuple(results)

    async def _test_part(self, part: Part) -> tuple[PartVerdict, bool]:
        """Test a part, as often as the person wants: the last verdict, whether the test goes on."""
        last = skip_part("ENDED")
        while True:
            verdict = await self._run_steps(part)
            if verdict is None:
                return last, False
            last = verdict
            await self._show_result(verdict.of(part.name))
            if not (part.steps and verdict.passed is False):
                return verdict, True
            if part.afterwards is not None:
                await self._say("  " + part.afterwards.in_(self._session.language))
            key = await self._ask_again()
            if key not in AGAIN:
                return verdict, key not in END

    async def _ask_again(self) -> str | None:
        """Return the key pressed: whether a failed part is to be tested again; None: none came.

        Other keys than those named are ignored: they may begin a command.
        """
        question = self._session.words(self_test_texts.R_AGAIN_ENTER_Q)
        await self._ask(question)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + AGAIN_S
        while loop.time() < deadline:
            key = await self._read_key(deadline - loop.time())
            if key in (*AGAIN, *ON, *END):
                return key
        return None

    async def _run_steps(self, part: Part) -> PartVerdict | None:
        """Return the verdict; None if the person has ended the test."""
        if not any(step.drive for step in part.steps):
            await self._release()
        looks = [await self._look()]
        verdict = part.judge(looks)
        for step in part.steps:
            if verdict is not None:
                return verdict
            step_end = await self._run_step(step)
            if step_end is None:
                return skip_part("NOT_DRIVEN")
            if step_end is StepEnd.ENDED:
                return None
            looks.append(replace(await self._look(), step_end=step_end))
            if step.drive is not None and not looks[-1].status.driven:
                return skip_part("NOT_DRIVEN")
            verdict = part.judge(looks)
            if step_end is StepEnd.SKIPPED and verdict is None:
                return skip_part("SKIPPED")
        return verdict or skip_part("NOT_ANSWERED")

    async def _run_step(self, step: GuidedStep) -> StepEnd | None:
        """Return how the step ended; None if its outputs cannot be driven."""
        before = await read_inputs(self._session)
        if step.done is not None and step.drive is None and step.done(before, before):
            return StepEnd.DONE
        if step.drive is not None and not await self._drive(step):
            return None
        say = step.say.in_(self._session.language)
        if step.done is None:
            return await self._ask_yes_no(say, step)
        await self._ask(f"  {say}  " + self._session.words(self_test_texts.S_SKIP))
        loop = asyncio.get_running_loop()
        deadline = loop.time() + step.seconds
        while loop.time() < deadline:
            key = await self._read_key(POLL_S)
            if key in END:
                return StepEnd.ENDED
            if key in SKIP:
                return StepEnd.SKIPPED
            if step.done(before, await read_inputs(self._session)):
                return StepEnd.DONE
        return StepEnd.LATE

    async def _ask_yes_no(self, question: str, step: GuidedStep) -> StepEnd | None:
        """Ask a question and return how it ended; None if the outputs are no longer driven."""
        keys = self._session.words(self_test_texts.Y_YES_N_NO)
        await self._ask(f"  {question} {keys}")
        loop = asyncio.get_running_loop()
        deadline = loop.time() + step.seconds
        answer, explained = StepEnd.LATE, False
        while answer is StepEnd.LATE and loop.time() < deadline:
            key = await self._read_key(LOOK_EVERY_S)
            if key in END:
                return StepEnd.ENDED
            answer = _step_end_of(key)
            if step.drive is not None and not (await ask_status(self._session)).driven:
                return None
            if key is not None and answer is StepEnd.LATE and not explained:
                explained = True
                await self._say(f"  ? {keys}")
        return answer

    async def _ask(self, question: str) -> None:
        """Print a question; only keys pressed `NO_ANSWER_S` after it is shown are answers."""
        await self._say(question)
        await self._session.talk.forget_typed()
        self._answers_from = asyncio.get_running_loop().time() + NO_ANSWER_S

    async def _read_key(self, seconds: float) -> str | None:
        """Return the next key that may be an answer; None if there is none in time."""
        key = await self._session.talk.key(seconds)
        return key if asyncio.get_running_loop().time() >= self._answers_from else None

    async def _drive(self, step: GuidedStep) -> bool:
        """Drive a step's outputs; if that is refused, print why and return False."""
        if not self._may_drive or step.drive is None:
            return False
        try:
            await self._outputs.drive(step.drive)
        except NotDone as error:
            self._may_drive = error.no.code not in FOR_GOOD
            await self._say(*render_refusal(error.no, self._session.language, self._session.status))
            return False
        return True

    async def _release(self) -> None:
        """Release the outputs; if that is refused, print why. The test's end tries again."""
        try:
            await self._outputs.release()
        except NotDone as error:
            await self._say(*render_refusal(error.no, self._session.language, self._session.status))

    async def _look(self) -> CabinetLook:
        devices = await ask_table(self._session, AskDevices(), Devices)
        return CabinetLook(
            await read_inputs(self._session),
            {one.line: one for one in devices.devices},
            await ask_status(self._session),
            installed=self._installed,
        )

    async def _show_result(self, result: PartTested) -> None:
        await self._say(*render_part(result, self._session.language, WIDTH))

    async def _show_tokens(self, dropped: int) -> None:
        if dropped:
            await self._say(
                self._session.words(
                    self_test_texts.TAKE_TEST_TOKENS_OUT.fill(dropped),
                )
            )

    async def _say(self, *lines: str) -> None:
        await self._session.talk.say(*lines)

    def _name(self, part: Part) -> str:
        return part_name(part.name, self._session.language)


def _step_end_of(key: str | None) -> StepEnd:
    for keys, step_end in ((YES, StepEnd.YES), (NO, StepEnd.NO), (SKIP, StepEnd.SKIPPED)):
        if key in keys:
            return step_end
    return StepEnd.LATE


def _judge(part: Part, looks: Sequence[CabinetLook]) -> PartVerdict:
    return part.judge(looks) or skip_part("ENDED")

"""Acts from the page of a simulated cabinet, done in the same way as a scenario's lines."""

import asyncio
from collections.abc import Callable

from console.rules.typed.lines import LineError, words_of
from console.simulation.scenario.language.acts import CabinetAct, Vocabulary, Wait, parse_act
from console.simulation.scenario.simulated_table import SimulatedTable
from console.simulation.scenario.statements import perform
from console.web.messages import LONGEST_ACT, ActAnswer, ActRequest

WAITING_ACTS = 64
"""Acts that may wait at once; further ones are refused."""


class PageActs:
    """Does the page's acts one at a time, and answers each."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        simulated_table: SimulatedTable,
        vocabulary: Vocabulary,
        answer: Callable[[ActAnswer], None],
    ) -> None:
        self._loop = loop
        self._simulated_table = simulated_table
        self._vocabulary = vocabulary
        self._answer = answer
        self._under_way: set[asyncio.Task[None]] = set()

    def handle(self, request: ActRequest) -> None:
        """Do the act, or answer why not."""
        request = ActRequest(
            request.id, request.line[: LONGEST_ACT + 1]
        )  # an answer is no longer than it may be
        if len(self._under_way) >= WAITING_ACTS:
            self._answer(
                ActAnswer(request.id, request.line, why=f"{WAITING_ACTS} acts wait already")
            )
            return
        try:
            act = self._parse(request.line)
        except ValueError as error:
            self._answer(ActAnswer(request.id, request.line, why=str(error)))
            return
        task = self._loop.create_task(self._do(request, act))
        self._under_way.add(task)
        task.add_done_callback(self._on_done)

    async def end(self) -> None:
        """Cancel the acts that wait."""
        for task in self._under_way:
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=1)

    def _parse(self, line: str) -> CabinetAct:
        if len(line) > LONGEST_ACT:
            raise LineError(f"an act is at most {LONGEST_ACT} characters long")
        words = words_of(line)
        if not words:
            raise LineError("there is nothing to do")
        return parse_act(words, self._vocabulary)

    async def _do(self, request: ActRequest, act: CabinetAct) -> None:
        await perform(self._simulated_table, act)
        refused = None if isinstance(act, Wait) else self._simulated_table.observe().refused
        self._answer(ActAnswer(request.id, request.line, refused.value if refused else None))

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:  # like a callback that raises: it stops the table at once
            context = {"message": "an act on the page failed", "exception": error}
            self._loop.call_exception_handler(context)

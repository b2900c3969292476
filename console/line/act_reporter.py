"""Reports the local line's acts to the table service and waits until they are on record."""

import asyncio
from collections import deque

from console.line.requests import NoCode, NotDone
from console.rules.acts import Act, Cleared
from console.rules.game_modules import advance
from console.rules.round import Transition
from console.rules.structs import replace
from console.service.table_service import WAITING_ACTS, TableService

ANSWER_S = 10.0
"""After this time an act is answered with NO_ANSWER. The table may still do it."""


class ActReporter:
    """Reports acts to one service and waits for the result of each."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self._awaited: deque[tuple[Act, asyncio.Future[Transition]]] = deque()
        service.watchers.append(self._on_settled)

    def must_have_room(self) -> None:
        """Raise NotDone while too many acts wait for the disk: none is reported then."""
        if self.service.waiting_acts >= WAITING_ACTS:
            raise NotDone(NoCode.NO_ANSWER, f"{WAITING_ACTS} acts wait for the disk; not done")

    async def settle(self, act: Act) -> Transition:
        """Report an act and return its transition once it is on record. Raises NotDone."""
        self.must_have_room()
        future: asyncio.Future[Transition] = asyncio.get_running_loop().create_future()
        entry = (act, future)
        self._awaited.append(entry)
        self.service.report(act)
        try:
            async with asyncio.timeout(ANSWER_S):
                return await future
        except TimeoutError as error:
            why = f"the table has not answered for {ANSWER_S:.0f} s; it may still be done"
            raise NotDone(NoCode.NO_ANSWER, why) from error
        finally:
            if entry in self._awaited:
                self._awaited.remove(entry)

    def preview(self, act: Act) -> Transition:
        """Return the transition that the act would cause now. Nothing is reported."""
        service = self.service
        return advance(service.state, act, service.rules, service.clock.now())

    def end(self) -> None:
        """The service has ended: answer all waiting acts with NO_POWER."""
        for _, future in self._awaited:
            if not future.done():
                why = "the power was cut; check when the table is back whether it was done"
                future.set_exception(NotDone(NoCode.NO_POWER, why))
        self._awaited.clear()

    def _on_settled(self, act: Act, step: Transition) -> None:
        for awaited, future in self._awaited:
            if _is_same_act(awaited, act):
                if not future.done():
                    future.set_result(step)
                self._awaited.remove((awaited, future))
                return


def _is_same_act(awaited: Act, settled: Act) -> bool:
    """Return whether these are the same act.

    The service marks a `Cleared` after which the ledger works again.
    """
    if isinstance(settled, Cleared) and settled.mended:
        return replace(settled, mended=False) == awaited
    return settled is awaited

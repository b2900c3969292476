"""Acts of the local line: reported to the service, and answered when they are settled."""

import asyncio
from collections import deque
from dataclasses import replace

from console.line.requests import No, NoCode
from console.rules.acts import Act, Cleared
from console.rules.round import Transition, advance
from console.service.table_service import WAITING_ACTS, TableService

ANSWER_S = 10.0
"""An act that has not been settled by then is answered with NO_ANSWER; it may still be done."""


class NotDone(Exception):
    """Something asked is not done; `no` is the answer."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.no = No(code, why)


class ActReporter:
    """Reports acts to one service, and hears what became of each of them."""

    def __init__(self, service: TableService) -> None:
        self.service = service
        self._awaited: deque[tuple[Act, asyncio.Future[Transition]]] = deque()
        service.watchers.append(self._settled)

    async def settled(self, act: Act) -> Transition:
        """Report an act; its step, once it is on record. Raises NotDone."""
        if self.service.waiting_acts >= WAITING_ACTS:
            raise NotDone(NoCode.NO_ANSWER, f"{WAITING_ACTS} acts wait for the disk; not done")
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

    def would(self, act: Act) -> Transition:
        """What it would become now. Nothing is reported."""
        service = self.service
        return advance(service.state, act, service.rules, service.clock.now())

    def end(self) -> None:
        """The service has gone: nobody will ever say what became of what is awaited."""
        for _, future in self._awaited:
            if not future.done():
                why = "the power went; whether it was done, the table tells when it is back"
                future.set_exception(NotDone(NoCode.NO_POWER, why))
        self._awaited.clear()

    def _settled(self, act: Act, step: Transition) -> None:
        for awaited, future in self._awaited:
            if _is(awaited, act):
                if not future.done():
                    future.set_result(step)
                self._awaited.remove((awaited, future))
                return


def _is(awaited: Act, settled: Act) -> bool:
    """Whether this is the act awaited, or what the service made of it when a ledger was mended."""
    if isinstance(settled, Cleared) and settled.mended:
        return replace(settled, mended=False) == awaited
    return settled is awaited

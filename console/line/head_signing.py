"""Has the table's key sign the newest record, for an export (decision 0013)."""

import asyncio
from typing import Final

from console.line.act_reporter import ActReporter, NotDone
from console.line.requests import Done, NoCode
from console.rules.acts import Act
from console.rules.ledger_acts import HeadAsked, HeadSigned
from console.rules.round import Transition
from console.service.table_service import TableService

SIGNED_WITHIN_S: Final = 15.0
"""How long a request waits: the seal is written once a second, and a TPM takes its time."""

ASKED_EVERY_S: Final = 60.0
"""Each request raises the key's counter, and a TPM's counter wears out."""


class HeadSigning:
    """Asks the seal's thread for signed heads of one service's ledger."""

    def __init__(self, service: TableService, reporter: ActReporter) -> None:
        self._service = service
        self._reporter = reporter
        self._asked_at: float | None = None
        self._newest: HeadSigned | None = None
        self._changed = asyncio.Event()
        service.watchers.append(self._on_settled)

    async def sign(self) -> Done:
        """Sign a record that is newer than all now; answers once that is on record.

        Raises NotDone.
        """
        if not self._service.table_ledger.signs:
            raise NotDone(
                NoCode.CANNOT, "this table has no key, or no seal: see docs/how-to/audit.md"
            )
        now = asyncio.get_running_loop().time()
        if self._asked_at is not None and now - self._asked_at < ASKED_EVERY_S:
            left = self._asked_at + ASKED_EVERY_S - now
            raise NotDone(NoCode.WAIT, f"the table has just signed; ask again in {left:.0f} s")
        self._asked_at = now
        before = self._service.table_ledger.newest
        await self._reporter.settle(HeadAsked())
        try:
            async with asyncio.timeout(SIGNED_WITHIN_S):
                head = await self._wait_for_head(before)
        except TimeoutError as error:
            why = f"the key or the seal has not answered for {SIGNED_WITHIN_S:.0f} s"
            raise NotDone(NoCode.NO_ANSWER, why) from error
        facts = {"decision": "head-signed", "seq": head.seq, "counter": head.counter}
        return Done("done", decisions=(facts,), phase=self._service.state.shown_phase.value)

    async def _wait_for_head(self, after: int) -> HeadSigned:
        while self._newest is None or self._newest.seq <= after:
            self._changed.clear()
            await self._changed.wait()
        return self._newest

    def _on_settled(self, act: Act, _: Transition) -> None:
        if isinstance(act, HeadSigned):
            self._newest = act
            self._changed.set()

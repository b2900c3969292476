"""Contender: a table whose pages are served; its edges, and its jackpot on the signs.

`python -m tests.bench.table_web PORT GROUP GROUP-OF-PAGES`; port 0: the same table without pages.
"""

import asyncio
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from console.configuration.addresses import Listening
from console.rules.codes import Phase
from console.service.disk_thread import DiskThread
from console.service.table_ledger import TableLedger
from console.simulation.pages import PageProcess, ProcessListener
from console.web.messages import PagesOpening
from console.web.table_pages import Feed, snapshot_of_table
from devices.roles import NO_COUNTS, Button, ButtonPressed, RailSeen
from jackpot.money.amounts import Units, format_cents, to_cents
from tests.bench.bench_coin_in import Hands
from tests.bench.contenders import join_group, serve
from tests.bench.hand import Hand
from tests.bench.rig import Rig
from tests.bench.table_edge import BUTTONS

BOOT = 1
DEAF = ProcessListener(lambda _: None, print)


def opening(folder: str, port: int) -> PagesOpening:
    """What the pages are told of this table."""
    return PagesOpening(
        table="bench",
        game="caribbean-stud",
        language="it",
        simulated=False,
        version="",
        rail="slot",
        shuffler=None,
        shoe=None,
        combinations=("ROYAL_FLUSH", "STRAIGHT_FLUSH", "FOUR_OF_A_KIND", "FULL_HOUSE", "FLUSH"),
        devices=("panel", "rail", "display"),
        inspector_fitted=False,
        token="2.00",
        base="5000.00",
        ledger=folder,
        listening=Listening("127.0.0.1", port),
    )


class WatchedTable:
    """Answers both questions: presses, and one token more in the jackpot."""

    def __init__(self, rig: Rig) -> None:
        self._service = rig.service
        self._hands = Hands(rig.service)
        self._dropped = 0
        self._hand = Hand(
            lambda number: rig.contact(BUTTONS[number % 2], True),
            lambda number: rig.contact(BUTTONS[number % 2], False),
            lambda: rig.board.spent,
        )
        rig.board.lamps_changed = self._hand.on_effect

    async def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Walls of the presses asked for; without any, the jackpot and when it was committed."""
        if question.get("presses"):
            return await self._hand.answer(question)
        return await self._one_token()

    async def _one_token(self) -> dict[str, Any]:
        hands, before = self._hands, self._rail_report(frozenset())
        if self._service.state.phase is not Phase.BETTING:
            await hands.do(ButtonPressed(Button.GAME_OVER), lambda s: s.phase is Phase.BETTING)
        there = RailSeen(BOOT, frozenset({1}), before.drops, before.tray)
        await hands.do(there, lambda state: state.seats.tokens == {1})
        await hands.do(ButtonPressed(Button.COIN_IN), lambda s: s.phase is Phase.COLLECTING)
        self._dropped += 1
        fallen = self._rail_report(frozenset())
        await hands.do(fallen, lambda state: state.phase is Phase.PLAYING)
        at = perf_counter()
        jackpot = self._service.state.balances.jackpot
        return {"at": at, "amount": format_cents(to_cents(Units(jackpot)))}

    def _rail_report(self, occupied: frozenset[int]) -> RailSeen:
        drops = (self._dropped, *NO_COUNTS[1:])
        return RailSeen(BOOT, occupied, drops, self._dropped)


async def main(port: int, group: str, group_of_pages: str, policy: int) -> None:
    """Measure as often as asked."""
    join_group(os.getpid(), group)
    loop = asyncio.get_running_loop()
    with TemporaryDirectory() as folder:
        rig = Rig(
            loop,
            TableLedger(Path(folder), durable=False, begins=True),
            DiskThread(loop),
            settle_ms=0,
        )
        await rig.start()
        table = WatchedTable(rig)
        if not port:
            await serve(table.answer)
        else:
            process = PageProcess(loop, opening(folder, port), DEAF)
            feed = Feed(loop, lambda: snapshot_of_table(rig.service), process)
            process.on_started, process.on_ready = feed.start_afresh, feed.on_outlet_ready
            process.start()
            if process.pid is not None:
                os.sched_setscheduler(process.pid, policy, os.sched_param(0))
                join_group(process.pid, group_of_pages)
            feed.follow(rig.service)
            feed.start()
            await serve(table.answer)
            feed.stop()
            await process.end()
        rig.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))

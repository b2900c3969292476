"""Contender: from an edge on a mock pin to the lamps' bytes on the rail's line.

GAME OVER and COIN IN without a token, in turn: each is settled, advanced, committed to the ledger
(without syncs) and changes all seven slot lamps, which is one frame. Neither asks the centre of a
linked table; its courier beats.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

from console.configuration.sections import LinkSection
from console.configuration.table_plan import TablePlan
from console.link.link_device import LinkDevice, plan_link
from console.service.counterparts import Counterparts
from console.service.disk_thread import DiskThread, InlineDiskWriter
from console.service.table_ledger import TableLedger
from devices.roles import Button
from jackpot.ledger.journal import Entry
from tests.bench.contenders import serve
from tests.bench.hand import Hand
from tests.bench.rig import PLAN, Rig
from tests.bench.sealed import counterparts_in
from tests.console.link.failover.linked_house import DATABASE, JACKPOT

BUTTONS = (Button.GAME_OVER, Button.COIN_IN)


class UnwrittenLedger(TableLedger):
    """Commits nothing: what rules and outputs cost alone."""

    def commit(self, _entries: Sequence[Entry]) -> bool:
        """Write nothing."""
        return False


async def main(settle_ms: int, how: str) -> None:
    """Measure as often as asked.

    `how`: the port of the centre that the table is linked to; or `signed`, `unsigned`: it has a
    second copy and such a seal; or `unwritten`: nothing is committed, and nothing goes to a thread.
    """
    loop = asyncio.get_running_loop()
    plan, link = PLAN, None
    if how.isdecimal():
        plan, link = plan_linked_table(loop, int(how))
    with TemporaryDirectory() as folder:
        ledger = (UnwrittenLedger if how == "unwritten" else TableLedger)(
            Path(folder) / "ledger",
            durable=False,
            begins=True,
            counterparts=counterparts_for(how, Path(folder)),
        )
        writer = InlineDiskWriter() if how == "unwritten" else DiskThread(loop)
        rig = Rig(loop, ledger, writer, settle_ms, plan, link)
        await rig.start()
        hand = Hand(
            lambda number: rig.contact(BUTTONS[number % 2], True),
            lambda number: rig.contact(BUTTONS[number % 2], False),
            lambda: rig.board.spent,
        )
        rig.board.lamps_changed = hand.on_effect

        async def answer(question: dict[str, Any]) -> dict[str, Any]:
            await rig.wait_until_ready()
            return await hand.answer(question)

        await serve(answer)
        rig.close()


def counterparts_for(how: str, folder: Path) -> Counterparts:
    """What the ledger has beside it."""
    if how in ("signed", "unsigned"):
        return counterparts_in(folder, signed=how == "signed")
    return lambda _: ()


def plan_linked_table(
    loop: asyncio.AbstractEventLoop, centre_port: int
) -> tuple[TablePlan, LinkDevice]:
    """A table with a courier."""
    section = LinkSection(jackpot=JACKPOT, hosts=(f"127.0.0.1:{centre_port}",), database=DATABASE)
    plan = replace(PLAN, link=section.jackpot)
    return plan, LinkDevice(loop, plan_link(plan, section))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2] if sys.argv[2:] else ""))

"""Contender: from an edge on a mock pin to the lamps' bytes on the rail's line.

GAME OVER and COIN IN without a token, in turn: each is settled, advanced, committed to the ledger
(without syncs) and changes all seven slot lamps, which is one frame.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from console.service.disk_thread import DiskThread
from console.service.table_ledger import TableLedger
from devices.roles import Button
from tests.bench.contenders import serve
from tests.bench.hand import Hand
from tests.bench.rig import Rig

BUTTONS = (Button.GAME_OVER, Button.COIN_IN)


async def main(settle_ms: int) -> None:
    """Measure as often as asked."""
    loop = asyncio.get_running_loop()
    with TemporaryDirectory() as folder:
        rig = Rig(loop, TableLedger(Path(folder), durable=False), DiskThread(loop), settle_ms)
        await rig.start()
        hand = Hand(
            lambda number: rig.contact(BUTTONS[number % 2], True),
            lambda number: rig.contact(BUTTONS[number % 2], False),
            lambda: rig.board.spent,
        )
        rig.board.lamps_changed = hand.on_effect

        await serve(hand.answer)
        rig.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))

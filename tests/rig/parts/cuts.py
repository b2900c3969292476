"""The power is cut within rounds and awards, at instants that the seed decides.

Before a cut some acts are acknowledged; one more is begun. After the next start everything that was
acknowledged must be on record, the table must show what the record says, and the tokens in the
tray must be those that were staked.
"""

import asyncio
import time
from random import Random

from console.rules.codes import Fault, Phase
from console.rules.state import TableState
from devices.panel_wiring import PanelWiring
from devices.roles import SEATS
from tests.rig.machine.journal import Facts, Journal, facts_in, facts_of, fetch_journal
from tests.rig.machine.players import Players
from tests.rig.machine.table import Status, Table, has_links

CUTS = 10
"""On one machine; two machines are cut at the same time."""

MOST_ACTS = 6
LONGEST_ACT_S = 0.5
SETTLED_S = 120.0
WIRING = PanelWiring()


class Cuts:
    """One machine that is cut again and again."""

    def __init__(self, table: Table, random: Random) -> None:
        self.table, self.random = table, random
        self._players = Players(table, random)
        self._unproved = 0
        """Tokens that fell while nobody could count them: TRAY_COUNT says so."""

    async def cut(self, number: int) -> None:
        """Play a little, cut, boot, and hold what is there against what was acknowledged."""
        acknowledged = await self._play_acknowledged()
        status = await self.table.status()
        act = asyncio.ensure_future(self._players.act(status))
        delay = self.random.uniform(0, LONGEST_ACT_S)
        await asyncio.sleep(delay)
        boards_too = self.random.random() < 0.5
        await self.table.guest.cut_power()
        if boards_too:
            self.table.boards.switch(False)
        await asyncio.gather(act, return_exceptions=True)
        self.table.let_key_go()
        if boards_too:
            self.table.boards.switch(True)
        begun = time.monotonic()
        await self.table.guest.boot()
        booted = time.monotonic()
        after, journal = await self._wait_until_settled()
        self.table.report.note(f"cut {number:02}, power on to hand, s", booted - begun)
        self.table.report.note(
            f"cut {number:02}, hand to all devices, s", time.monotonic() - booted
        )
        cost = self.table.guest.processor_s
        self.table.report.note(f"cut {number:02}, power on to all devices, processor's s", cost)
        where = f"cut {number:02} in {status['phase']}, {delay * 1000:.0f} ms after the act began"
        where += ", the boards without power too" if boards_too else ""
        problems = self._find_problems(acknowledged, after, journal, boards_too)
        saw = f"{len(acknowledged)} states acknowledged, back in {after['phase']}"
        self.table.report.hold(where, not problems, "; ".join([saw, *problems]))

    async def _play_acknowledged(self) -> list[Facts]:
        """Some acts, each waited for; what the table has said after each."""
        status = await self.table.status()
        seen = [facts_in(status)]
        for _ in range(self.random.randrange(MOST_ACTS)):
            await self._players.act(status)
            await asyncio.sleep(self.random.uniform(0.1, LONGEST_ACT_S))
            status = await self.table.status()
            seen.append(facts_in(status))
        return seen

    async def _wait_until_settled(self) -> tuple[Status, Journal]:
        """The table and its record, once every device is there and both say the same."""
        status = await self.table.wait_until("all devices are connected", has_links, 90)
        loop = asyncio.get_running_loop()
        end = loop.time() + SETTLED_S
        while True:
            status = await self.table.status()
            journal = await fetch_journal(self.table.guest, self.table.guest.folder / "ledger")
            now = facts_of(journal.states[-1])
            if facts_in(status) == now or loop.time() > end:
                return status, journal
            await asyncio.sleep(0.2)

    def _find_problems(
        self, acknowledged: list[Facts], after: Status, journal: Journal, boards_too: bool
    ) -> list[str]:
        problems = [f"ledger: {problem}" for problem in journal.problems]
        if (missing := journal.find_missing(acknowledged)) is not None:
            problems.append(f"acknowledged, and not on record: {missing}")
        problems += find_differences(journal.at_death, journal.states[-1])
        if facts_in(after) != facts_of(journal.states[-1]):
            problems.append(f"it shows {facts_in(after)}, not {facts_of(journal.states[-1])}")
        return problems + self._count_tokens(journal, boards_too)

    def _count_tokens(self, journal: Journal, boards_too: bool) -> list[str]:
        """Each token in the tray has been staked once, or the table says that it does not know."""
        fallen = self.table.boards.state.tray_tokens - len(journal.stakes)
        is_known = Fault.TRAY_COUNT in journal.states[-1].faults
        if boards_too and fallen > self._unproved and is_known:
            self._unproved = fallen
        if fallen != self._unproved:
            return [f"{fallen} tokens more in the tray than staked, {self._unproved} known"]
        return []


def find_differences(dead: TableState, alive: TableState) -> list[str]:
    """What a start has changed, beyond tokens that dropped while nobody was there to count."""
    before, after = facts_of(dead), facts_of(alive)
    names = ["round", "choice", "award"]
    if dead.phase is not Phase.COLLECTING:
        names += ["phase", "accounts"]
        if dead.seats.accepted != alive.seats.accepted:
            names.append("seats")
    elif alive.phase not in (Phase.COLLECTING, Phase.PLAYING):
        names.append("phase")
    return [
        f"{name} was {before[name]}, and is {after[name]}"
        for name in names
        if before[name] != after[name]
    ]


async def cut_power(table: Table, random: Random) -> None:
    """All cuts of one machine; at the end the lamps, and the ledger verified by banco itself."""
    cuts = Cuts(table, random)
    for number in range(1, CUTS + 1):
        await cuts.cut(number)
    await hold_lamps(table)
    await table.hold_first_start()
    text = await table.guest.sh("runuser -u banco -- banco ledger verify /var/lib/banco", 120)
    table.report.hold("banco ledger verify", "in order" in text, text)


async def hold_lamps(table: Table) -> None:
    """The panel's seat LEDs are those of the accepted seats, on their GPIO lines."""
    status = await table.status()
    playing = status["phase"] in ("COLLECTING", "PLAYING", "AWARDING")
    due = [int(playing and status["seats"].get(str(seat)) == "accepted") for seat in SEATS]
    levels = await table.levels(WIRING.seats)
    table.report.hold("seat LEDs are those of the accepted seats", levels == due, levels)

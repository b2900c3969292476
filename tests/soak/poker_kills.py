"""`banco run` at a poker table, killed again and again (`kill -9`); its journal says what holds."""

import asyncio
import json
import time
from collections import Counter
from pathlib import Path
from random import Random
from signal import SIGKILL

from console.configuration.file import load_configuration
from console.rules.poker_settings import PokerSettings
from tests.console.running_table import RunningTable, Seen, start
from tests.soak.journal import Journal
from tests.soak.poker_books import PokerBooks
from tests.soak.poker_people import PokerPeople

TABLE = "poker-1"
DEADLINE_S = 180.0
"""Longer than anything here may take on a busy machine."""

FORMS = ("cash", "tournament")
STRUCTURE = """
[[step]]
minutes = 10
blinds = "100/200"
[[step]]
break = 5
[[step]]
minutes = 10
blinds = "200/400"
"""


def write_configuration(folder: Path, form: str) -> Path:
    """A simulated table of Sanremo."""
    structure = 'structure = "night.structure"' if form == "tournament" else ""
    (folder / "night.structure").write_text(STRUCTURE, "utf-8")
    file = folder / "sim.toml"
    file.write_text(
        f"""
kind = "simulation"
table = "{TABLE}"
game = "texas-holdem"
[ledger]
folder = "{folder}"
[panel]
driver = "simulated"
[display]
driver = "simulated"
[poker]
form = "{form}"
house = "sanremo"
{structure}
""",
        "utf-8",
    )
    return file


class KilledTable:
    """One table through many lives. Every check raises AssertionError."""

    def __init__(self, folder: Path, form: str) -> None:
        self._folder = folder
        self._file = write_configuration(folder, form)
        plan = load_configuration(self._file).plan()
        assert isinstance(plan.poker, PokerSettings)
        self.people = PokerPeople(form)
        self.books = PokerBooks(TABLE, plan.poker)
        self.journal = Journal(folder / "ledger", plan.rules(None))
        self.lines_compared = 0
        self._killed_at = 0

    async def live(self, random: Random) -> None:
        """A life, up to a random instant; what is then on record must be right."""
        started = await start(self._folder, "--sim", "--config", self._file)
        table = RunningTable(started.process, started.complaints, DEADLINE_S)
        try:
            snapshots = await self._act(random, table)
        finally:
            table.signal(SIGKILL)
        killed_at = round(time.monotonic() * 1000)
        assert table.process.stdout is not None
        rest = (await table.process.stdout.read()).split(b"\n")[:-1]
        assert await table.wait_for_end() == -SIGKILL
        self._read()
        self._killed_at = killed_at
        self._hold_against_journal([*snapshots, *map(json.loads, rest)])

    async def _act(self, random: Random, table: RunningTable) -> list[Seen]:
        if random.random() < 0.2:
            await asyncio.sleep(0.5 * random.random())
            return []
        snapshots = [await table.read_snapshot()]
        for _ in range(random.randrange(40)):
            line = self.people.act(random, snapshots[-1])
            snapshots.append(await table.do("wait 20ms" if line.startswith("wait") else line))
        table.say(self.people.act(random, snapshots[-1]))
        await asyncio.sleep(random.choice((0.004, 0.02, 0.1)) * random.random())
        return snapshots

    def _read(self) -> None:
        for record, before, state in self.journal.read():
            if record.kind == "started" and self._killed_at:
                self.books.came_back(before, state, self._killed_at)
            self.books.count(record, before, state)
        self.books.add_up(self.journal.state)
        self.journal.add_up()

    def _hold_against_journal(self, snapshots: list[Seen]) -> None:
        """Each line showed a state that stands in the journal, in this order."""
        looks = iter([self.books.look_of(state) for state in self.journal.states])
        look = next(looks)
        for seen in snapshots:
            while any(seen.get(name) != fact for name, fact in look.items()):
                look = next(looks, {})
                assert look, f"shown, and nowhere in the journal: {seen}"
        self.lines_compared += len(snapshots)


async def kill_table(form: str, kills: int, seed: int, folder: Path) -> Counter[str]:
    """So many lives of one table; its figures. Raises AssertionError with its last acts."""
    table = KilledTable(folder, form)
    try:
        for kill in range(kills):
            await table.live(Random(f"{seed} {form} {kill}"))
        table.journal.verify()
    except AssertionError as error:
        raise AssertionError(f"{error}\nits last acts: {table.people.log[-20:]}") from error
    hands = table.journal.state.round
    shown = {"hands": hands, "kills": kills, "lines compared": table.lines_compared}
    return Counter(shown) + table.books.counts

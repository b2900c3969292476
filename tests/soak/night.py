"""One table killed again and again, and everything it has ever told held against its journal.

The cabinet's own power stays: its board goes on counting, so that every token that dropped is
proved (docs/reference/rules.md 2 and 7). What stands in the journal when the process is dead says
how the table must come back; nothing it has told anybody may be missing there.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Any

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.rules.state import TableState
from devices.roles import RailTraits
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import read_records, verify
from jackpot.money.accounts import Reason
from jackpot.money.amounts import to_units
from jackpot.trust.seal import hold_against, read_seal
from tests.console.running_table import RunningTable, Seen, configuration, start
from tests.deadlines import DEADLINE_S
from tests.soak.expected import MONEY, after_restart, look_of
from tests.soak.journal import Journal
from tests.soak.player import Player

TABLE = "cs-1"
RAILS = {
    "caribbean-stud": ("slot", RailTraits(gates=True, tray=True)),
    "tre-card-stud": ("sensor", RailTraits(gates=False, tray=False)),
}

VERIFIED_EVERY = 10
"""After so many kills the whole ledger is verified, not its new records alone."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Which table it is; `witnessed`: its ledger has a second copy and a seal."""

    game: str
    witnessed: bool


SETTINGS = (
    Setting("caribbean-stud", witnessed=False),
    Setting("tre-card-stud", witnessed=True),
    Setting("caribbean-stud", witnessed=True),
)


class Night:
    """One table through many kills. Every check raises AssertionError."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        """In a new folder, or in one that a night has left."""
        self.folder = folder
        self.setting = setting
        self.player = Player(setting.game)
        self.lines_compared = 0
        self.awards = 0
        self.stakes: list[str] = []
        self._rail, traits = RAILS[setting.game]
        self._returned = 0
        self._tray_late = False
        self._due: Seen | None = None  # how the table must come back
        self._table = folder / "table"
        rules = TablePlan(game=setting.game, table=TABLE).rules(traits)
        self._journal = Journal(self.ledger, rules)
        self._file = self._write_configuration()
        if self.ledger.exists():
            self._read_journal()
            self._due = look_of(after_restart(self._journal.state, self._cabinet()))

    @property
    def seq(self) -> int:
        """The number of the newest record."""
        return self._journal.seq

    @property
    def ledger(self) -> Path:
        """Its ledger's folder."""
        return self._table / "ledger"

    @property
    def second(self) -> Path:
        """That of the second copy."""
        return self.folder / "second"

    @property
    def seal(self) -> Path:
        """The seal's file."""
        return self.folder / "seal"

    def _write_configuration(self) -> Path:
        self._table.mkdir(exist_ok=True)
        file = configuration(
            self._table / "sim.toml", game=self.setting.game, rail_kind=self._rail, table=TABLE
        )
        if self.setting.witnessed:
            self.second.mkdir(exist_ok=True)
            both = f'[ledger]\nmirror = "{self.second}"\nseal = "{self.seal}"'
            file.write_text(file.read_text("utf-8").replace("[ledger]", both), "utf-8")
        return file

    async def kill(self, random: Random) -> None:
        """Start the table, let people act, kill it; what is then there must be right."""
        async with self._running() as table:
            with ExitStack() as disk:
                snapshots = await self._life(random, table, disk)
                table.signal(SIGKILL)
                snapshots += await self._last_words(table)
            assert await table.wait_for_end() == -SIGKILL
        self._read_journal()
        self._hold_against_journal(snapshots)
        self._adds_up()
        self._is_witnessed()
        self.lines_compared += len(snapshots)
        due = look_of(after_restart(self._journal.state, self._cabinet()))
        if self._due is not None and not snapshots:
            assert due == self._due, "a start alone has changed the table"
        self._due = due

    async def end(self) -> None:
        """Start it once more and end it in order: the copies are the same, and all is sound."""
        async with self._running() as table:
            self._came_back(await self._first(table))
            table.say("quit")
            assert await table.wait_for_end() == 0
        self._read_journal()
        self._adds_up()
        self.verify_ledger()
        if self.setting.witnessed:
            seal = read_seal(self.seal)
            assert seal is not None
            assert seal.seq == self.seq
            assert verify(self.second).head == verify(self.ledger).head

    def verify_ledger(self) -> None:
        """The whole ledger is sound, and a second copy is a beginning of it."""
        self._journal.verify()
        if self.setting.witnessed and (self.second / "ledger.db").exists():
            copy = verify(self.second)
            assert copy.problems == ()
            if copy.records:
                (newest,) = read_records(self.ledger, after=copy.head.seq - 1, limit=1)
                assert newest.hash == copy.head.hash

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[RunningTable]:
        """A table that is starting; it has ended when this does, whatever was wrong."""
        started = await start(self._table, "--sim", "--config", self._file)
        table = RunningTable(started.process, started.complaints, DEADLINE_S)
        try:
            yield table
        finally:
            table.signal(SIGKILL)
            await table.wait_for_end()

    async def _life(self, random: Random, table: RunningTable, disk: ExitStack) -> list[Seen]:
        """Up to a random instant: of its start, or of an act, at times on a disk that is slow."""
        if random.random() < 0.3:
            await self._sleep(0.5 * random.random())
            return []
        snapshots = [await self._first(table)]
        self._came_back(snapshots[0])
        for _ in range(random.randrange(14)):
            snapshots.append(await table.do(self.player.act(random, snapshots[-1])))
        slow_disk = random.random() < 0.2
        if slow_disk:
            slow = disk.enter_context(closing(sqlite3.connect(self.ledger / "ledger.db")))
            slow.execute("BEGIN IMMEDIATE")  # every commit waits for its end
        table.say(self.player.act(random, snapshots[-1]), self.player.act(random, snapshots[-1]))
        most = 0.15 if slow_disk else random.choice((0.004, 0.02, 0.1))
        await self._sleep(most * random.random())
        return snapshots

    async def _first(self, table: RunningTable) -> Seen:
        first = await table.read_snapshot()
        if "RAIL_LOST" in first["faults"]:  # a busy machine, not a slow table
            first = await table.until(lambda seen: "RAIL_LOST" not in seen["faults"])
        return first

    async def _sleep(self, seconds: float) -> None:
        self.player.log.append(f"killed after {seconds * 1000:.1f} ms")
        await asyncio.sleep(seconds)

    async def _last_words(self, table: RunningTable) -> list[Seen]:
        """What it had still told; the kernel keeps that."""
        assert table.process.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            rest = await table.process.stdout.read()
        whole = rest.split(b"\n")[:-1]
        return [json.loads(line) for line in whole]

    # What must be so

    def _came_back(self, first: Seen) -> None:
        """The table shows what the journal had promised when it died."""
        self.player.log.append("started")
        if self._due is not None:
            shown = {name: first[name] for name in self._due} | {"faults": set(first["faults"])}
            due = self._with_changed_cards(self._due)
            assert shown in due, f"it comes back as {shown}, not as {self._due}"

    def _with_changed_cards(self, due: Seen) -> list[Seen]:
        """A slot still covered counts anew from the start: after 500 ms its seat may blink."""
        covered = {str(seat) for seat in self._cabinet()["cards"]} & due["seats"].keys()
        if self._rail != "slot" or due["phase"] not in ("PLAYING", "AWARDING"):
            covered = set()
        return [due, due | {"seats": due["seats"] | dict.fromkeys(covered, "ALERT")}]

    def _hold_against_journal(self, snapshots: list[Seen]) -> None:
        """Each line told a state that stands in the journal, in this order."""
        at = 0
        for seen in snapshots:
            while not self._is_told(seen, at):
                at += 1
                assert at < len(self._journal.states), f"told, and nowhere in the journal: {seen}"

    def _is_told(self, seen: Seen, at: int) -> bool:
        states = self._journal.states
        if at >= len(states):
            return False
        look = look_of(states[at]) | {"slots": seen["slots"]}  # lamps follow within the wire
        return all(
            seen[name] == value if name != "faults" else set(seen[name]) == value
            for name, value in look.items()
        )

    def _read_journal(self) -> None:
        """Lay what this life has written over the state, replaying each act on the way."""
        for record, before, state in self._journal.read():
            self._count(record, before, state)

    def _count(self, record: Record, before: TableState, state: TableState) -> None:
        """Each seat that is accepted has paid its token."""
        self._tray_late |= '"tray-differs"' in json.dumps(record.body)
        reasons = [transaction.reason for transaction in record.transactions]
        self._returned += reasons.count(Reason.TOKEN_RETURNED)
        self.awards += reasons.count(Reason.AWARD_FINAL)
        stakes = [t.identity for t in record.transactions if t.reason is Reason.STAKE]
        added = sorted(state.seats.accepted - before.seats.accepted)
        assert stakes == [f"{TABLE}/round-{state.round}/seat-{seat}/stake" for seat in added]
        self.stakes += stakes

    def _adds_up(self) -> None:
        """The accounts are the sum of the postings, and what the board has counted."""
        self._journal.add_up()
        state = self._journal.state
        assert state.balances.pending == (to_units(state.award.total) if state.award else 0)
        tokens = len(self.stakes) - self._returned
        assert state.balances.tray == -tokens * to_units(MONEY.token)
        # The board has counted every token; a starved machine may have told it too late.
        assert Fault.TRAY_COUNT not in state.faults or (self._tray_late and state.rail.gap == 0)
        if self._rail == "slot":
            fallen = sum(self._cabinet()["drops"]) - len(self.stakes)
            assert 0 <= fallen <= len(state.seats.awaited)

    def _is_witnessed(self) -> None:
        """The seal, if it has come to one, is that of a record there is."""
        if self.setting.witnessed:
            seal = read_seal(self.seal)
            if seal is not None:
                hold_against(seal, self.ledger, TABLE)

    def _cabinet(self) -> dict[str, Any]:
        """What lies where, whoever is dead."""
        file = self._table / "cabinet.json"
        empty = {"tokens": [], "cards": [], "drops": [0] * 7}
        return json.loads(file.read_text("utf-8")) if file.exists() else empty

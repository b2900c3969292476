"""SIGKILL at any instant: the table comes back as it was, or as the act in progress left it.

The cabinet's own power stays: its board goes on counting, so that every token that dropped is
proved (TABLE.md, sections 2 and 7). What stands in the journal when the process is dead says how
the table must come back; nothing it has told anybody may be missing there.
"""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Any

import pytest

from console import records
from console.codes import Fault, Phase
from console.plan import TablePlan
from console.scenario.observation import accounts_shown
from console.state import TableState
from devices.roles import NO_COUNTS, RailTraits
from jackpot import movements
from jackpot.accounts import Reason
from jackpot.amounts import format_cents, to_units
from jackpot.ledger import read_records, rebuild, verify
from jackpot.settings import MoneySettings
from tests.console.running_table import DEADLINE_S, RunningTable, Seen, configuration, start

NIGHTS = 8
KILLS = 26

SEATS = range(1, 8)
COMBINATIONS = {
    "caribbean-stud": ("flush", "full_house", "straight_flush", "royal_flush"),
    "tre-card-stud": ("royal_flush", "three_of_a_kind", "double_three_player"),
}
RAILS = {
    "caribbean-stud": ("slot", RailTraits(gates=True, tray=True)),
    "tre-card-stud": ("sensor", RailTraits(gates=False, tray=False)),
}
MONEY = MoneySettings()
RETURNED = Reason.TOKEN_RETURNED


def look_of(state: TableState) -> Seen:
    """What people must see of a table in this state."""
    seats, award = state.seats, state.award
    playing = seats.accepted - seats.void
    in_round = state.shown_phase not in (Phase.PAUSED, Phase.BETTING, Phase.SERVICE)
    return {
        "phase": state.shown_phase.value,
        "slots": _slots_of(state),
        "seats": {
            str(seat): "ALERT" if seat in seats.changed else "ON"
            for seat in sorted(playing if in_round else ())
        },
        "lamps": [state.choice.value] if state.choice else [],
        "award": award
        and {
            "combination": award.combination.value,
            "winners": award.winners,
            "each": format_cents(award.each),
        },
        "faults": {fault.value for fault in state.faults},
        **accounts_shown(state.balances),
    }


def _slots_of(state: TableState) -> dict[str, str]:
    if state.shown_phase in (Phase.PAUSED, Phase.SERVICE):
        return {}
    seats = state.seats
    betting = state.phase is Phase.BETTING
    lamps = dict.fromkeys(SEATS, "INVITE") if betting else {}
    lit = seats.occupied if betting else (seats.accepted - seats.void) | seats.collecting
    lamps |= dict.fromkeys(lit, "ON")
    lamps |= dict.fromkeys(seats.stuck | seats.reminded, "ALERT")
    return {str(seat): lamp for seat, lamp in sorted(lamps.items())}


def after_restart(dead: TableState, cabinet: dict[str, Any]) -> TableState:
    """How a table killed in this state must come back, with the cabinet as it then is."""
    if dead.settings is None:
        dead = replace(dead, balances=dead.balances.after(movements.opening(MONEY)))
    lies = frozenset(cabinet["tokens"]) | frozenset(cabinet["cards"])
    seats = dead.seats
    counted = dead.rail.seen.drops if dead.rail.seen else NO_COUNTS
    fallen = {seat for seat in seats.awaited if cabinet["drops"][seat - 1] != counted[seat - 1]}
    waiting = seats.awaited - fallen
    balances = dead.balances
    for seat in fallen:
        balances = balances.after(movements.stake(MONEY, f"seat-{seat}"))
    faults = set(dead.faults) - {Fault.TOKEN_STUCK}
    if waiting & lies or (waiting and Fault.TOKEN_STUCK in dead.faults):
        faults.add(Fault.TOKEN_STUCK)
    return replace(
        dead,
        phase=Phase.PLAYING if dead.phase is Phase.COLLECTING and not waiting else dead.phase,
        seats=replace(
            seats,
            occupied=lies,
            accepted=seats.accepted | fallen,
            collecting=frozenset(),
            stuck=waiting,
            reminded=seats.reminded & lies,
        ),
        balances=balances,
        faults=tuple(faults),
    )


class Night:
    """One table through many kills, and everything it has ever told."""

    def __init__(self, folder: Path, game: str, random: Random) -> None:
        self.folder = folder
        self.game = game
        self.random = random
        self.rail, traits = RAILS[game]
        self.rules = TablePlan(game=game, table="cs-1").rules(traits)
        self.file = configuration(folder / "sim.toml", game=game, rail_kind=self.rail)
        self.states = [TableState()]
        self.boots = [0]
        self.seq = 0
        self.stakes: list[str] = []
        self.returned: list[str] = []
        self.due: Seen | None = None  # how the table must come back
        self.log: list[str] = []

    async def kill(self) -> None:
        """Start the table, let people act, kill it; what is then there must be right."""
        table = await start(self.folder, "--sim", "--config", self.file)
        with ExitStack() as disk:
            told = await self.life(table, disk)
            table.signal(SIGKILL)
            told += await self.last_words(table)
            assert await table.ended() == -SIGKILL
        self.read_journal()
        self.was_true(told)
        self.adds_up()
        due = look_of(after_restart(self.states[-1], self.cabinet()))
        if self.due is not None and not told:
            assert due == self.due, "a start alone has changed the table"
        self.due = due

    async def life(self, table: RunningTable, disk: ExitStack) -> list[Seen]:
        """Up to a random instant: of its start, or of an act, at times on a disk that is slow."""
        if self.random.random() < 0.3:
            await self.sleep(0.5 * self.random.random())
            return []
        told = [await table.seen()]
        if "RAIL_LOST" in told[0]["faults"]:  # a busy machine, not a slow table
            told = [await table.until(lambda seen: "RAIL_LOST" not in seen["faults"])]
        self.came_back(told[0])
        for _ in range(self.random.randrange(8)):
            told.append(await table.do(self.some_act(told[-1])))
        if self.random.random() < 0.2:
            slow = disk.enter_context(closing(sqlite3.connect(self.folder / "ledger/ledger.db")))
            slow.execute("BEGIN IMMEDIATE")  # every commit waits for its end
            table.say(self.some_act(told[-1]), self.some_act(told[-1]))
            await self.sleep(0.15)
        else:
            table.say(self.some_act(told[-1]), self.some_act(told[-1]))
            await self.sleep(self.random.choice((0.004, 0.02, 0.1)) * self.random.random())
        return told

    async def sleep(self, seconds: float) -> None:
        self.log.append(f"killed after {seconds * 1000:.1f} ms")
        await asyncio.sleep(seconds)

    async def last_words(self, table: RunningTable) -> list[Seen]:
        """What it had still told; the kernel keeps that."""
        assert table.process.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            rest = await table.process.stdout.read()
        whole = rest.split(b"\n")[:-1]
        return [json.loads(line) for line in whole]

    def some_act(self, seen: Seen) -> str:
        """Something a croupier, a player or a floor manager might do now; the likeliest mostly."""
        seat = self.random.choice(SEATS)
        combination = self.random.choice(COMBINATIONS[self.game])
        chosen = seen["lamps"][0].lower() if seen["lamps"] else combination
        staked = "ON" in seen["slots"].values()
        stuck = [*(seat for seat, lamp in seen["slots"].items() if lamp == "ALERT"), seat]
        likely, possible = {
            "PAUSED": (["key r", "press game_over"], [f"token {seat}", "key s"]),
            "BETTING": (
                ["press coin_in"]
                if staked
                else [f"token {seat} {seat % 7 + 1} {(seat + 2) % 7 + 1}"],
                [f"take {seat}", f"jam {seat}", "press coin_in", "press game_over"],
            ),
            "COLLECTING": (["press coin_in", f"unjam {stuck[0]}"], [f"take {stuck[0]}", "key r"]),
            "PLAYING": (
                ["press jpot", "press jpot", "key jpl", "key jph"]
                if seen["lamps"]
                else [f"press {combination}", "key r", "press game_over", "press game_over"],
                [
                    *(f"{verb} {seat}" for verb in ("cover", "uncover", "token", "take")),
                    f"declare hand-void {seat} returned",
                    "wait 600ms",
                ],
            ),
            "AWARDING": (["press jpot", "key r"], [f"press {chosen}", "key jpl", "press coin_in"]),
            "SERVICE": (["key r", "key jpl"], ["press coin_in"]),
        }[seen["phase"]]
        act = self.random.choice(likely if self.random.random() < 0.75 else possible)
        self.log.append(act)
        return act

    # What must be so

    def came_back(self, first: Seen) -> None:
        """The table shows what the journal had promised when it died."""
        self.log.append("started")
        if self.due is not None:
            told = {name: first[name] for name in self.due} | {"faults": set(first["faults"])}
            assert told in self.with_changed_cards(self.due)

    def with_changed_cards(self, due: Seen) -> list[Seen]:
        """A slot still covered counts anew from the start: after 500 ms its seat may blink."""
        covered = {str(seat) for seat in self.cabinet()["cards"]} & due["seats"].keys()
        if self.game != "caribbean-stud" or due["phase"] not in ("PLAYING", "AWARDING"):
            covered = set()
        return [due, due | {"seats": due["seats"] | dict.fromkeys(covered, "ALERT")}]

    def was_true(self, told: list[Seen]) -> None:
        """Each line told a state that stands in the journal, in this order."""
        at = self.boots[0]
        for seen in told:
            while not self.is_told(seen, at):
                at += 1
                assert at < len(self.states), f"told, and nowhere in the journal: {seen}"

    def is_told(self, seen: Seen, at: int) -> bool:
        if at >= len(self.states):
            return False
        look = look_of(self.states[at]) | {"slots": seen["slots"]}  # lamps follow within the wire
        return all(
            seen[name] == value if name != "faults" else set(seen[name]) == value
            for name, value in look.items()
        )

    def read_journal(self) -> None:
        """Lay what this life has written over the state, replaying each act on the way."""
        self.boots[0] = len(self.states) - 1
        for record in self.records():
            assert record.seq == self.seq + 1
            self.seq = record.seq
            before = self.states[-1]
            state, same = records.replayed(
                before, record.kind, record.body, self.rules, record.at_ms
            )
            assert same, f"{record} is not what follows from {before}"
            self.returned += [t.identity for t in record.transactions if t.reason is RETURNED]
            stakes = [t.identity for t in record.transactions if t.reason is Reason.STAKE]
            added = state.seats.accepted - before.seats.accepted
            assert stakes == [
                f"cs-1/round-{state.round}/seat-{seat}/stake" for seat in sorted(added)
            ]
            self.stakes += stakes
            self.states.append(state)

    def records(self) -> Iterator[Any]:
        if (self.folder / "ledger" / "ledger.db").exists():
            yield from read_records(self.folder / "ledger", after=self.seq)

    def adds_up(self) -> None:
        """The accounts are the sum of the postings, each token and each award stands there once."""
        assert len(set(self.stakes + self.returned)) == len(self.stakes + self.returned)
        state = self.states[-1]
        if self.seq:
            rebuilt = rebuild(self.folder / "ledger")
            assert rebuilt.agrees
            assert rebuilt.balances == state.balances
        assert state.balances.pending == (to_units(state.award.total) if state.award else 0)
        tokens = len(self.stakes) - len(self.returned)
        assert state.balances.tray == -tokens * to_units(MONEY.token)
        assert Fault.TRAY_COUNT not in state.faults  # the board has counted every token
        if self.rail == "slot":
            fallen = sum(self.cabinet()["drops"]) - len(self.stakes)
            assert 0 <= fallen <= len(state.seats.awaited)

    def cabinet(self) -> dict[str, Any]:
        """What lies where, whoever is dead."""
        file = self.folder / "cabinet.json"
        empty = {"tokens": [], "cards": [], "drops": [0] * 7}
        return json.loads(file.read_text("utf-8")) if file.exists() else empty


async def night(folder: Path, game: str, seed: str) -> None:
    folder.mkdir()
    table = Night(folder, game, Random(seed))
    for number in range(KILLS):
        try:
            await table.kill()
        except Exception as error:
            error.add_note(f"seed {seed}, kill {number}: {table.log[-20:]}")
            raise
    assert verify(folder / "ledger").problems == ()
    assert table.stakes, "nobody has ever staked"


@pytest.mark.parametrize("pair", range(NIGHTS // 2))
def test_a_killed_table_comes_back_as_it_was(
    pair: int, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("hypothesis_seed")
    games = ("caribbean-stud", "caribbean-stud" if pair else "tre-card-stud")

    async def two_nights() -> None:
        async with asyncio.TaskGroup() as tables:
            for number, game in enumerate(games):
                place = tmp_path / str(number)
                tables.create_task(night(place, game, f"{seed}/{pair}/{number}"))

    asyncio.run(two_nights())

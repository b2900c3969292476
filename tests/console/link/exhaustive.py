"""Every order of what may happen to a few linked tables, up to a depth: `make exhaustive`.

Where random schedules (schedules.py) try long nights by chance, this tries short ones whole. From
each state every act that is possible leads to another; one that was seen before is not followed
again. In each state the invariants of docs/reference/link-rules.md, 9.3 hold after every call, and
so they do when everything heals and ends from there.
"""

import argparse
import json
import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from random import Random

from console.rules.link import (
    Agree,
    Barred,
    Cancel,
    CentreBars,
    Claim,
    Close,
    Join,
    Leave,
    Open,
    Tie,
)
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, to_units
from tests.console.link.invariants import HIGHEST, Auditor
from tests.console.link.linked_table import TERMS, LinkedTable
from tests.console.link.lossy_wire import Loss, LossyWire, NoAnswer
from tests.console.link.model.centre import OperatedCentre
from tests.console.link.players import Player

NAMES = ("a", "b", "c")
OPENING, BASE = Cents(1_000_003), Cents(500_000)
CORRECTED = Cents(5_000)
ROUNDS = 2
"""A table opens so many in its life here."""

ROUNDS_TO_END = 6
MOST_CALLS = 3
"""Calls that wait in an outbox."""

Act = tuple[str, str]
"""What happens, and at which table."""


class ScopeFailed(Exception):
    """Something is wrong after these acts."""


@dataclass(frozen=True)
class Scope:
    """Which acts there are, at how many tables, and how many may follow one another.

    `staked`: each table has a round open, with a token, before the first of them.
    """

    name: str
    tables: int
    depth: int
    acts: tuple[str, ...]
    staked: bool = False


ROUND = ("coin in", "answer opening", "JPOT", "key R", "combination", "GAME OVER", "send")
LINK = ("send, answer lost", "connect", "restart")
MEMBERS = ("leave", "admit", "copy the card", "older card")
SCOPES = (
    Scope("a round, calls lost, restarts", 2, 8, (*ROUND, *LINK)),
    Scope("a tie, calls lost, restarts", 2, 8, (*ROUND, *LINK), staked=True),
    Scope("a tie of three", 3, 8, ROUND, staked=True),
    Scope("leave, join, older cards", 2, 8, ("coin in", "send", *LINK, *MEMBERS)),
    Scope("operators", 2, 8, (*ROUND, "correct", "round over", "connect", "restart"), staked=True),
)


class World:
    """Tables at one centre, at one instant. To pickle it is to copy it."""

    def __init__(self, tables: int, *, staked: bool = False) -> None:
        self.centre = OperatedCentre(TERMS, OPENING, BASE, Tie.SPLIT)
        self.auditor = Auditor(self.centre, BASE, Tie.SPLIT)
        self.older: Player | None = None
        """A table with a copy of the first one's card, as it was; or the first, once it is out."""
        self.players = [self._seat(name) for name in NAMES[:tables]]
        for player in self.players:
            player.table.ask(lambda n: Join(n, Balances()))
            player.heal(self.connect)
        for player in self.players if staked else ():
            player.open()
            player.send()
            _answer_opening(self, player)
            player.send()

    def _seat(self, name: str) -> Player:
        self.auditor.names.append(name)
        wire = LossyWire(name, self.centre.member(name), self.auditor)
        return Player(LinkedTable(name, wire), wire, Random(0))

    def is_member(self, player: Player) -> bool:
        """Whether the centre counts the table among its members."""
        return self.centre.row_of(player.table.name).joined

    def connect(self, player: Player) -> None:
        """A hello; the card must have the last record that was shown. Raises NoAnswer."""
        with self.auditor.know_records(player.card.records):
            player.connect()

    def end(self) -> None:
        """Everything heals, rounds and awards end; ledgers and centre then agree."""
        staying = [one for one in self.players if self.is_member(one) or one.card.outbox]
        for _ in range(ROUNDS_TO_END):
            for player in staying:
                player.heal(self.connect)
                if not any(isinstance(held.call, Leave) for held in player.card.held[-2:]):
                    player.end()
        assert not any(player.card.outbox for player in staying), "calls without an answer"
        assert not self.centre.total.pending, "an award is pending at the end"
        self.auditor.check_ledgers([player.card.balances for player in self.players])

    @property
    def mark(self) -> tuple[object, ...]:
        """What tells two states apart.

        Hashes and sessions are only compared: their values are left out, and what each comparison
        would find is in.
        """
        books = self.centre.books
        rows = [
            (row.n, row.joined, row.round and (row.round.number, row.round.stakes), row.epoch)
            for row in books.members.values()
        ]
        awards = [
            (award.number, sorted(award.holds), [(p.identity, p.winners, p.state) for p in parts])
            for award in books.awards
            for parts in [award.parts.values()]
        ]
        cards = [self._mark_card(one) for one in (*self.players, *filter(None, [self.older]))]
        status = [(one.leaving, one.ended) for one in books.status.values()]
        return (str(books.total), repr(rows), repr(awards), repr(cards), repr(status))

    def _mark_card(self, player: Player) -> tuple[object, ...]:
        card, row = player.card, self.centre.row_of(player.table.name)
        known = row.last
        proves = known is not None and card.records[known.seq - 1 : known.seq] == [known.hash]
        ahead = known is not None and len(card.records) - known.seq
        return (
            *(proves, ahead, player.up, player.greeted, player.table.session == row.session),
            *(card.n, card.answered, row.has_answered(card.answered, card.answer_hash), card.act),
            *(card.round, card.opening, card.unclosed, card.playing, card.stakes, card.void),
            *(card.current, sorted(card.claims.items()), card.awaited, card.awards),
            *(repr(card.outbox), str(card.balances)),
            sorted((key, one.state.value, one.each) for key, one in card.awards_seen.items()),
        )


def list_acts(world: World, scope: Scope) -> Iterator[Act]:
    """What may happen next."""
    for player in world.players:
        for act in scope.acts:
            if POSSIBLE[act](world, player):
                yield act, player.table.name


def do(world: World, act: Act) -> None:
    """It happens. Raises AssertionError and others: something is wrong."""
    what, name = act
    (player,) = (one for one in world.players if one.table.name == name)
    DOES[what](world, player)


def _is_open(_world: World, player: Player) -> bool:
    card = player.card
    return card.current is None and card.playing and len(card.outbox) < MOST_CALLS


def _may_decide(_world: World, player: Player) -> bool:
    card = player.card
    asked = any(getattr(one, "identity", None) == card.current for one in card.outbox)
    return card.current in card.awards_seen and not asked


def _has_left(player: Player) -> bool:
    return any(isinstance(call, Leave) for call in player.card.outbox) or any(
        isinstance(held.call, Leave) for held in player.card.held[-1:]
    )


def _may_open(world: World, player: Player) -> bool:
    card = player.card
    idle = player.up and not card.playing and not card.opening and not card.outbox
    return idle and card.round < ROUNDS and world.is_member(player) and not _has_left(player)


def _may_leave(world: World, player: Player) -> bool:
    card = player.card
    idle = player.up and not (card.playing or card.opening or card.outbox or card.current)
    return idle and world.is_member(player) and player is world.players[0]


POSSIBLE: dict[str, Callable[[World, Player], bool]] = {
    "coin in": _may_open,
    "answer opening": lambda _, player: player.card.opening,
    "JPOT": lambda world, player: _is_open(world, player) and not player.card.claims,
    "key R": _may_decide,
    "combination": _may_decide,
    "GAME OVER": _is_open,
    "send": lambda _, player: player.up and bool(player.card.outbox),
    "send, answer lost": lambda _, player: player.up and bool(player.card.outbox),
    "connect": lambda world, player: (
        not player.up and (world.is_member(player) or bool(player.card.outbox))
    ),
    "restart": lambda _, player: player.up,
    "leave": _may_leave,
    "admit": lambda world, player: not world.is_member(player) and not player.card.outbox,
    "copy the card": lambda world, player: world.older is None and player is world.players[0],
    "older card": lambda world, player: world.older is not None and player is world.players[0],
    "correct": lambda world, player: player is world.players[0],
    "round over": lambda world, player: player.table.name in world.auditor.rounds,
}


def _answer_opening(_world: World, player: Player) -> None:
    """Answered, a token is staked; not, the opening is refused and closed."""
    card = player.card
    card.opening = False
    if any(isinstance(one, Open) for one in card.outbox):
        player.table.ask(lambda n: Close(n, card.round))
        return
    card.playing = True
    player.stake(1)


def _claim(_world: World, player: Player) -> None:
    card, table = player.card, player.table
    card.awards += 1
    card.current = identity = table.award
    card.claims[identity] = 1
    table.ask(lambda n: Claim(n, card.round, identity, HIGHEST, 1))


def _decide(player: Player, call: type[Agree] | type[Cancel]) -> None:
    card = player.card
    assert card.current is not None
    seen = card.awards_seen[card.current]
    player.decide(player.greeted and seen.tables == 1 and card.awaited == 0, call)


def _send(_world: World, player: Player) -> None:
    try:
        player.send()
    except NoAnswer:
        player.up = False


def _lose_answer(world: World, player: Player) -> None:
    player.wire.loss = Loss.ANSWER
    _send(world, player)


def _start(player: Player, boot: int) -> None:
    player.up = player.greeted = False
    player.card.record("start", boot)


def _admit(world: World, player: Player) -> None:
    """Operators let it in again; it says hello, and asks to join."""
    world.centre.admit(player.table.name)
    _start(player, len(player.card.records))
    player.table.ask(lambda n: Join(n, Balances()))


def _copy_card(world: World, player: Player) -> None:
    world.older = Player(player.table.clone(), player.wire, Random(0))


def _put_older_card(world: World, player: Player) -> None:
    """The older card starts in the table's place: it is forked, or it is no older one."""
    older = world.older
    assert older is not None
    _start(older, -len(player.card.records))
    try:
        world.connect(older)
    except CentreBars as bars:
        if bars.barred not in (Barred.FORKED, Barred.BEHIND, Barred.NOT_A_MEMBER):
            raise
        return
    world.older = player
    player.up = False
    world.players[0] = older


def _correct(world: World, _player: Player) -> None:
    """Two operators lower the jackpot, while no round that is staked is open."""
    staked = any(world.auditor.stakes[one] for one in world.auditor.rounds.items())
    units = to_units(CORRECTED)
    source, target = Account.JACKPOT, Account.RESERVE
    arguments = {"source": source.value, "target": target.value, "amount": units}
    refusal = world.centre.approve("correct", arguments)
    assert refusal == ("ROUNDS_OPEN" if staked else None), refusal
    if refusal is None:
        world.auditor.note_correction(source, target, units)


def _end_round(world: World, player: Player) -> None:
    name = player.table.name
    assert world.centre.approve("round-over", {"member": name}) is None
    world.auditor.end_round(name)
    world.auditor.check_act([])


DOES: dict[str, Callable[[World, Player], None]] = {
    "coin in": lambda _, player: player.open(),
    "answer opening": _answer_opening,
    "JPOT": _claim,
    "key R": lambda _, player: _decide(player, Agree),
    "combination": lambda _, player: _decide(player, Cancel),
    "GAME OVER": lambda _, player: player.close(),
    "send": _send,
    "send, answer lost": _lose_answer,
    "connect": lambda world, player: world.connect(player),
    "restart": lambda _, player: _start(player, len(player.card.records)),
    "leave": lambda _, player: _leave(player),
    "admit": _admit,
    "copy the card": _copy_card,
    "older card": _put_older_card,
    "correct": _correct,
    "round over": _end_round,
}


def _leave(player: Player) -> None:
    player.table.ask(Leave)


WRONG = (AssertionError, ArithmeticError, LookupError, ValueError, CentreBars)


def explore(scope: Scope) -> Counter[str]:
    """Follow every order of acts; how many states, acts and ends. Raises ScopeFailed."""
    first = World(scope.tables, staked=scope.staked)
    seen = {first.mark}
    level: list[tuple[bytes, tuple[Act, ...]]] = [(pickle.dumps(first), ())]
    counts = Counter(states=1)
    for _ in range(scope.depth):
        following = []
        for packed, acts in level:
            for act in list_acts(pickle.loads(packed), scope):
                counts["acts"] += 1
                world = _follow(packed, (*acts, act))
                mark = world.mark
                if mark not in seen:
                    seen.add(mark)
                    counts["states"] += 1
                    following.append((pickle.dumps(world), (*acts, act)))
        for packed, acts in following:
            _end(packed, acts)
        counts["ends"] += len(following)
        level = following
    return counts


def _follow(packed: bytes, acts: tuple[Act, ...]) -> World:
    world: World = pickle.loads(packed)
    try:
        do(world, acts[-1])
    except WRONG as error:
        raise ScopeFailed(f"{error!r}, after: {_list(acts)}") from error
    return world


def _end(packed: bytes, acts: tuple[Act, ...]) -> None:
    world: World = pickle.loads(packed)
    try:
        world.end()
    except WRONG as error:
        raise ScopeFailed(f"{error!r}, at the end, after: {_list(acts)}") from error


def _list(acts: tuple[Act, ...]) -> str:
    return ", ".join(f"{name}: {what}" for what, name in acts)


def explore_in_time(scope: Scope) -> tuple[Counter[str], float]:
    """What was found, and the seconds that it took. Raises ScopeFailed."""
    began = time.monotonic()
    return explore(scope), time.monotonic() - began


def main(arguments: list[str] | None = None) -> int:
    """Explore every scope, and print what was found as JSON; 1: something is wrong."""
    parser = argparse.ArgumentParser(prog="make exhaustive", description=__doc__)
    parser.add_argument("--depth", type=int, help="instead of each scope's own")
    asked = parser.parse_args(arguments)
    scopes = [replace(one, depth=asked.depth or one.depth) for one in SCOPES]
    status = 0
    with ProcessPoolExecutor(os.cpu_count() or 1) as processes:
        runs = [(scope, processes.submit(explore_in_time, scope)) for scope in scopes]
        for scope, run in runs:
            report = {"scope": scope.name, "tables": scope.tables, "depth": scope.depth}
            try:
                counts, seconds = run.result()
            except ScopeFailed as failed:
                print(f"{scope.name}: {failed}", file=sys.stderr)
                status = 1
            else:
                print(json.dumps({**report, **counts, "seconds": round(seconds)}), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())

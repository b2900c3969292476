"""Nights on a real centre in which members lie now and then (docs/reference/link-rules.md, 2.4).

A lie waits in the outbox as any call. It is refused, and its table is barred until two operators
have looked at it.
"""

import msgspec

from console.link.rejoin_list import RejoinList
from console.rules.link import (
    Answer,
    AnyCall,
    Barred,
    CentreBars,
    CentreRefusal,
    Deliver,
    Terms,
    Tie,
)
from jackpot.ledger.journal import Head
from jackpot.money.amounts import Cents
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.lies import tell_lie
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.players import Player
from tests.console.link.set_back_schedules import NoWitness, SetBackSchedule

TOKENS = ("stake", "token_returned")
LIES = 0.02
"""How likely a step is a lie."""
LOOK = {"source": "house", "target": "reserve", "amount": 1, "reason": "looked at the table"}

REFUSED = """
SELECT e.call FROM link.entry AS e
WHERE e.member = %s AND e.epoch = %s AND e.answer ->> 'refusal' = 'NOT_THE_TERMS' ORDER BY e.n
"""
UNLOOKED = """
SELECT e.member, e.n FROM link.entry AS e JOIN link.member AS m ON m.name = e.member
WHERE e.epoch = m.epoch AND e.answer ->> 'refusal' = 'NOT_THE_TERMS' AND NOT m.doubted
    AND NOT EXISTS (
        SELECT FROM link.act AS a
        WHERE a.kind = 'correction' AND a.details ->> 'member' = e.member AND a.number > e.act
    )
"""


class LieWitness(NoWitness):
    """Sees that lies are refused, and nothing else is for the terms."""

    def __init__(self) -> None:
        self.lies: dict[str, list[AnyCall]] = {}
        """What each table made up."""

    def see_answer(
        self, name: str, _session: int, call: AnyCall, answer: Answer, _head: Head
    ) -> None:
        """A call was answered."""
        refused = answer.refusal is CentreRefusal.NOT_THE_TERMS
        assert refused is (call in self.lies.get(name, ())), f"{call}: {answer.refusal}"


class LyingNight(SetBackSchedule):
    """A night on a centre without a jackpot yet."""

    def __init__(self, centre: PostgresCentre, seed: int) -> None:
        self.real = centre

        def begin(
            *,
            terms: Terms = TERMS,
            opening: Cents = MONEY.opening,
            base: Cents = MONEY.base,
            tie: Tie = Tie.SPLIT,
        ) -> PostgresCentre:
            return centre.begin(terms, opening, base, tie)

        super().__init__(begin, seed)
        self.witness = LieWitness()

    def begin(self) -> None:
        """All have joined."""
        for player in self.players:
            self.heal(player)
            player.wire.see_with(self.witness)

    def take_step(self, player: Player) -> None:
        """One step of this table; it may be a lie."""
        if self.random.random() < LIES:
            self.lie(player)
        super().take_step(player)

    # Tables that lie

    def lie(self, player: Player) -> None:
        """What is no money of the terms, or not the table's, waits in the outbox as any call."""
        others = [name for name in self.auditor.names if name != player.table.name]
        made = player.table.ask(tell_lie(player.table, self.random.choice(others), self.random))
        self.witness.lies.setdefault(player.table.name, []).append(made)
        self.log.append(f"{player.table.name} lies: {made}")
        self.counts["lies"] += 1

    def send(self, player: Player) -> None:
        """The courier connects, or sends a call."""
        try:
            super().send(player)
        except CentreBars as bars:
            self.see_bar(player, bars)

    def beat(self, player: Player) -> None:
        """A beat."""
        try:
            super().beat(player)
        except CentreBars as bars:
            self.see_bar(player, bars)

    def heal(self, player: Player) -> None:
        """All that is in the outbox arrives, and a beat; operators look at it after each lie."""
        for _ in range(len(player.card.outbox) + 1):
            try:
                super().heal(player)
            except CentreBars as bars:
                self.expect_doubt(player, bars)
                self.look_at(player)
            else:
                return
        super().heal(player)

    def heal_link(self, player: Player) -> None:
        """It has a session; operators have looked at it."""
        try:
            super().heal_link(player)
        except CentreBars as bars:
            self.expect_doubt(player, bars)
            self.look_at(player)
            super().heal_link(player)

    def see_bar(self, player: Player, bars: CentreBars) -> None:
        """It is barred since it lied; operators look at it at once, or later."""
        self.expect_doubt(player, bars)
        if self.random.random() < 0.3:
            self.look_at(player)

    def expect_doubt(self, player: Player, bars: CentreBars) -> None:
        """Only who has lied may be barred."""
        player.up = False
        self.counts["barred"] += 1
        if bars.barred is not Barred.SETTINGS or not self.is_doubted(player.table.name):
            raise bars
        assert self.find_refused(player), f"{player.table.name} is doubted, and never lied"

    def is_doubted(self, name: str) -> bool:
        """Whether the centre waits for two operators to look at the table."""
        return bool(self.real.one("SELECT doubted FROM link.member WHERE name = %s", name))

    def look_at(self, player: Player) -> None:
        """Two operators have looked: it goes on with a correction, or by a rejoin."""
        name = player.table.name
        if self.random.random() < 0.3:
            refused = self.real.rejoin(name, self.list_tokens(player))
            self.log.append(f"looked at {name}, rejoin: {refused}")
            if refused is None:
                self.counts["liars rejoined"] += 1
                self.begin_epoch(player)
                return
            assert refused == "AWARD_PENDING", f"{name}: {refused}"
        refused = self.centre.approve("correct", LOOK | {"member": name})
        self.log.append(f"looked at {name}: {refused}")
        assert refused is None, f"{name}: {refused}"

    def find_refused(self, player: Player) -> list[AnyCall]:
        """What of its calls the centre has as money that fits no terms, in this epoch."""
        asked = (player.table.name, self.epoch_of(player))
        rows = self.real.superuser.execute(REFUSED, asked).fetchall()
        return msgspec.convert([call for (call,) in rows], list[AnyCall])

    # What the centre has of a table

    def epoch_of(self, player: Player) -> int:
        """The epoch of the table at the centre."""
        query = "SELECT epoch FROM link.member WHERE name = %s"
        return int(self.real.one(query, player.table.name))

    def find_own_tokens(self, player: Player) -> set[str]:
        """The tokens that its card has."""
        ledger = player.card.ledger.values()
        return {one.identity for one in ledger if one.reason.value in TOKENS}

    def find_booked(self, name: str) -> list[str]:
        """The tokens that the centre has of a table."""
        query = "SELECT identity FROM link.movement WHERE member = %s AND reason IN (%s, %s)"
        asked = (name, *TOKENS)
        return [row[0] for row in self.real.superuser.execute(query, asked).fetchall()]

    def list_tokens(self, player: Player) -> RejoinList:
        """The stakes and returned tokens of its ledger that the centre has not."""
        card, name = player.card, player.table.name
        there = set(self.find_booked(name))
        tokens = self.find_own_tokens(player)
        waiting = [call for call in card.outbox if isinstance(call, Deliver)]
        return RejoinList(
            max(player.table.epoch, self.epoch_of(player)),
            card.head,
            tuple(one for one in card.ledger.values() if one.identity in tokens - there),
            tuple(one.identity for call in waiting for one in call.transactions),
            self.real.know(name),
            card.act,
        )

    def begin_epoch(self, player: Player) -> None:
        """It was let rejoin, and is told so."""
        player.wire.loss = None
        player.late = None
        player.card.current = None
        self.connect(player)

    def check_lies(self) -> None:
        """Each lie that was answered is stored as refused, and no other call is."""
        for player in self.players:
            lies = self.witness.lies.get(player.table.name, [])
            held = [one.call for one in player.card.held if one.call in lies]
            there = self.find_refused(player)
            assert there == held, f"{player.table.name}: {there}, not {held}"
            self.counts["lies refused"] += len(held)

    def check_looked_at(self) -> None:
        """Who lied is barred till two operators have looked."""
        unlooked = self.real.superuser.execute(UNLOOKED).fetchall()
        assert unlooked == [], f"{unlooked} may go on, and nobody has looked"

"""Random nights of a real centre that is set back, with tables that die (docs/link-rules.md, 3.13).

Who is dead is left out of the recovery. Two operators say what became of its parts as its card has
it; it may come back by rejoin. After every recovery, and at the end, the audit must find nothing,
and what winners were paid at the tables may not exceed what an award had.
"""

from collections import Counter

import psycopg

from console.link.centre.books import find_differences
from console.link.rejoin_list import RejoinList, tokens_of
from console.rules.link import Agree, AwardState, CentreBars, Deliver, LinkedAward, Terms, Tie
from jackpot.amounts import Cents
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.linked_table import LIVE, MONEY, TERMS
from tests.console.link.players import Player
from tests.console.link.schedules import ROUNDS_TO_END, ScheduleFailed
from tests.console.link.set_back_schedules import SetBackSchedule

WRONG = (AssertionError, ArithmeticError, LookupError, ValueError, CentreBars, psycopg.Error)

LUCKY = (1, 0, 6, 1, 4)
"""Habits of players who hit often, while other rounds are open."""
UNTIL_SHARED = 100
TOKENS = ("stake", "token_returned")

IN_DOUBT = """
SELECT w.member, w.identity, w.award, a.reading FROM link.winner AS w
JOIN link.award AS a ON a.jackpot_id = w.jackpot_id AND a.number = w.award
WHERE w.state NOT IN ('final', 'cancelled')
    AND w.member IN (SELECT name FROM link.member WHERE ended) ORDER BY w.place
"""
FINALS = """
SELECT w.member, w.award, a.reading, w.paying / 10000, w.identity FROM link.winner AS w
JOIN link.award AS a ON a.jackpot_id = w.jackpot_id AND a.number = w.award
WHERE w.state = 'final' ORDER BY w.place
"""


class RestoredNight(SetBackSchedule):
    """A night with one to three restores."""

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
        self.dead: list[Player] = []
        self.paid: dict[str, Cents] = {}
        """By an award's identity what was paid as fixed, before the centre said it is final."""

    def run(self) -> None:
        """Play, set back, recover, play on; end."""
        self.begin()
        for player in self.players:
            player.habits = LUCKY
        self.play()
        self.play_until_shared()
        self.centre.save()
        for _ in range(self.random.randint(1, 3)):
            self.play()
            self.restore_without_dead()
            if self.random.random() < 0.5:
                self.play()
                self.say_what_became()
            if self.random.random() < 0.5:
                self.let_rejoin()
            if self.random.random() < 0.7:
                self.play_until_shared()
                self.centre.save()
        self.play()
        self.say_what_became()
        self.let_rejoin()
        self.end()
        self.check_books()
        self.check_paid()
        self.check_tokens()
        self.counts["awards"] += sum(len(one.card.awards_seen) for one in self.players)

    def play_until_shared(self) -> None:
        """Till tables share an award, most nights: there a backup says least of how it ends."""
        for _ in range(UNTIL_SHARED if self.random.random() < 0.7 else 0):
            seen = [one for player in self.players for one in player.card.awards_seen.values()]
            if any(one.tables > 1 and one.state in LIVE for one in seen):
                return
            self.take_step(self.random.choice(self.players))

    def restore_without_dead(self) -> None:
        """Some die; the centre is set back, and recovered without them: at once or said twice."""
        self.log.append("set back")
        self.centre.set_back(None)
        for player in list(self.players):
            player.up = player.greeted = False
            rejoined = player.table.epoch > self.epoch_of(player)
            if rejoined or (len(self.players) > 1 and self.random.random() < 0.3):
                self.counts["left out"] += 1
                self.log.append(f"{player.table.name} is left out")
                self.players.remove(player)
                self.dead.append(player)
        if self.random.random() < 0.3:
            self.counts["said twice"] += 1
            self.centre.recover()
            for player in self.players:
                self.tell_some(player)
        self.centre.recover(without=[one.table.name for one in self.dead])
        self.check_all_recover()
        self.check_books()
        if not self.players:
            self.say_what_became()
            self.let_rejoin()

    def tell_some(self, player: Player) -> None:
        """It tells all, a part, or nothing."""
        if self.random.random() < 0.5:
            self.lose(player)
            player.recall()

    def epoch_of(self, player: Player) -> int:
        """The epoch of the table at the centre."""
        query = "SELECT epoch FROM link.member WHERE name = %s"
        return int(self.real.one(query, player.table.name))

    def act(self, player: Player) -> None:
        """Somebody presses something; what a fixed award has is paid at once."""
        card, before = player.card, player.counts["ended as fixed"]
        identity = card.current
        super().act(player)
        fixed = player.counts["ended as fixed"] > before and isinstance(card.outbox[-1], Agree)
        if fixed and identity is not None:
            seen = card.awards_seen[identity]
            self.paid[identity] = Cents(seen.each * seen.own)

    def end(self) -> None:
        """Everything heals, every award and round ends; nothing is in doubt any more."""
        self.log.append("the end")
        for _ in range(ROUNDS_TO_END):
            for player in self.players:
                self.heal(player)
                player.end()
        assert not any(player.card.outbox for player in self.players), "calls without an answer"
        self.say_what_became()
        for player in self.players:
            self.heal(player)
        assert not self.centre.total.pending, "an award is pending at the end"

    # Two operators

    def say_what_became(self) -> None:
        """They look at the dead tables' cards, and say what became of each part that is left."""
        while rows := self.real.superuser.execute(IN_DOUBT).fetchall():
            name, identity, number, reading = self.random.choice(rows)
            (dead,) = (one for one in self.dead if one.table.name == name)
            says = self.read_card(dead, number, reading)
            refused = self.centre.approve(says, {"member": name, "identity": identity})
            self.log.append(f"{says} {identity}: {refused}")
            self.counts["said of parts in doubt"] += 1
            if refused is not None:
                self.counts["said otherwise"] += 1
                other = "cancel" if says == "finish" else "finish"
                asked = {"member": name, "identity": identity}
                assert self.centre.approve(other, asked) is None, f"{identity}: neither"
            self.check_books()

    def read_card(self, dead: Player, number: int, reading: Cents) -> str:
        """Whether the dead table's card says that it was paid; by chance if it does not say."""
        seen = self.find_seen(dead, number, reading)
        if seen is None or seen.state is AwardState.CANCELLED:
            return "cancel"
        if seen.state is AwardState.FINAL or seen.identity in self.paid:
            return "finish"
        return self.random.choice(("finish", "cancel"))

    def find_seen(self, player: Player, number: int, reading: Cents) -> LinkedAward | None:
        """The award as the table's card has it last."""
        found = [
            one
            for one in player.card.awards_seen.values()
            if (one.number, one.reading) == (number, reading)
        ]
        return found[-1] if found else None

    def let_rejoin(self) -> None:
        """A dead table is repaired: two operators approve the list of its ledger."""
        if not self.dead or self.real.superuser.execute(IN_DOUBT).fetchall():
            return
        player = self.random.choice(self.dead)
        name, card = player.table.name, player.card
        stale = self.list_tokens(player)
        if self.random.random() < 0.5:
            player.card.record("a start in between")
        refused = self.real.rejoin(name, stale)
        self.log.append(f"rejoin {name}: {refused}")
        if refused == "NOT_JOINED":
            return
        assert refused is None, f"rejoin {name}: {refused}"
        assert self.real.rejoin(name, stale) in ("EPOCH_ENDED", "LIST_OUTDATED")
        self.counts["rejoined"] += 1
        self.dead.remove(player)
        player.wire.loss = None
        player.late = None
        card.current = None
        self.connect(player)
        self.players.append(player)
        self.check_books()

    def list_tokens(self, player: Player) -> RejoinList:
        """The stakes and returned tokens of its ledger that the centre has not."""
        card, name = player.card, player.table.name
        there = {one.identity for entry in self.real.entries(name) for one in tokens_of(entry.call)}
        tokens = [one for one in card.ledger.values() if one.reason.value in TOKENS]
        waiting = [call for call in card.outbox if isinstance(call, Deliver)]
        return RejoinList(
            max(player.table.epoch, self.epoch_of(player)),
            card.head,
            tuple(one for one in tokens if one.identity not in there),
            tuple(one.identity for call in waiting for one in call.transactions),
            self.real.know(name),
            card.act,
        )

    # What must hold

    def check_books(self) -> None:
        """The audit finds nothing; the accounts sum to 0."""
        found = list(find_differences(self.real.superuser))
        assert found == [], found
        self.check_sums()

    def check_paid(self) -> None:
        """No award paid more than it had; by the cards of those that never died just as much.

        What only a table held that was left out is lost: the centre ends its award as it knows it.
        """
        finals = self.real.superuser.execute(FINALS).fetchall()
        by_award: Counter[tuple[int, Cents]] = Counter()
        for _, number, reading, amount, _ in finals:
            by_award[number, reading] += amount
        for (number, reading), amount in by_award.items():
            assert amount <= reading, f"award {number}: {amount} of {reading}"
        there = {identity: amount for *_, amount, identity in finals}
        for player in self.players:
            for identity, seen in player.card.awards_seen.items():
                never_died = player.table.epoch == 1 and identity in there
                if never_died and seen.state is AwardState.FINAL:
                    has = seen.each * seen.own
                    assert there[identity] == has, f"{identity}: {has}, {there[identity]} there"
        alive = {one.table.name for one in self.players if one.table.epoch == 1}
        for identity, amount in self.paid.items():
            known = there.get(identity) if identity.partition("/")[0] in alive else None
            assert known in (None, amount), f"{identity}: paid {amount}, {known} at the centre"
        self.counts["finals"] += len(finals)

    def check_tokens(self) -> None:
        """Every token of a table that is there is booked once; of one that never died, no other."""
        query = "SELECT identity FROM link.movement WHERE member = %s AND reason IN (%s, %s)"
        for player in self.players:
            name = player.table.name
            asked = (name, *TOKENS)
            there = [row[0] for row in self.real.superuser.execute(query, asked).fetchall()]
            tokens = {
                one.identity for one in player.card.ledger.values() if one.reason.value in TOKENS
            }
            assert len(there) == len(set(there)), f"{name}: a token is booked twice"
            assert tokens <= set(there), f"{name}: {tokens - set(there)} are not booked"
            if player.table.epoch == 1:
                assert tokens == set(there), f"{name}: {set(there) - tokens} are of nobody"
            self.counts["tokens"] += len(there)


def play_restored(centre: PostgresCentre, seed: int) -> Counter[str]:
    """A night at this centre, without a jackpot yet; what happened. Raises ScheduleFailed."""
    night = RestoredNight(centre, seed)
    try:
        night.run()
    except WRONG as error:
        last = "\n  ".join(night.log[-60:])
        raise ScheduleFailed(
            f"seed {seed}: {error!r}\n  {last}\n"
            f"  again: make failover NIGHT=restores RESTORES=1 SEED={seed}"
        ) from error
    return night.counts + Counter(nights=1)

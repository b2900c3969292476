"""Random nights of a real centre that is set back, with tables that die.

docs/reference/link-rules.md, 3.13.

Who is dead is left out of the recovery. Two operators say what became of its parts as its card has
it; it may come back by rejoin. Tables lie; and they leave and join again, then an older copy of
their card is put back (3.12). After every recovery, and at the end, the audit must find nothing,
and what winners were paid at the tables may not exceed what an award had.
"""

from collections import Counter
from collections.abc import Callable

import psycopg

from console.link.centre.books import find_book_differences
from console.rules.link import (
    Agree,
    AwardState,
    Barred,
    CentreBars,
    LinkedAward,
    Open,
)
from jackpot.money.amounts import Cents
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.linked_table import LIVE, LinkedTable
from tests.console.link.lying_nights import LyingNight
from tests.console.link.players import Player
from tests.console.link.schedules import ROUNDS_TO_END, ScheduleFailed

WRONG = (AssertionError, ArithmeticError, LookupError, ValueError, CentreBars, psycopg.Error)

LUCKY = (1, 0, 6, 1, 4)
"""Habits of players who hit often, while other rounds are open."""
UNTIL_SHARED = 100
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


class RestoredNight(LyingNight):
    """A night with one to three restores."""

    def __init__(self, centre: PostgresCentre, seed: int) -> None:
        super().__init__(centre, seed)
        self.dead: list[Player] = []
        self.lost: dict[str, set[str]] = {}
        """Tokens that only the centre has, since an older card is in the place of theirs."""
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
            if self.random.random() < 0.4:
                self.change_card(self.random.choice(self.players))
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
        self.check_lies()
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

    def act(self, player: Player) -> None:
        """Somebody presses something; what a fixed award has is paid at once."""
        card, before = player.card, player.counts["ended as fixed"]
        identity = card.current
        super().act(player)
        fixed = player.counts["ended as fixed"] > before and isinstance(card.outbox[-1], Agree)
        if fixed and identity is not None:
            seen = card.awards_seen[identity]
            self.paid[identity] = seen.paying

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

    # Older cards

    def change_card(self, player: Player) -> None:
        """Somebody copies its card; it plays on, leaves, is let in; then the copy is put back."""
        older = player.table.clone()
        self.play()
        if not self.leave(player):
            return
        if self.random.random() < 0.5:
            self.join(player)
            self.play()
        self.put_back(player, older)
        if not self.real.one("SELECT joined FROM link.member WHERE name = %s", player.table.name):
            self.join(player)
        self.centre.save()

    def leave(self, player: Player) -> bool:
        """It leaves as it is paused; the others play on, and it is let in again."""
        self.heal(player)
        while player.card.playing or player.card.opening or player.card.unclosed:
            player.end()
            self.heal(player)
            if player.card.current is not None:
                return False
        name = player.table.name
        if self.random.random() < 0.5:
            self.real.ask_to_leave(name)
        assert player.table.leave().refusal is None
        self.log.append(f"{name} left")
        self.players.remove(player)
        if self.players:
            self.play()
        self.players.append(player)
        self.real.admit(name)
        return True

    def join(self, player: Player) -> None:
        """It joins again. No backup of before is put back."""
        player.wire.loss = None
        self.connect(player)
        assert player.table.join().refusal is None
        self.log.append(f"{player.table.name} joined")
        self.centre.save()

    def put_back(self, player: Player, older: LinkedTable) -> None:
        """The older card is forked, takes no token, and rejoins; or the right one goes on."""
        name, newer = player.table.name, player.table
        if newer.epoch > older.epoch:
            return
        self.log.append(f"{name}: an older card")
        self.expect_forked(player, older)
        there, listed = set(self.find_booked(name)), self.list_tokens(player)
        refused = "" if self.random.random() < 0.3 else self.real.rejoin(name, listed)
        self.log.append(f"{name}: the older card rejoins: {refused}")
        if refused is None:
            self.counts["older cards rejoined"] += 1
            self.begin_epoch(player)
            self.lost.setdefault(name, set()).update(there)
            there.update(one.identity for one in listed.transactions)
            assert set(self.find_booked(name)) == there, f"{name}: a rejoin lost tokens"
            self.expect_forked(player, newer)
            player.table = older
        else:
            assert refused in ("", "AWARD_PENDING"), f"{name}: {refused}"
            player.table = newer
        self.write_start(player)
        self.check_books()

    def expect_forked(self, player: Player, card: LinkedTable) -> None:
        """This card starts in the table: it is forked, whatever session it speaks in."""
        before, player.table = self.centre.total, card
        self.write_start(player)
        player.wire.loss = None
        session = self.real.one("SELECT session FROM link.member WHERE name = %s", card.name)
        asks = Open(card.card.n + 1, card.card.round + 1_000)
        barred = Barred.GAP if asks.n > self.real.know(card.name).n + 1 else Barred.FORKED
        self.expect_bar_of(card.hello, Barred.FORKED)
        self.expect_bar_of(
            lambda: player.wire.call(session, asks, 0, card.card.head),
            Barred.SETTINGS if self.is_doubted(card.name) else barred,
        )
        assert self.centre.total == before, f"{card.name}: an older card moved money"
        self.counts["older cards forked"] += 1

    def expect_bar_of(self, speak: Callable[[], object], barred: Barred) -> None:
        """It is barred for this."""
        try:
            speak()
        except CentreBars as bars:
            if bars.barred is not barred:
                raise
        else:
            raise AssertionError(f"answered, not {barred.value}")

    # Two operators

    def say_what_became(self) -> None:
        """They look at the dead tables' cards, and say what became of each part that is left.

        Once of each: what they finish may wait for the end of a living table's round.
        """
        ended_parts: set[str] = set()
        while rows := [
            row
            for row in self.real.superuser.execute(IN_DOUBT).fetchall()
            if row[1] not in ended_parts
        ]:
            name, identity, number, reading = self.random.choice(rows)
            ended_parts.add(identity)
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
        if not self.dead:
            return
        player = self.random.choice(self.dead)
        name = player.table.name
        stale = self.list_tokens(player)
        if name in [row[0] for row in self.real.superuser.execute(IN_DOUBT).fetchall()]:
            assert self.real.rejoin(name, stale) == "AWARD_PENDING", f"{name} is in doubt"
            return
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
        self.begin_epoch(player)
        self.players.append(player)
        self.check_books()

    # What must hold

    def check_books(self) -> None:
        """The audit finds nothing; the accounts sum to 0; who lied is barred till looked at."""
        found = list(find_book_differences(self.real.superuser))
        assert found == [], found
        self.check_looked_at()
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
                    has = seen.paying
                    assert there[identity] == has, f"{identity}: {has}, {there[identity]} there"
        alive = {one.table.name for one in self.players if one.table.epoch == 1}
        for identity, amount in self.paid.items():
            known = there.get(identity) if identity.partition("/")[0] in alive else None
            assert known in (None, amount), f"{identity}: paid {amount}, {known} at the centre"
        self.counts["finals"] += len(finals)

    def check_tokens(self) -> None:
        """Every token of a table that is there is booked once, and none that no card ever had.

        Of one that never died all are there.
        """
        for player in self.players:
            name = player.table.name
            there = self.find_booked(name)
            tokens = self.find_own_tokens(player)
            assert len(there) == len(set(there)), f"{name}: a token is booked twice"
            assert tokens <= set(there), f"{name}: {tokens - set(there)} are not booked"
            unknown = set(there) - tokens - self.lost.get(name, set())
            assert not unknown, f"{name}: {unknown} are of nobody"
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

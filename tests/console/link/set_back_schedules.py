"""Random schedules in which the centre is set back (docs/reference/link-rules.md, 3.13 and 9.3)."""

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy

from console.rules.link import Answer, AnyCall, CentreBars, MemberHello, Shown, Welcome
from jackpot.ledger.journal import Head
from tests.console.link.centres import MakeCentre
from tests.console.link.players import Player
from tests.console.link.schedules import Schedule, ScheduleFailed

MOST_STEPS = 60


class NoWitness:
    """Sees nothing: after the centre was set back, what members were never told is gone."""

    def see_welcome(self, name: str, hello: MemberHello, welcome: Welcome) -> None:
        """A session began."""

    def see_answer(
        self, name: str, session: int, call: AnyCall, answer: Answer, head: Head
    ) -> None:
        """A call was answered."""

    def see_shown(self, name: str, session: int, shown: Shown) -> None:
        """A beat was answered."""


class SetBackSchedule(Schedule):
    """A night in which the centre forgets some of it, once; calls and answers are lost as ever."""

    def run(self) -> None:
        """Play, set back and recover, play on, end."""
        self.begin()
        self.play()
        saved = self.centre.save()
        self.play()
        known = self.random.random() < 0.5 and self.tell_all()
        self.log.append("set back")
        self.centre.set_back(saved)
        for player in self.players:
            player.up = player.greeted = False
        self.centre.recover()
        self.check_all_recover()
        if known:
            assert self.tell_all() == known, "it is not as it was"
            self.counts["as it was"] += 1
        self.play()
        self.end()
        self.check_sums()
        self.counts["awards"] += sum(len(one.card.awards_seen) for one in self.players)

    def begin(self) -> None:
        """All have joined."""
        for player in self.players:
            self.heal(player)
            player.wire.see_with(NoWitness())

    def tell_all(self) -> tuple[object, ...]:
        """Every call is answered, and known; what the centre and each table then has."""
        for player in self.players:
            self.heal(player)
        for player in self.players:
            player.table.beat()
        cards = [(one.card.awaited, one.card.awards_seen) for one in self.players]
        return self.centre.total, deepcopy(cards)

    def play(self) -> None:
        """Some steps."""
        for _ in range(self.random.randint(0, MOST_STEPS)):
            self.take_step(self.random.choice(self.players))

    def take_step(self, player: Player) -> None:
        """One step of this table."""
        does = self.random.choices(
            (self.act, self.send, self.beat, self.lose, self.restart), (20, 20, 4, 2, 1)
        )[0]
        self.log.append(f"{player.table.name} {does.__name__}")
        does(player)

    def check_all_recover(self) -> None:
        """Each sends again, and again if that is lost; then all that was answered is there."""
        waiting = list(self.players)
        while waiting:
            player = self.random.choice(waiting)
            if self.random.random() < 0.3:
                self.lose(player)
            if player.recall():
                waiting.remove(player)
        for player in self.players:
            self.heal_link(player)
            self.check_answers(player)
        self.check_sums()

    def heal_link(self, player: Player) -> None:
        """It has a session."""
        player.wire.loss = None
        self.connect(player)

    def check_answers(self, player: Player) -> None:
        """Every answered call is at the centre, as it was answered, and was counted once."""
        table = player.table
        for held in player.card.held:
            if held.call is not None and held.answer is not None:
                again = player.wire.call(table.session, held.call, player.card.act, table.card.head)
                assert again.hash == held.answer.hash, f"{table.name}: {held} is {again}"
                self.counts["answered"] += 1

    def check_sums(self) -> None:
        """The accounts sum to 0; none is below it."""
        total = self.centre.total
        assert sum(total.to_dict().values()) == 0, f"{total}"
        assert min(total.jackpot, total.reserve, total.pending, total.paid) >= 0, f"{total}"

    def connect(self, player: Player) -> None:
        """A hello."""
        player.connect()


def play_set_back(make: MakeCentre, seeds: Iterable[int]) -> Counter[str]:
    """A schedule for each seed; what happened in all. Raises ScheduleFailed at the first wrong."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        schedule = SetBackSchedule(make, seed)
        try:
            schedule.run()
        except (AssertionError, ArithmeticError, LookupError, ValueError, CentreBars) as error:
            last = "\n  ".join(schedule.log[-40:])
            raise ScheduleFailed(f"seed {seed}: {error!r}\n  {last}") from error
        counts += schedule.counts + Counter(schedules=1)
    return counts

"""Random schedules: tables play on one jackpot while calls and answers are lost (section 9).

Everything hangs on the seed. What is wrong raises ScheduleFailed, with the seed and the steps.
"""

from collections import Counter
from collections.abc import Iterable
from random import Random

from console.configuration.table_plan import TablePlan
from console.rules.centre_orders import terms_of
from console.rules.link import Barred, CentreBars, Deliver, Join, Terms, Tie
from console.rules.structs import replace
from jackpot.money import movements
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import parse_prizes
from tests.console.link.centre_events import CentreEvents
from tests.console.link.centres import AnyCentre, MakeCentre
from tests.console.link.invariants import Auditor
from tests.console.link.linked_table import MONEY, TERMS, LinkedTable
from tests.console.link.lossy_wire import Loss, LossyWire, NoAnswer
from tests.console.link.players import Player

STEPS = 160
HOUSE = """
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
key = "JPH"
[[prize]]
combination = "STRAIGHT_FLUSH"
share = "7.5"
envy = "2.50"
key = "JPH"
[[prize]]
combination = "FLUSH"
amount = "50.00"
envy = "9.00"
key = "JPL"
"""
NAMES = ("a", "b", "c", "d")
ROUNDS_TO_END = 12
HABITS = ((3, 2, 10, 5, 0), (1, 0, 12, 1, 2), (1, 1, 1, 1, 12))
"""Of a table as most are, of a lucky one, and of one with long hands (`Player.habits`)."""


def choose_terms(seed: int, opening: Cents, base: Cents) -> Terms:
    """Of each third night a prize file: fixed amounts, and a limit that is soon reached.

    In half of these two winners are the whole, and one of them is not.
    """
    number, other = divmod(seed, 3)
    if other:
        return TERMS
    room = (0, 70, 5_000, 200_000)[number % 4]
    highest = "60" if (number + number // 4) % 2 else "100"
    prizes = parse_prizes(HOUSE.replace('"100"', f'"{highest}"'), "prizes.toml")
    limited = replace(prizes, limit=Cents(max(opening, base) + room))
    return terms_of(TablePlan(prizes=limited).rules(None))


class ScheduleFailed(Exception):
    """Something was wrong in the schedule of this seed."""


class Schedule:
    """One night of a few tables, by its seed."""

    def __init__(self, make: MakeCentre, seed: int) -> None:
        self.random = Random(seed)
        self.tie = self.random.choice((Tie.SPLIT, Tie.SPLIT, Tie.SPLIT, Tie.ORDER))
        opening = Cents(self.random.choice((0, 1, 997, 100_003, 1_000_000)))
        base = Cents(self.random.choice((0, 1_001, 500_000)))
        self.terms = choose_terms(seed, opening, base)
        self.centre: AnyCentre = make(terms=self.terms, opening=opening, base=base, tie=self.tie)
        self.auditor = Auditor(self.centre, base, self.tie, self.terms)
        self.counts: Counter[str] = Counter()
        self.log: list[str] = []
        self.clones: list[Player] = []
        self.replaced: list[Player] = []
        self.boots = 0
        self.eventful = self.random.random() < 0.5
        """Whether operators and faults of the servers come into this night."""
        self.events = CentreEvents(self.centre, self.auditor, self.random, self.counts)
        self.players = [self.seat(name) for name in NAMES[: self.random.randint(2, 4)]]

    def seat(self, name: str) -> Player:
        """A table that has joined."""
        self.auditor.names.append(name)
        wire = LossyWire(name, self.centre.member(name), self.auditor)
        player = Player(LinkedTable(name, wire, self.terms), wire, self.random)
        player.habits = self.random.choice(HABITS)
        player.table.ask(lambda n: Join(n, Balances()))
        return player

    def run(self) -> None:
        """Play the night, then end it."""
        for player in self.players:
            self.heal(player)
        for _ in range(STEPS):
            self.step(self.random.choice(self.players))
        self.end()

    def end(self) -> None:
        """Everything heals, every award and round ends; the ledgers are as the centre."""
        self.log.append("the end")
        for _ in range(ROUNDS_TO_END):
            for player in self.players:
                self.heal(player)
                player.end()
        assert not any(player.card.outbox for player in self.players), "calls without an answer"
        assert not self.centre.total.pending, "an award is pending at the end"
        self.auditor.check_ledgers([player.card.balances for player in self.players])

    def step(self, player: Player) -> None:
        """One step of this table, chosen by chance."""
        steps = (
            (self.act, 20),
            (self.send, 20),
            (self.beat, 4),
            (self.lose, 2),
            (self.restart, 1),
            (self.clone, 1),
            (self.wake_clone, 1),
            (self.speak_in_an_old_session, 1),
            (self.leave_out_a_number, 1),
            (self.promote, 0.3),
            (self.back_up, 0.2),
            (self.restore, 0.3),
            (self.correct, 0.3),
            (self.end_round, 0.2),
            (self.award_late, 2),
            (self.bury, 0.2),
        )
        does = self.random.choices([one for one, _ in steps], [weight for _, weight in steps])[0]
        self.log.append(f"{player.table.name} {does.__name__}")
        does(player)

    def act(self, player: Player) -> None:
        """Somebody presses something."""
        before = player.card.n
        player.act()
        self.log += [f"  {one}" for one in player.card.outbox if one.n > before]

    def send(self, player: Player) -> None:
        """The courier connects, or sends a call."""
        try:
            if not player.up:
                self.connect(player)
            elif player.card.outbox:
                player.send()
        except NoAnswer:
            player.up = False

    def beat(self, player: Player) -> None:
        """A beat."""
        try:
            if player.up:
                player.table.beat()
        except NoAnswer:
            player.up = False

    def connect(self, player: Player) -> None:
        """A hello; the centre may not bar the table itself."""
        with self.auditor.know_records(player.card.records):
            player.connect()

    def heal(self, player: Player) -> None:
        """All that is in the outbox arrives, and a beat."""
        player.heal(self.connect)

    def lose(self, player: Player) -> None:
        """The next call, or its answer, is lost."""
        player.wire.loss = self.random.choice(list(Loss))

    def restart(self, player: Player) -> None:
        """The table starts again from its card; what it has in the outbox is sent again."""
        self.counts["restarts"] += 1
        self.write_start(player)

    def write_start(self, player: Player) -> None:
        """Each start writes a record, unlike any other."""
        player.up = player.greeted = False
        self.boots += 1
        player.card.record("start", self.boots)

    def clone(self, player: Player) -> None:
        """Somebody copies the table's card."""
        table = player.table.clone()
        self.clones.append(Player(table, player.wire, self.random, habits=player.habits))

    def wake_clone(self, player: Player) -> None:
        """A clone, or a table in whose place a clone is, starts and says hello."""
        name = player.table.name
        sleepers = [one for one in self.clones + self.replaced if one.table.name == name]
        if not sleepers:
            return
        self.counts["clones woken"] += 1
        clone = self.random.choice(sleepers)
        player.wire.loss = None
        self.write_start(clone)
        try:
            self.connect(clone)
        except CentreBars as bars:
            if bars.barred not in (Barred.FORKED, Barred.BEHIND):
                raise
            self.counts["clones barred"] += 1
            return
        assert clone not in self.replaced, f"{name}: a table and its clone, both welcome"
        self.clones.remove(clone)
        self.replaced.append(player)
        self.players[self.players.index(player)] = clone

    def promote(self, _player: Player) -> None:
        """The primary dies, and the standby is promoted."""
        self.events.promote(self.players)

    def back_up(self, _player: Player) -> None:
        """A base backup of the centre."""
        self.events.save()

    def restore(self, _player: Player) -> None:
        """The centre is set back to its backup, and recovered."""
        for player in self.players:
            self.heal(player)
        self.events.restore(self.players)

    def correct(self, _player: Player) -> None:
        """Two operators correct the centre's money."""
        self.events.correct()

    def end_round(self, player: Player) -> None:
        """Two operators end a round."""
        self.events.end_round(player)

    def award_late(self, player: Player) -> None:
        """Two operators award a claim that came too late."""
        self.events.award(player)

    def bury(self, player: Player) -> None:
        """Two operators end a dead table's award, and let the table rejoin."""
        self.events.bury(player)

    def speak_in_an_old_session(self, player: Player) -> None:
        """A courier of an older session speaks yet."""
        name = player.table.name
        if self.auditor.sessions[name] > 1:
            session = self.auditor.sessions[name] - 1
            self.expect_bar(player, session, 1, Barred.FENCED)

    def leave_out_a_number(self, player: Player) -> None:
        """A number is left out."""
        session = self.auditor.sessions[player.table.name]
        if session:
            self.expect_bar(player, session, 2, Barred.GAP)

    def expect_bar(self, player: Player, session: int, ahead: int, barred: Barred) -> None:
        """A token is delivered in a call that is barred."""
        self.counts[barred.value] += 1
        name = player.table.name
        token = movements.stake(MONEY, f"{name}/round-{player.card.round}/seat-7/stake")
        call = Deliver(self.auditor.last_n[name] + ahead, player.card.round, (token,))
        player.wire.loss = None
        try:
            player.wire.call(session, call, 0, player.card.head)
        except CentreBars as bars:
            if bars.barred is not barred:
                raise
        else:
            raise AssertionError(f"{name}: {barred.value} was answered")

    @property
    def report(self) -> Counter[str]:
        """What happened, by kind."""
        report = Counter(schedules=1) + self.counts + self.auditor.counts
        for player in self.players:
            report += player.counts + player.wire.faults
        return report


def play_schedule(make: MakeCentre, seed: int) -> Counter[str]:
    """One schedule; what happened, by kind. Raises ScheduleFailed."""
    schedule = Schedule(make, seed)
    try:
        schedule.run()
    except (AssertionError, ArithmeticError, LookupError, ValueError, CentreBars) as error:
        last = "\n  ".join(schedule.log[-25:])
        raise ScheduleFailed(f"seed {seed}: {error!r}\n  {last}") from error
    return schedule.report


def play_schedules(make: MakeCentre, seeds: Iterable[int]) -> Counter[str]:
    """A schedule for each seed; what happened in all. Raises ScheduleFailed at the first wrong."""
    return sum((play_schedule(make, seed) for seed in seeds), Counter())

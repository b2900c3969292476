"""A realistic night behind a picture: hours at a table in virtual time, the same from each seed."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from console.configuration.file import load_configuration
from console.configuration.table_plan import TablePlan
from console.rules.acts import Entered
from console.rules.codes import Duty
from console.simulation.run import CABINET_FILE
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.texts.language import Language
from devices.roles import SEATS
from devices.sim.shuffler import DECK
from jackpot.ledger.ledger import newest_record
from tests.console.table import Table

BEGAN = datetime(2026, 11, 27, 20, 30, tzinfo=UTC)
SEED = 29
HOUR_S = 3600
TOKEN_UNITS = 2_000_000

AWARDS: Mapping[str, tuple[float, str]] = {
    "FLUSH": (1 / 509, "JPL"),
    "FULL_HOUSE": (1 / 694, "JPL"),
    "FOUR_OF_A_KIND": (1 / 4165, "JPL"),
    "STRAIGHT_FLUSH": (1 / 72_193, "JPH"),
}
"""How often five cards are dealt so, and the position of the key."""

Events = Mapping[int, tuple[str, ...]]
"""What happens besides in a round, by its number in the night; `{seat}` is one that plays."""

NO_EVENTS: Events = {}
TROUBLE: Events = {
    11: ("press JPOT",),
    38: ("unplug display", "wait 42s", "plug display", "wait 3s"),
    57: ("press FLUSH", "press JPOT", "press FLUSH"),
    60: ("declare hand-void {seat}",),
    90: ("unplug rail", "wait 75s", "plug rail", "wait 5s"),
    104: ("press FLUSH", "key JPH", "press JPOT", "press FLUSH", "key R"),
    120: ("declare hand-void {seat} returned",),
    131: ("unplug shuffler", "wait 20s", "plug shuffler", "wait 5s"),
    150: ("press COIN_IN",),
}


class Night:
    """People at a table: what they do is drawn from a seed, and time passes as it does."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.chance = Random(seed)
        self._began = table.machine.loop.time()

    @property
    def hours(self) -> float:
        """Since it began."""
        return (self.table.machine.loop.time() - self._began) / HOUR_S

    def do(self, *acts: str) -> None:
        self.table.play(*acts)

    def enter(self, who: str, duty: Duty) -> None:
        """A person enters at the supervisor's page."""
        self.table.simulated_table.service.report(Entered(who, (duty,)))

    def wait(self, least_s: int, most_s: int) -> None:
        self.do(f"wait {self.chance.randint(least_s, most_s)}s")

    def happens(self, how_often: float) -> bool:
        return self.chance.random() < how_often


def play_stud(night: Night, hours: float, events: Events = NO_EVENTS) -> None:
    """Rounds of Caribbean Stud: who sits there mostly stakes, and wins as often as cards fall."""
    sitting, rounds = set(night.chance.sample(SEATS, 5)), 0
    while night.hours < hours:
        rounds += 1
        if night.happens(0.03):
            sitting ^= {night.chance.choice(SEATS)}
        night.do("press GAME_OVER")
        night.wait(12, 25)
        staked = [seat for seat in sorted(sitting) if night.happens(0.8)]
        if not staked:
            night.do("press COIN_IN")
            continue
        night.do("token " + " ".join(map(str, staked)), "press COIN_IN")
        night.wait(35, 60)
        night.do(*(act.format(seat=staked[0]) for act in events.get(rounds, ())))
        for combination, (how_often, key) in AWARDS.items():
            if any(night.happens(how_often) for _ in staked):
                night.do(f"press {combination}", f"key {key}", "press JPOT")
                night.wait(40, 90)
                night.do("key R")
                break


def play_punto_banco(night: Night, hours: float) -> None:
    """Coups of Punto Banco, shoe after shoe; the cards are drawn from six decks."""
    cards: list[str] = []
    while night.hours < hours:
        if len(cards) < 40:
            cards = [card.name for card in DECK] * 6
            night.chance.shuffle(cards)
            night.do("shoe load", "shoe burn")
            del cards[:5]
        night.do("press GAME_OVER")
        night.wait(15, 25)
        night.do("press COIN_IN", f"draw {cards.pop()}")
        while not night.table.seen.result:
            night.do("wait 2s", f"draw {cards.pop()}")
        night.wait(8, 15)


def play_tournament(night: Night, hours: float) -> None:
    """Hands of a tournament; somebody is out now and then."""
    players = 9
    night.do("press GAME_OVER", "declare clock start")
    while night.hours < hours:
        if players > 4 and night.happens(0.08):
            players -= 1
            night.do("press FEWER")
        play_hand(night)
        night.do("press GAME_OVER")
        night.wait(8, 15)


def play_cash(night: Night, hours: float) -> None:
    """Hands of a cash table, their pots counted and raked."""
    night.do("press GAME_OVER")
    while night.hours < hours:
        if night.happens(0.1):
            fewer = night.table.seen.poker is not None and night.table.seen.poker.players > 6
            night.do("press FEWER" if fewer else "press MORE")
        if play_hand(night):
            night.do("press JPOT")
            for _ in range(night.chance.randint(1, 6)):
                night.do(f"press CHIP_{night.chance.randint(2, 4)}")
        night.do("press GAME_OVER")
        night.wait(8, 15)


def play_hand(night: Night) -> bool:
    """A hand up to its last street; whether it has seen a flop."""
    night.do(*(("press DECK",) if night.happens(0.04) else ()), "press HAND")
    night.wait(30, 60)
    streets = [street for street in ("FLOP", "TURN", "RIVER") if night.happens(0.75)]
    for street in ("FLOP", "TURN", "RIVER")[: len(streets)]:
        night.do(f"press {street}")
        night.wait(15, 35)
    return bool(streets)


Play = Callable[[Night, float], None]


def night_of(play: Play, hours: float, seed: int = SEED) -> Callable[[Path], None]:
    """What `serve_table` does `before`: such a night stands in the table's ledger."""

    def play_apart(file: Path) -> None:
        with ThreadPoolExecutor(1) as pool:  # the browser's loop runs in this thread
            pool.submit(_play_night, play, hours, seed, file).result()

    return play_apart


def _play_night(play: Play, hours: float, seed: int, file: Path) -> None:
    configuration = load_configuration(file)
    plan, folder = configuration.plan(), Path(configuration.ledger.folder)
    memory = folder / CABINET_FILE
    with machine_in_virtual_time(plan, folder, memory=memory, epoch=BEGAN) as machine:
        play(Night(Table(plan, machine), seed), hours)


def play_supervised(night: Night, hours: float) -> None:
    """A night with faults, refusals and declarations; people enter at the supervisor's page."""
    night.enter("bruno", Duty.FLOOR_MANAGER)
    play_stud(night, hours * 0.75, TROUBLE)
    night.enter("carla", Duty.TECHNICIAN)
    play_stud(night, hours)


def close_night(night: Night) -> None:
    """The table is closed, and its tray counted."""
    tokens = -night.table.state.balances.tray // TOKEN_UNITS
    night.do("press GAME_OVER", "wait 1s", "press COIN_IN", "wait 1s", f"declare tray {tokens}")


@contextmanager
def play_two_nights(
    hours: float = 4.0, seed: int = SEED, language: Language = Language.EN
) -> Iterator[Path]:
    """The folder of a ledger with a closed night, and one that is open and ends about now."""
    now = datetime.now(UTC)
    with TemporaryDirectory(prefix="n") as folder:
        plan = TablePlan(table="hall-7", game="caribbean-stud", language=language)
        epoch = now - timedelta(hours=29)
        with machine_in_virtual_time(plan, Path(folder), epoch=epoch) as machine:
            table = Table(plan, machine)
            yesterday = Night(table, seed)
            play_supervised(yesterday, hours * 0.8)
            close_night(yesterday)
            newest = newest_record(machine.disk.folder)
            assert newest is not None
            left = now - timedelta(hours=hours) - datetime.fromisoformat(newest.wall)
            machine.pass_time(round(left.total_seconds() * 1000))
            play_supervised(Night(table, seed + 2), hours)
            yield machine.disk.folder

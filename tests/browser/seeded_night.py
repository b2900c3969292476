"""Two nights of some hours at a Caribbean Stud table, played in virtual time by a seed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from console.configuration.table_plan import TablePlan
from console.rules.acts import Entered
from console.rules.codes import Duty
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.ledger.ledger import newest_record
from tests.console.table import Table

SEED = 29
HAND_S = (50, 80)
MEAN_HAND_S = 71
LIKELY_SEATS = (0.55, 0.8, 0.85, 0.6, 0.75, 0.5, 0.25)
WINS = (("FLUSH", "JPL", 0.003), ("FULL_HOUSE", "JPL", 0.0014), ("FOUR_OF_A_KIND", "JPL", 0.0002))
"""How likely for each token: as the cards are."""

TROUBLE = {
    11: ("press JPOT",),
    38: ("unplug display", "wait 42s", "plug display", "wait 3s"),
    57: ("press FLUSH", "press JPOT", "press FLUSH"),
    90: ("unplug rail", "wait 75s", "plug rail", "wait 5s"),
    104: ("press FLUSH", "key JPH", "press JPOT", "press FLUSH", "key R"),
    131: ("unplug shuffler", "wait 20s", "plug shuffler", "wait 5s"),
    150: ("press COIN_IN",),
}
"""What goes wrong in a hand, by its number in the night."""

DECLARED = {60: "declare hand-void {seat}", 120: "declare hand-void {seat} returned"}


class NightPlayer:
    """Plays hands at a table as people do, each a little different."""

    def __init__(self, table: Table, random: Random) -> None:
        self._table = table
        self._random = random

    def play(self, hands: int) -> None:
        """A night: it is opened, played, closed; a person enters now and then."""
        self._enter("bruno", Duty.FLOOR_MANAGER)
        for hand in range(hands):
            self._play_hand(hand)
            if hand == hands // 2:
                self._enter("carla", Duty.TECHNICIAN)

    def close(self) -> None:
        """The table is closed, and its tray counted."""
        taken = self._table.state.balances.tray
        self._table.play("press GAME_OVER", "wait 1s", "press COIN_IN", "wait 1s")
        self._table.play(f"declare tray {-taken // 2_000_000}")

    def _enter(self, who: str, duty: Duty) -> None:
        self._table.simulated_table.service.report(Entered(who, (duty,)))

    def _play_hand(self, hand: int) -> None:
        seats = [
            seat for seat, likely in enumerate(LIKELY_SEATS, 1) if self._random.random() < likely
        ]
        tokens = f"token {' '.join(map(str, seats or [3]))}"
        pause = self._random.randint(*HAND_S)
        self._table.play(
            "press GAME_OVER", f"wait {pause // 3}s", tokens, "press COIN_IN", "wait 3s"
        )
        self._table.play(*TROUBLE.get(hand, ()))
        if hand in DECLARED:
            self._table.play(DECLARED[hand].format(seat=(seats or [3])[0]))
        for combination, key, likely in WINS:
            if self._random.random() < likely * len(seats):
                acts = (f"press {combination}", f"key {key}", "press JPOT", "wait 40s", "key R")
                self._table.play(*acts)
                break
        self._table.play(f"wait {pause - pause // 3}s")


@contextmanager
def play_nights(hands: int = 200, seed: int = SEED) -> Iterator[Path]:
    """The folder of a ledger with a closed night, and one that is open and ends about now."""
    random, now = Random(seed), datetime.now(UTC)
    with TemporaryDirectory(prefix="n") as folder:
        plan = TablePlan(table="hall-7", game="caribbean-stud")
        epoch = now - timedelta(hours=29)
        with machine_in_virtual_time(plan, Path(folder), epoch=epoch) as machine:
            player = NightPlayer(Table(plan, machine), random)
            player.play(hands - 40)
            player.close()
            newest = newest_record(machine.disk.folder)
            assert newest is not None
            tonight = now - timedelta(seconds=hands * MEAN_HAND_S)
            left = tonight - datetime.fromisoformat(newest.wall)
            machine.pass_time(round(left.total_seconds() * 1000))
            player.play(hands)
            yield machine.disk.folder

"""Nights played at a whole table in virtual time, and ledgers of random ones."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from console.bordereau.figures import Bordereau
from console.bordereau.nights import bordereau_of, newest_night
from console.bordereau.words import Wording
from console.rules import records
from console.rules.acts import Act, TrayCounted
from console.rules.codes import Phase
from console.rules.correction import CORRECTABLE, Corrected
from console.rules.game_modules import advance
from console.rules.state import TableState
from console.texts.language import Language
from devices.roles import KeyMoved, KeyPosition
from jackpot.ledger.journal import Entry
from jackpot.ledger.ledger import Ledger
from tests.console.rules.round.test_random_acts import RandomActs, opening_acts
from tests.console.table import Table, rules_of, table_in

BEGAN = datetime(2026, 11, 20, 18, tzinfo=UTC)

IN_ITALIAN, IN_ENGLISH = Wording(Language.IT, UTC), Wording(Language.EN, UTC)

NIGHT = (
    *("press GAME_OVER", "token 1 3 6", "press COIN_IN"),
    *("press FLUSH", "key JPL", "press JPOT", "press JPOT", "key R"),
    *("press ROYAL_FLUSH", "key JPH", "press JPOT", "inspector here", "press JPOT", "key R"),
    *("declare hand-void 3 returned", "press GAME_OVER", "press GAME_OVER"),
    *("token 2", "press COIN_IN", "press FULL_HOUSE", "key JPL", "press JPOT"),
    *("press FULL_HOUSE", "key R", "press GAME_OVER"),
    *("jam 4", "token 4", "press COIN_IN", "wait 3s", "unjam 4", "press COIN_IN"),
    *("unplug shuffler", "wait 3s", "plug shuffler", "wait 5s", "press GAME_OVER"),
    *("press COIN_IN", "key S", "wait 1s", "key R"),
)
"""Three rounds and one without a token: two winners, the whole jackpot, a cancelled award, a token
that goes back, a jam, a cable, SERVICE. Then PAUSED, the tray not counted."""

TRAY = "declare tray 4"

SETTINGS = ("inspector fitted",)


@contextmanager
def play_night(folder: Path, *lines: str, settings: tuple[str, ...] = SETTINGS) -> Iterator[Table]:
    """A table on which these lines were played."""
    with table_in(folder, *settings) as table:
        table.play(*lines)
        yield table


def ledger_of(table: Table) -> Path:
    return table.machine.disk.folder


def play_closed_night(folder: Path) -> Bordereau:
    """NIGHT, its tray counted."""
    with play_night(folder, *NIGHT, TRAY) as table:
        return bordereau_of(ledger_of(table), newest_night(ledger_of(table)))


@dataclass
class RandomTable:
    """Random acts until the tray is counted; again and again, each a night or part of one."""

    folder: Path
    random: Random
    game: str = "caribbean-stud"

    def play(self, acts: int) -> None:
        """Write this many acts' records, snapshots among them."""
        rules = rules_of(self.game)
        people = RandomActs(self.random, rules)
        state, entries = TableState(), list[Entry]()
        todo: list[Act] = opening_acts(rules)
        with closing(Ledger.open(self.folder, durable=False)) as ledger:
            ledger.begin(1)
            for number in range(acts):
                while not todo:
                    todo += self._closing(state) or people.next_acts(state)
                act = todo.pop(0)
                step = advance(state, act, rules, people.now)
                wall = (BEGAN + timedelta(milliseconds=40 * people.now)).isoformat()
                if records.is_worth_recording(act, state, step):
                    entries.append(records.entry_of(act, state, step, people.now, wall, 1))
                state = step.state
                if ledger.wants_snapshot:
                    entries.append(records.snapshot_of(state, people.now, wall, 1))
                if number % 20 == 0 or ledger.wants_snapshot:
                    ledger.commit(entries)
                    entries = []
            ledger.commit(entries)

    def _closing(self, state: TableState) -> list[Act]:
        """Now and then the floor manager counts the paused table's tray, sometimes twice."""
        if state.phase is not Phase.PAUSED or self.random.random() > 0.5:
            return []
        counts: list[Act] = [
            TrayCounted(self.random.randrange(50), "anna")
            for _ in range(self.random.choice((1, 1, 2)))
        ]
        return [*counts, self._correction(state), KeyMoved(KeyPosition.R)]

    def _correction(self, state: TableState) -> Corrected:
        """Two cashiers correct the accounts; at times by what is not there."""
        source, target = self.random.sample(CORRECTABLE, 2)
        cents = self.random.choice((1, 250, 10**9))
        return Corrected(
            state.corrections + 1, source, target, cents, "counted wrong", "bruno", "carla"
        )

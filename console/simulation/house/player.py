"""What the people at a table do next, as their table stands: they play by themselves."""

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct

from console.rules.codes import Phase
from devices.roles import SEATS

WINS_IN = 12
"""One hand in so many wins something."""

WINS = {"FLUSH": "JPL", "FULL_HOUSE": "JPL", "FOUR_OF_A_KIND": "JPL", "ROYAL_FLUSH": "JPH"}
"""What is won, and where the key must stand for it (jackpot/prizes/)."""


class NextAct(Struct, frozen=True):
    """After so many seconds they do these acts (docs/scenarios.md)."""

    after_s: float
    acts: tuple[str, ...]


LOOK = ("wait 1ms",)


def choose_act(seen: Mapping[str, Any], random: Random) -> NextAct:
    """What they do next at a table that is seen so: `phase`, `slots`, `award`."""
    match Phase(seen["phase"]):
        case Phase.PAUSED:
            return NextAct(random.uniform(1, 3), ("key R", "press GAME_OVER"))
        case Phase.BETTING if "ON" in seen["slots"].values():
            return NextAct(random.uniform(1, 4), ("press COIN_IN",))
        case Phase.BETTING:
            seats = sorted(random.sample(sorted(SEATS), random.randint(1, len(SEATS))))
            return NextAct(random.uniform(1, 4), (f"token {' '.join(map(str, seats))}",))
        case Phase.PLAYING if random.randrange(WINS_IN) == 0 and seen["award"] is None:
            combination, key = random.choice(sorted(WINS.items()))
            win = (f"press {combination}", f"key {key}", "press JPOT")
            return NextAct(random.uniform(3, 8), win)
        case Phase.PLAYING:
            return NextAct(random.uniform(4, 9), ("key R", "press GAME_OVER"))
        case Phase.AWARDING:
            return NextAct(random.uniform(4, 8), ("key R",))
        case _:
            return NextAct(1.0, LOOK)

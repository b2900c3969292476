"""Croupier, players and floor manager of a soak: they do what people might, by a seed."""

from random import Random

from devices.roles import SEATS
from tests.console.running_table import Seen

LIKELY = 0.75
"""How often the likeliest is done, so that rounds are played to their end."""

COMBINATIONS = {
    "caribbean-stud": ("flush", "full_house", "straight_flush", "royal_flush"),
    "tre-card-stud": ("royal_flush", "three_of_a_kind", "double_three_player"),
}


class Player:
    """Everybody at one table; what they did is in `log`."""

    def __init__(self, game: str) -> None:
        self.log: list[str] = []
        self._combinations = COMBINATIONS[game]

    def act(self, random: Random, seen: Seen) -> str:
        """A line for a table that looks like this."""
        likely, possible = self._acts(random, seen)
        act = random.choice(likely if random.random() < LIKELY else possible)
        self.log.append(act)
        return act

    def _acts(self, random: Random, seen: Seen) -> tuple[list[str], list[str]]:
        seat, combination = random.choice(SEATS), random.choice(self._combinations)
        chosen = seen["lamps"][0].lower() if seen["lamps"] else combination
        match seen["phase"]:
            case "PAUSED":
                return ["key r", "press game_over"], [f"token {seat}", "key s"]
            case "BETTING":
                return self._betting(seat, seen)
            case "COLLECTING":
                stuck = [*(at for at, lamp in seen["slots"].items() if lamp == "ALERT"), seat][0]
                return ["press coin_in", f"unjam {stuck}"], [f"take {stuck}", "key r"]
            case "PLAYING":
                return self._playing(seat, combination, seen)
            case "AWARDING":
                return ["press jpot", "key r"], [f"press {chosen}", "key jpl", "press coin_in"]
            case phase:
                assert phase == "SERVICE"
                return ["key r", "key jpl"], ["press coin_in"]

    @staticmethod
    def _betting(seat: int, seen: Seen) -> tuple[list[str], list[str]]:
        tokens = f"token {seat} {seat % 7 + 1} {(seat + 2) % 7 + 1}"
        likely = "press coin_in" if "ON" in seen["slots"].values() else tokens
        return [likely], [f"take {seat}", f"jam {seat}", "press coin_in", "press game_over"]

    @staticmethod
    def _playing(seat: int, combination: str, seen: Seen) -> tuple[list[str], list[str]]:
        likely = (
            ["press jpot", "press jpot", "key jpl", "key jph"]
            if seen["lamps"]
            else [f"press {combination}", "key r", "press game_over", "press game_over"]
        )
        possible = [
            *(f"{verb} {seat}" for verb in ("cover", "uncover", "token", "take")),
            f"declare hand-void {seat} returned",
            f"declare hand-void {seat}",
            "declare last-hands 3",
            "wait 600ms",
        ]
        return likely, possible

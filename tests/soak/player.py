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
HIGH = ("ROYAL_FLUSH", "STRAIGHT_FLUSH", "DOUBLE_THREE_PLAYER")


def key_of(combination: str) -> str:
    """The turn of the key that pays it (docs/reference/rules.md, section 3)."""
    return "key jph" if combination.upper() in HIGH else "key jpl"


class Player:
    """Everybody at one table; what they did is in `log`."""

    def __init__(self, game: str) -> None:
        self.log: list[str] = []
        self._combinations = COMBINATIONS[game]

    @property
    def turned(self) -> str:
        """The key's last turn; "" for none."""
        return next((one for one in reversed(self.log) if one.startswith("key ")), "")

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
                return self._with_key("key r", "press game_over"), [f"token {seat}", "key s"]
            case "BETTING":
                return self._betting(seat, seen)
            case "COLLECTING":
                waited_for = random.choice([*seen["slots"]] or [seat])
                free = [f"{verb} {waited_for}" for verb in ("unjam", "uncover")]
                likely = ["press coin_in", *free, "wait 600ms"]
                return likely, [f"take {waited_for}", "key r"]
            case "PLAYING":
                return self._playing(seat, combination, seen)
            case "AWARDING":
                likely = [*self._with_key(key_of(chosen), "press jpot"), "key r"]
                return likely, [f"press {chosen}", "key jpl", "press coin_in"]
            case phase:
                assert phase == "SERVICE"
                return ["key r", "key jpl"], ["press coin_in"]

    @staticmethod
    def _betting(seat: int, seen: Seen) -> tuple[list[str], list[str]]:
        tokens = f"token {seat} {seat % 7 + 1} {(seat + 2) % 7 + 1}"
        likely = "press coin_in" if "ON" in seen["slots"].values() else tokens
        return [likely], [f"take {seat}", f"jam {seat}", "press coin_in", "press game_over"]

    def _playing(self, seat: int, combination: str, seen: Seen) -> tuple[list[str], list[str]]:
        to_next_round = self._with_key("key r", "press game_over")
        if "ON" not in seen["seats"].values():  # nobody is left who could win
            likely = to_next_round
        elif seen["lamps"]:
            to_award = self._with_key(key_of(seen["lamps"][0]), "press jpot")
            likely = [*to_award, *to_award, *to_next_round]
        else:
            likely = [f"press {combination}", *to_next_round]
        possible = [
            *(f"{verb} {seat}" for verb in ("cover", "uncover", "token", "take")),
            f"declare hand-void {seat} returned",
            f"declare hand-void {seat}",
            "declare last-hands 3",
            "wait 600ms",
        ]
        return likely, possible

    def _with_key(self, turned: str, act: str) -> list[str]:
        """This act, once the key has been turned for it."""
        return [act] if self.turned == turned else [turned]

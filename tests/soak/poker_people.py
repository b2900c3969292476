"""Croupier and floor of a poker table in a soak: they do what people might, by a seed.

They know what the table shows them and nothing else (docs/poker-rules.md, sections 13 to 20).
"""

from random import Random

from tests.console.running_table import Seen

LIKELY = 0.65
"""How often a hand goes on as it should."""

NEXT_STREET = {"preflop": "flop", "flop": "turn", "turn": "river"}
OPEN_TABLE = ("key r", "press game_over")


class PokerPeople:
    """Everybody at one table; what they did is in `log`. `form`: cash or tournament."""

    def __init__(self, form: str) -> None:
        self.log: list[str] = []
        self._cash = form == "cash"

    @property
    def turned(self) -> str:
        """The key's last turn; "" for none."""
        return next((one for one in reversed(self.log) if one.startswith("key ")), "")

    def act(self, random: Random, seen: Seen) -> str:
        """A line for a table that looks like this."""
        likely, possible = self._acts(random, seen)
        act = random.choice(likely if random.random() < LIKELY else possible)
        if act == "press game_over" and self.turned != "key r":
            act = "key r"
        self.log.append(act)
        return act

    def _acts(self, random: Random, seen: Seen) -> tuple[list[str], list[str]]:
        match seen["phase"]:
            case "PAUSED":
                return ["press game_over"], [
                    "press hand",
                    "press jpot",
                    "key s",
                    "declare drop 100",
                ]
            case "BETTING":
                return self._between_hands(random, seen)
            case "PLAYING":
                return self._in_hand(random, seen)
            case "AWARDING":
                return self._counting(random)
            case phase:
                assert phase == "SERVICE"
                return ["key r", "key jpl"], ["press coin_in"]

    def _between_hands(self, random: Random, seen: Seen) -> tuple[list[str], list[str]]:
        begin = ["declare clock start"] if "FERMO" in seen["display"][0] else ["press hand"]
        likely = {
            "ON_BREAK": ["wait 2m", "declare clock start"],
            "HAND_FOR_HAND": ["declare go", "press hand"],
        }.get(seen["refused"] or "", begin)
        return likely, [
            *(f"press {button}" for button in ("fewer", "more", "dealer", "deck", "coin_in")),
            *(("declare rake 5+10", "declare rake none") if self._cash else self._clock(random)),
            f"declare players {random.randint(2, 11)}",
            f"declare jackpot-hit {random.randint(1, 9)}",
            f"wait {random.choice(('300ms', '3s', '45s'))}",
        ]

    def _in_hand(self, random: Random, seen: Seen) -> tuple[list[str], list[str]]:
        street = seen["street"]
        if street == "none":
            return ["press hand"], ["press flop", "press time", "wait 3s"]
        likely = [f"press {NEXT_STREET[street]}"] * 2 if street in NEXT_STREET else []
        if self._cash and street != "preflop":
            likely.append("press jpot")
        return [*likely, "press game_over"], [
            *(f"press {button}" for button in ("hand", "flop", "turn", "river", "jpot", "coin_in")),
            *("press time",) * 4,
            *self._clock(random),
            *(f"declare {words}" for words in ("boards 2", "board-corrected", "change")),
            *(f"declare {words}" for words in ("round-void", "prior-level", "time 10")),
            f"wait {random.choice(('300ms', '12s', '31s'))}",
        ]

    @staticmethod
    def _counting(random: Random) -> tuple[list[str], list[str]]:
        chips = [f"press chip_{number}" for number in range(1, 6)]
        likely = [random.choice(chips), random.choice(chips), "press game_over"]
        return likely, ["press jpot", "press coin_in", "press time", "wait 3s", "key jpl"]

    def _clock(self, random: Random) -> list[str]:
        """What the floor declares of a tournament."""
        if self._cash:
            return []
        return [
            *("declare clock start",) * 5,
            "declare clock stop",
            f"declare clock set {random.randint(1, 2)} {random.choice(('9s', '1m', '10m'))}",
            *(f"declare hand-for-hand {word}" for word in ("on", "off", "off")),
            "declare go",
        ]

"""Croupier and floor of a poker table in a soak: they do what people might, by a seed.

They know what the table shows them and nothing else (docs/reference/poker-rules.md, sections 13 to
20).
"""

from random import Random

from tests.console.running_table import Seen

LIKELY = 0.65
"""How often a hand goes on as it should."""

NEXT_STREET = {"preflop": "flop", "flop": "turn", "turn": "river"}
OPEN_TABLE = ("key r", "press game_over")


WRONG_DECK = frozenset({"CARD_COUNT", "DECK_REPEATED"})
PATIENT = 0.9
SHUFFLES = ["wait 4m"]
"""A deck was put in, and a shuffle takes its time."""

DECKS = (
    *("deck load red", "deck load blue") * 6,
    *("deck load red 51", "deck load blue 53", "deck unload"),
    *("press green",) * 2,
    *("unplug shuffler", "plug shuffler", "plug shuffler"),
)
"""What is done about a deck shuffler in any phase."""


class PokerPeople:
    """Everybody at one table; what they did is in `log`. `form`: cash or tournament.

    `green`: a deck shuffler with its green button stands at the table.
    """

    def __init__(self, form: str, *, green: bool = False) -> None:
        self.log: list[str] = []
        self._cash = form == "cash"
        self._green = green
        self._last_back = "blue"

    @property
    def turned(self) -> str:
        """The key's last turn; "" for none."""
        return next((one for one in reversed(self.log) if one.startswith("key ")), "")

    def act(self, random: Random, seen: Seen) -> str:
        """A line for a table that looks like this."""
        likely, possible = self._acts(random, seen)
        if self._green:
            likely, possible = self._at_the_shuffler(likely, possible, seen)
        often = PATIENT if likely == SHUFFLES else LIKELY
        act = random.choice(likely if random.random() < often else possible)
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

    def _at_the_shuffler(
        self, likely: list[str], possible: list[str], seen: Seen
    ) -> tuple[list[str], list[str]]:
        """GREEN wherever the riffle serves, too; what the machine needs, when it has no deck."""
        if "SHUFFLER_LOST" in seen["faults"]:
            likely = [*likely, "plug shuffler"]
        elif not WRONG_DECK.isdisjoint(seen["faults"]):
            likely = ["deck unload"]
        elif seen["refused"] == "NO_DECK":
            self._last_back = "red" if self._last_back == "blue" else "blue"
            likely = [f"deck load {self._last_back}"]
        elif self.log and self.log[-1].startswith("deck load"):
            likely = SHUFFLES
        elif "press hand" in likely:
            likely = [*likely, *("press green",) * 4]
        return likely, [*possible, *DECKS]

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
            *(["declare rake 7", "declare rake none"] if self._cash else []),
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

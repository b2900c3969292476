"""The link of a rehearsal, and what the other table does.

docs/reference/link-rules.md, section 10.
"""

from collections.abc import Callable, Mapping
from enum import Enum

from msgspec import Struct

from console.rules.typed.lines import LineError, number_in, one_of
from jackpot.money.prizes import Combination, load_prizes

MOST_STAKES = 7


class MoveLink(Struct, frozen=True):
    """The table's cable to the centre is put in or pulled."""

    plugged: bool


class OpenElsewhere(Struct, frozen=True):
    """The other table opens a round with so many stakes."""

    stakes: int = 1


class ClaimElsewhere(Struct, frozen=True):
    """The other table claims an award, or one winner more of it."""

    combination: Combination


class ElsewhereVerb(Enum):
    """What else the other table does."""

    AGREE = "agree"
    CANCEL = "cancel"
    CLOSE = "close"


class EndElsewhere(Struct, frozen=True):
    """The other table agrees to its award, cancels it, or closes its round."""

    verb: ElsewhereVerb


LinkedAct = MoveLink | OpenElsewhere | ClaimElsewhere | EndElsewhere


def parse_linked_act(words: list[str], game: str, *, linked: bool) -> LinkedAct:
    """Parse an act at the link. Raises LineError."""
    if not linked:
        raise LineError(f"{words[0]}: this table is not linked; begin with 'set link NAME'")
    return LINKED_ACTS[words[0]](words[1:], game)


def _link(words: list[str], _: str) -> LinkedAct:
    return MoveLink(one_of(words, {"on": True, "off": False}, "the link"))


def _elsewhere(words: list[str], game: str) -> LinkedAct:
    match words:
        case ["open"]:
            return OpenElsewhere()
        case ["open", number]:
            what = f"a number of stakes from 0 to {MOST_STAKES}"
            return OpenElsewhere(number_in([number], what, most=MOST_STAKES))
        case ["claim", name]:
            prizes = {one.combination.value.lower(): one for one in load_prizes(game).prizes}
            return ClaimElsewhere(one_of([name], prizes, f"a combination of {game}").combination)
    verbs = {verb.value: verb for verb in ElsewhereVerb}
    if len(words) != 1 or words[0] not in verbs:
        raise LineError(
            "write 'elsewhere open', 'elsewhere open N', 'elsewhere claim COMBINATION', "
            "'elsewhere agree', 'elsewhere cancel' or 'elsewhere close'"
        )
    return EndElsewhere(verbs[words[0]])


LINKED_ACTS: Mapping[str, Callable[[list[str], str], LinkedAct]] = {
    "link": _link,
    "elsewhere": _elsewhere,
}

"""Corrections: the only movement of money outside play (docs/rules.md, section 4)."""

from collections.abc import Mapping

from console.rules.codes import Phase, Refusal
from console.rules.correction import Corrected
from console.rules.round.draft import Draft
from jackpot import movements
from jackpot.accounts import Account
from jackpot.amounts import to_units

IN_PLAY: Mapping[Phase, Refusal] = {
    Phase.BETTING: Refusal.ALREADY_OPEN,
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: Refusal.ALREADY_OPEN,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}
"""Phases in which only the round's own tokens and awards may move what it is played for."""

NEVER_NEGATIVE = frozenset({Account.JACKPOT, Account.RESERVE})


def on_corrected(draft: Draft, act: Corrected) -> None:
    """Move the amount, once for each number; any number except the next has no effect."""
    units = to_units(act.cents)
    if draft.phase in IN_PLAY:
        draft.refuse(IN_PLAY[draft.phase])
    elif act.number != draft.corrections + 1:
        draft.no_effect()
    elif act.source in NEVER_NEGATIVE and draft.balances.of(act.source) < units:
        draft.refuse(Refusal.NOT_COVERED)
    else:
        identity = f"{draft.rules.table}/correction-{act.number}"
        draft.move(movements.correction(identity, units, act.source, act.target))
        draft.corrections = act.number
        draft.decide(
            "corrected",
            number=act.number,
            source=act.source.value,
            target=act.target.value,
            cents=act.cents,
        )

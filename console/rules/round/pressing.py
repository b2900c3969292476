"""A press of a button, by a game's table: a function does it, a code refuses it."""

from collections.abc import Callable, Mapping

from console.rules.codes import Phase, Refusal
from console.rules.round.draft import ActOutcome, Draft
from devices.roles import Button, ButtonPressed

Done = Callable[[Draft], None]
Answer = Done | Refusal | ActOutcome
"""What a press does; `ActOutcome.NO_EFFECT`: nothing, and it is not refused."""

Buttons = Mapping[Button, Mapping[Phase, Answer]]
"""Each button's answer in each phase."""


def press_by(
    buttons: Buttons, refusal: Callable[[Draft], Refusal | None]
) -> Callable[[Draft, ButtonPressed], None]:
    """What a press does by this table; `refusal`: what else refuses every button."""

    def press(draft: Draft, act: ButtonPressed) -> None:
        if draft.locked:
            draft.refuse(Refusal.LOCKED)
        elif draft.service:
            draft.refuse(Refusal.IN_SERVICE)
        elif (code := refusal(draft)) is not None:
            draft.refuse(code)
        else:
            answer_press(draft, buttons[act.button][draft.phase])

    return press


def answer_press(draft: Draft, answer: Answer) -> None:
    """Do it, refuse it, or note that it has no effect."""
    if isinstance(answer, Refusal):
        draft.refuse(answer)
    elif isinstance(answer, ActOutcome):
        draft.no_effect()
    else:
        answer(draft)


def refuse_nothing(_draft: Draft) -> Refusal | None:
    """Nothing else refuses a button."""
    return None

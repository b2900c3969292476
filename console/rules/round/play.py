"""A game as a module: what each act and each press does, what follows by itself, what is shown."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from console.rules.acts import Act
from console.rules.codes import Phase, Refusal
from console.rules.display_texts import Texts
from console.rules.round.draft import ActOutcome, Draft
from console.rules.state import Rules, TableState
from devices.card_reports import ShufflerOrders
from devices.roles import Button, ButtonPressed, DisplayText, PanelLights

Done = Callable[[Draft], None]
Answer = Done | Refusal | ActOutcome
"""What a press does; `ActOutcome.NO_EFFECT`: nothing, and it is not refused."""

Buttons = Mapping[Button, Mapping[Phase, Answer]]
"""Each button's answer in each phase."""


class Play(Struct, frozen=True):
    """How a table is played: what each act does, what comes before it, and what follows."""

    transitions: Mapping[type[Act], Callable[[Draft, Any], None]]
    apply_due: Callable[[Draft], None]
    consequences: Callable[[Draft], None]
    next_deadline: Callable[[TableState, Rules], int | None]
    """When `Elapsed` is due next (ms of the monotonic clock)."""


class GameOutputs(Protocol):
    """What a state shows, as pure functions."""

    def shuffler_orders(self, state: TableState, rules: Rules) -> ShufflerOrders:
        """What the shuffler may do."""

    def panel_lights(self, state: TableState, rules: Rules) -> PanelLights:
        """The seats' LEDs and the lamps of the lit buttons."""

    def legends(self, state: TableState, rules: Rules) -> tuple[str, ...]:
        """The names of the lit buttons that count at the moment, from the left."""

    def display_text(self, state: TableState, rules: Rules, texts: Texts, now: int) -> DisplayText:
        """The display's two lines."""

    def display_changes_at(self, state: TableState, rules: Rules, now: int) -> int | None:
        """When the display changes without an act; None: never."""


class GameModule(Struct, frozen=True):
    """A game: how it is played in this state, and what it shows."""

    choose_play: Callable[[TableState], Play]
    outputs: GameOutputs


def press_by(
    buttons: Buttons, refusal: Callable[[Draft], Refusal | None] | None = None
) -> Callable[[Draft, ButtonPressed], None]:
    """What a press does by this table; `refusal`: what else refuses every button."""

    def press(draft: Draft, act: ButtonPressed) -> None:
        if draft.play_locked:
            draft.refuse(Refusal.LOCKED)
        elif draft.service:
            draft.refuse(Refusal.IN_SERVICE)
        elif refusal is not None and (code := refusal(draft)) is not None:
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

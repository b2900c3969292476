"""Which declarations of the cabinet's drawer would be done now: the rules themselves are asked."""

from collections.abc import Iterator
from itertools import product

from console.rules.acts import Act
from console.rules.codes import Duty
from console.rules.game_modules import advance
from console.rules.round import ActOutcome
from console.rules.state import Rules, TableState
from console.rules.typed import words_of
from console.texts.declarations.lines import parse_declaration
from console.texts.declarations.row import DrawerField
from console.web.messages import DrawerAct

DECLARE = "declare "
MOST_SEATS = 11
"""Of a field with no more numbers than that each is tried, of another its ends and its first."""

TYPED = {
    "clockTime": ("600s",),
    "amount": ("1.00",),
    "rakeParts": tuple("+".join("1" * parts) for parts in range(1, MOST_SEATS + 1)),
    "rakeCap": ("30", "1"),
    "reason": ("1",),
}
"""What could be typed into each form of field."""


class DrawerGuide:
    """Says of each act whether it would be done; asks the rules again when the table changes.

    A door can always be moved.
    """

    def __init__(self, acts: tuple[DrawerAct, ...]) -> None:
        self._tries = tuple(
            tuple(list_tries(act)) if act.line.startswith(DECLARE) else None for act in acts
        )
        self._state: TableState | None = None
        self._possible: tuple[bool, ...] = ()

    def ask(self, state: TableState, rules: Rules, now: int) -> tuple[bool, ...]:
        """In the order of the acts; `now`: ms of the monotonic clock."""
        if state.settings is None:
            return ()  # nothing is adopted yet: it is no table so far
        if state is not self._state:
            self._state = state
            self._possible = tuple(
                tries is None
                or any(advance(state, act, rules, now).outcome is ActOutcome.DONE for act in tries)
                for tries in self._tries
            )
        return self._possible


def list_tries(act: DrawerAct) -> Iterator[Act]:
    """The declaration with what could stand in its fields."""
    for values in product(*(_values_of(field) for field in act.fields)):
        line = act.line.removeprefix(DECLARE)
        for value in values:
            line = line.replace("#", value, 1)
        yield parse_declaration(words_of(line), Duty.FLOOR_MANAGER.value)


def _values_of(field: DrawerField) -> tuple[str, ...]:
    if field.form in TYPED:
        return TYPED[field.form]
    if field.form == "level":
        return (str(field.first),)
    few = field.most - field.least < MOST_SEATS
    numbers = range(field.least, field.most + 1) if few else (field.first, field.least, field.most)
    return tuple(map(str, numbers))

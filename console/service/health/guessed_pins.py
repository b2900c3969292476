"""Names under which wrong PINs were given, more than anybody gives by mistake."""

from collections.abc import Callable

from console.rules.acts import ENTRY_FORGOTTEN_S, Act, Entered, EntryRefused
from console.rules.round import Transition
from console.texts.catalogue.findings import FindingCode

MISTAKES = 5
"""Wrong PINs in a row that are a person's own; one more is somebody who guesses."""

MOST = 64
"""The most names remembered, the oldest are forgotten first."""


class GuessedPins:
    """Counts them by the acts on record, of the line and of the pages; used on the event loop."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now`: seconds of the loop's clock."""
        self._now = now
        self._since: dict[str, float] = {}

    def on_act(self, act: Act, _step: Transition) -> None:
        """Note an act, once it is committed."""
        if isinstance(act, EntryRefused) and act.wrong > MISTAKES:
            self._since.pop(act.who, None)
            self._since[act.who] = self._now()
            while len(self._since) > MOST:
                del self._since[next(iter(self._since))]
        elif isinstance(act, Entered):
            self._since.pop(act.who, None)

    @property
    def findings(self) -> tuple[str, ...]:
        """What the room hears of a linked table."""
        return (FindingCode.PIN_GUESSED.value,) if self.count else ()

    @property
    def count(self) -> int:
        """The names under which a PIN is guessed now."""
        after = self._now() - ENTRY_FORGOTTEN_S
        self._since = {name: at for name, at in self._since.items() if at > after}
        return len(self._since)

"""The acts that browsers ask of a simulated cabinet: passed on, answered, and kept."""

from collections.abc import Callable

import msgspec

from console.web.messages import LONGEST_ACT, ActAnswer, ActRequest, TableSnapshot
from console.web.serving.scenario_recorder import ScenarioRecorder, is_unused
from console.web.serving.viewers import encode

ACTS_A_SECOND = 20
"""Of one browser; so many may also come at once."""

UNANSWERED_ACTS = 256
"""Of all browsers together."""


class NotAnAct(ValueError):
    """What a browser must not say; its socket is closed with this as the reason."""


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An act, as a browser asks for it."""

    id: int
    do: str


_ASKED = msgspec.json.Decoder(_Asked)


class _Waiting(msgspec.Struct, frozen=True):
    """An act that the service has not answered yet."""

    tell: Callable[[str], None]
    id: int
    began: float


class ActRelay:
    """Between the browsers and the service. `ask`: passes a deed on; `now`: seconds."""

    def __init__(
        self, ask: Callable[[ActRequest], None], kept: ScenarioRecorder, now: Callable[[], float]
    ) -> None:
        self.kept = kept
        self.now = now
        self._ask = ask
        self._waiting: dict[int, _Waiting] = {}
        self._number = 0

    def doer(self, tell: Callable[[str], None]) -> "BrowserActs":
        """For one browser, which is told the answers."""
        return BrowserActs(self, tell)

    def pass_on(self, tell: Callable[[str], None], id_: int, line: str) -> None:
        """Ask the service for it, or answer that it cannot be asked now."""
        if len(self._waiting) >= UNANSWERED_ACTS:
            tell(answer_text(id_, ActAnswer(id_, line, why="too many acts wait already")))
            return
        self._number += 1
        self._waiting[self._number] = _Waiting(tell, id_, self.now())
        self._ask(ActRequest(self._number, line))

    def seen(self, sight: TableSnapshot) -> None:
        """The table: the first Sight tells whether it is a new one."""
        if self.kept.fresh is None:
            self.kept.fresh = is_unused(sight)

    def answered(self, answer: ActAnswer) -> None:
        """The service has done it, or has not understood it."""
        waiting = self._waiting.pop(answer.to, None)
        if waiting is None:
            return
        if not answer.why:
            self.kept.note(answer.line, waiting.began, self.now())
        waiting.tell(answer_text(waiting.id, answer))

    def lost(self) -> None:
        """The service is silent: what waits is not answered any more."""
        for waiting in self._waiting.values():
            lost = ActAnswer(waiting.id, "", why="the table does not answer")
            waiting.tell(answer_text(waiting.id, lost))
        self._waiting.clear()


class BrowserActs:
    """One browser's acts."""

    def __init__(self, doings: ActRelay, tell: Callable[[str], None]) -> None:
        self._doings = doings
        self._tell = tell
        self._left = float(ACTS_A_SECOND)
        self._at = doings.now()

    def ask(self, text: str) -> None:
        """What it has said. Raises NotADeed."""
        try:
            asked = _ASKED.decode(text)
        except msgspec.DecodeError as error:
            raise NotAnAct("say an act: {id, do}") from error
        if not self._in_time():
            line = asked.do[:LONGEST_ACT]
            why = f"at most {ACTS_A_SECOND} acts a second"
            self._tell(answer_text(asked.id, ActAnswer(asked.id, line, why=why)))
            return
        self._doings.pass_on(self._tell, asked.id, asked.do)

    def _in_time(self) -> bool:
        now = self._doings.now()
        self._left = min(ACTS_A_SECOND, self._left + (now - self._at) * ACTS_A_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def answer_text(id_: int, answer: ActAnswer) -> str:
    """The answer as the browser that asked is told it."""
    return encode(
        {
            "kind": "answered",
            "to": id_,
            "line": answer.line,
            "refused": answer.refused,
            "why": answer.why,
        }
    )

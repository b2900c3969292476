"""Passes the acts of browsers on to a simulated cabinet, and its answers back.

They are recorded as a scenario that does them again (docs/reference/scenarios.md).
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec

from console.web.messages import LONGEST_ACT, ActAnswer, ActRequest, TableSnapshot
from console.web.serving.viewers import encode
from jackpot.failures import Refused

MOST_LINES = 10_000
SHORTEST_GAP_S = 0.05
"""A shorter gap is not written: nobody waits so briefly on purpose."""

LONGEST_WAIT_S = 24 * 3600
MILLI = 1000


class ScenarioRecorder:
    """Records acts, and the time that passed between them."""

    def __init__(self, table: str, begins: Sequence[str]) -> None:
        """`begins`: the lines with which a scenario of this table begins."""
        self.fresh: bool | None = None
        """Whether nothing had been done to the table before; None: not known yet."""
        self._table = table
        self._begins = tuple(begins)
        self._acts: deque[tuple[float, str]] = deque(maxlen=MOST_LINES)
        self._noted = 0
        self._ended: float | None = None

    def note(self, line: str, began: float, ended: float) -> None:
        """Record an act, with its begin and end in seconds; a `wait` is kept as time only."""
        words = line.split()
        if words[:1] == ["wait"]:
            return
        gap = 0.0 if self._ended is None else max(0.0, began - self._ended)
        self._acts.append((gap, " ".join(words)))
        self._noted += 1
        self._ended = ended

    def text(self, now: float) -> str:
        """The scenario, up to this instant."""
        return "\n".join([*self._head(), *self._begins, *self._lines(now)]) + "\n"

    def _head(self) -> Iterator[str]:
        yield f"# Done on the page of table {self._table}."
        if self._noted > len(self._acts):
            yield f"# The first {self._noted - len(self._acts)} acts are left out."
        if self.fresh is False:
            yield "# Before the first act here the table was in use: this begins with a new one."

    def _lines(self, now: float) -> Iterator[str]:
        for gap, line in self._acts:
            yield from _waits(gap)
            yield line
        if self._ended is not None:
            yield from _waits(now - self._ended)


NEW_CABINET = {
    "powered": True,
    "disk_full": False,
    "key": "R",
    "inspector": False,
    "unplugged": [],
    "tokens": [],
    "cards": [],
    "jams": [],
    "shoe": None,
}
"""The cabinet at a scenario's start; tray and shuffler are empty as well."""


def is_unused(snapshot: TableSnapshot) -> bool:
    """Whether nothing has been done yet to this table and its cabinet."""
    cabinet = snapshot.cabinet or {}
    decks = cabinet.get("decks") or {}
    return (
        snapshot.round == 0
        and all(cabinet.get(name) == as_new for name, as_new in NEW_CABINET.items())
        and not cabinet.get("tray")
        and not cabinet.get("doors")
        and not any(decks.values())
        and not snapshot.road
    )


def _waits(seconds: float) -> Iterator[str]:
    if seconds < SHORTEST_GAP_S:
        return
    while seconds > LONGEST_WAIT_S:
        yield "wait 24h"
        seconds -= LONGEST_WAIT_S
    yield f"wait {round(seconds * MILLI)}ms"


ACTS_A_SECOND = 20
"""From one browser; the same number may also come at once."""

UNANSWERED_ACTS = 256
"""From all browsers together."""


class _BrowserMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's request for an act."""

    id: int
    do: str


_DECODER = msgspec.json.Decoder(_BrowserMessage)


class _Waiting(msgspec.Struct, frozen=True):
    """An act that the service has not answered yet."""

    reply: Callable[[str], None]
    id: int
    began: float


class ActRelay:
    """Passes acts from browsers to the service, and answers back."""

    def __init__(
        self,
        ask: Callable[[ActRequest], None],
        recorder: ScenarioRecorder,
        now: Callable[[], float],
    ) -> None:
        """`ask`: sends an act to the service. `now`: seconds."""
        self.recorder = recorder
        self.now = now
        self._ask = ask
        self._waiting: dict[int, _Waiting] = {}
        self._number = 0

    def acts_of(self, reply: Callable[[str], None]) -> "BrowserActs":
        """The acts of one browser, which gets the answers."""
        return BrowserActs(self, reply)

    def pass_on(self, reply: Callable[[str], None], id_: int, line: str) -> None:
        """Pass an act to the service, or answer that too many wait."""
        if len(self._waiting) >= UNANSWERED_ACTS:
            reply(answer_text(id_, ActAnswer(id_, line, why="too many acts wait already")))
            return
        self._number += 1
        self._waiting[self._number] = _Waiting(reply, id_, self.now())
        self._ask(ActRequest(self._number, line))

    def on_snapshot(self, snapshot: TableSnapshot) -> None:
        """Note from the first snapshot whether the table is unused."""
        if self.recorder.fresh is None:
            self.recorder.fresh = is_unused(snapshot)

    def on_answer(self, answer: ActAnswer) -> None:
        """The service has done an act, or has not understood it."""
        waiting = self._waiting.pop(answer.to, None)
        if waiting is None:
            return
        if not answer.why:
            self.recorder.note(answer.line, waiting.began, self.now())
        waiting.reply(answer_text(waiting.id, answer))

    def on_lost(self) -> None:
        """The service is silent: no waiting act will be answered."""
        for waiting in self._waiting.values():
            lost = ActAnswer(waiting.id, "", why="the table does not answer")
            waiting.reply(answer_text(waiting.id, lost))
        self._waiting.clear()


class BrowserActs:
    """One browser's acts."""

    def __init__(self, relay: ActRelay, reply: Callable[[str], None]) -> None:
        self._relay = relay
        self._reply = reply
        self._left = float(ACTS_A_SECOND)
        self._at = relay.now()

    def ask(self, text: str) -> None:
        """Take a message of the browser. Raises Refused."""
        try:
            message = _DECODER.decode(text)
        except msgspec.DecodeError as error:
            raise Refused("send an act: {id, do}") from error
        if not self._in_time():
            line = message.do[:LONGEST_ACT]
            why = f"at most {ACTS_A_SECOND} acts a second"
            self._reply(answer_text(message.id, ActAnswer(message.id, line, why=why)))
            return
        self._relay.pass_on(self._reply, message.id, message.do)

    def _in_time(self) -> bool:
        now = self._relay.now()
        self._left = min(ACTS_A_SECOND, self._left + (now - self._at) * ACTS_A_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def answer_text(id_: int, answer: ActAnswer) -> str:
    """The answer as it is sent to the browser that asked."""
    return encode(
        {
            "kind": "answered",
            "to": id_,
            "line": answer.line,
            "refused": answer.refused,
            "why": answer.why,
        }
    )

"""A member's wire to the centre, on which calls and answers are lost."""

from collections import Counter
from enum import Enum
from typing import Protocol

from console.rules.link import (
    Answer,
    AnyCall,
    Beat,
    Greeting,
    Held,
    MemberHello,
    RecallAsked,
    Shown,
    Welcome,
)
from jackpot.ledger.journal import Head
from tests.console.link.member_contract import MemberCalls


class NoAnswer(Exception):
    """The courier was killed or cut off: whether the centre has the call is unknown."""


class Loss(Enum):
    """What is lost."""

    CALL = "call lost"
    ANSWER = "answer lost"


class Witness(Protocol):
    """Who sees what the centre answers, whether or not the answer arrives."""

    def see_welcome(self, name: str, hello: MemberHello, welcome: Welcome) -> None:
        """A session began."""

    def see_answer(
        self, name: str, session: int, call: AnyCall, answer: Answer, head: Head
    ) -> None:
        """A call was answered."""

    def see_shown(self, name: str, session: int, shown: Shown) -> None:
        """A beat was answered."""


class LossyWire:
    """The calls of a member; what is in `losses` is lost next."""

    def __init__(self, name: str, calls: MemberCalls, witness: Witness) -> None:
        self._name = name
        self._calls = calls
        self._witness = witness
        self.loss: Loss | None = None
        self.faults: Counter[str] = Counter()

    def see_with(self, witness: Witness) -> None:
        """Have another witness from now on."""
        self._witness = witness

    def hello(self, hello: MemberHello) -> Greeting:
        """Begin a session. Raises NoAnswer."""
        self._lose(Loss.CALL)
        welcome = self._calls.hello(hello)
        if isinstance(welcome, Welcome):
            self._witness.see_welcome(self._name, hello, welcome)
        self._lose(Loss.ANSWER)
        return welcome

    def call(self, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Make a call. Raises NoAnswer."""
        self._lose(Loss.CALL)
        answer = self._calls.call(session, call, act, head)
        self._witness.see_answer(self._name, session, call, answer, head)
        self._lose(Loss.ANSWER)
        return answer

    def beat(self, session: int, beat: Beat, act: int) -> Shown:
        """One beat. Raises NoAnswer."""
        self._lose(Loss.CALL)
        shown = self._calls.beat(session, beat, act)
        self._witness.see_shown(self._name, session, shown)
        self._lose(Loss.ANSWER)
        return shown

    def recall(self, session: int, held: Held | None) -> RecallAsked:
        """Tell what was answered before. Raises NoAnswer."""
        self._lose(Loss.CALL)
        asked = self._calls.recall(session, held)
        self._lose(Loss.ANSWER)
        return asked

    def _lose(self, what: Loss) -> None:
        if self.loss is what:
            self.loss = None
            self.faults[what.value] += 1
            raise NoAnswer(what.value)

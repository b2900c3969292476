"""The calls of a member, over its connection: `MemberCalls` on PostgreSQL."""

from typing import TypeVar

import msgspec

from console.link.courier.connection import CentreConnection, NotAnswered
from console.rules.link import (
    Answer,
    AnyCall,
    Barred,
    Beat,
    CentreBars,
    MemberHello,
    ProofAsked,
    Shown,
    Welcome,
)
from jackpot.journal import Head

Wire = TypeVar("Wire", bound=msgspec.Struct)


class CentreCalls:
    """The centre, as one member reaches it.

    Each call raises CentreBars, and NotAnswered if the outcome is unknown.
    """

    def __init__(self, connection: CentreConnection) -> None:
        self._connection = connection

    def hello(self, hello: MemberHello) -> Welcome | ProofAsked:
        """Begin a session, which fences the older ones."""
        answer = self._ask("hello", hello)
        return _convert(answer, ProofAsked) if "seq" in answer else _convert(answer, Welcome)

    def call(self, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Make a numbered call."""
        request = {"session": session, "act": act, "head": head, "call": call}
        function = str(type(call).__struct_config__.tag)
        return _convert(self._ask(function, request), Answer)

    def beat(self, session: int, beat: Beat, act: int) -> Shown:
        """Say that the member is there."""
        request = {"session": session, "act": act, "beat": beat}
        return _convert(self._ask("beat", request), Shown)

    def _ask(self, function: str, request: object) -> dict[str, object]:
        text = self._connection.ask(function, msgspec.json.encode(request))
        try:
            answer = msgspec.json.decode(text, type=dict[str, object])
            barred = answer.get("barred")
            if barred is None:
                return answer
            raise CentreBars(msgspec.convert(barred, Barred))
        except msgspec.MsgspecError as error:
            raise NotAnswered(f"the centre's answer cannot be read: {error}") from error


def _convert(answer: dict[str, object], kind: type[Wire]) -> Wire:
    try:
        return msgspec.convert(answer, kind)
    except msgspec.MsgspecError as error:
        raise NotAnswered(f"the centre's answer cannot be read: {error}") from error

"""The messages between the service and the courier: one JSON object a line, at most 64 KiB.

The service writes an opening, then asks one thing at a time; each gets one answer, or the courier
ends (docs/reference/link-rules.md, section 1).
"""

from collections.abc import Callable

import msgspec

from console.child_process import encode_line
from console.database.addresses import DatabaseLogin, ServerAddress
from console.rules.link import (
    Answer,
    AnyCall,
    Awaited,
    Barred,
    Beat,
    Held,
    MemberHello,
    ProofAsked,
    RecallAsked,
    Rejoined,
    Shown,
    Welcome,
)
from console.rules.poker_clock import ClockCall, ClockRow
from jackpot.ledger.journal import Head

LONGEST_MESSAGE = 64 * 1024
"""Bytes of a line, including its end."""

CALL_TIMEOUT_S = 3.0
"""How long a call may take; then the courier ends itself, since a cancel may never be sent."""


class CourierOpening(DatabaseLogin, frozen=True, tag_field="kind", tag="opening"):
    """What does not change while the service runs."""


class SayHello(msgspec.Struct, frozen=True, tag_field="kind", tag="hello"):
    """Say hello at this host; a connection to another one is closed first."""

    at: ServerAddress
    hello: MemberHello


class MakeCall(msgspec.Struct, frozen=True, tag_field="kind", tag="call"):
    """Make a numbered call."""

    session: int
    call: AnyCall
    act: int
    head: Head


class SendBeat(msgspec.Struct, frozen=True, tag_field="kind", tag="beat"):
    """Say that the table is there."""

    session: int
    beat: Beat
    act: int


class SendHeld(msgspec.Struct, frozen=True, tag_field="kind", tag="held"):
    """Tell a centre that was set back what it answered before; None: that was all."""

    session: int
    held: Held | None


class AskClock(msgspec.Struct, frozen=True, tag_field="kind", tag="clock"):
    """Ask for a tournament's clock at this host; a connection to another one is closed first."""

    at: ServerAddress
    call: ClockCall


Request = SayHello | MakeCall | SendBeat | SendHeld | AskClock
ToCourier = CourierOpening | Request


class CourierStarted(msgspec.Struct, frozen=True, tag_field="kind", tag="started"):
    """The courier has read its opening, and may be asked."""


class Welcomed(msgspec.Struct, frozen=True, tag_field="kind", tag="welcomed"):
    """The answer to a good hello."""

    welcome: Welcome


class AskedProof(msgspec.Struct, frozen=True, tag_field="kind", tag="proof"):
    """The answer to a hello without the right proof."""

    asked: ProofAsked


class AskedToRecall(msgspec.Struct, frozen=True, tag_field="kind", tag="recall"):
    """The answer of a centre that was set back: what it is to be told again."""

    asked: RecallAsked


class LetRejoin(msgspec.Struct, frozen=True, tag_field="kind", tag="rejoined"):
    """The answer to a hello of an older epoch."""

    rejoined: Rejoined


class Answered(msgspec.Struct, frozen=True, tag_field="kind", tag="answered"):
    """The answer to a call."""

    answer: Answer


class BeatAnswered(msgspec.Struct, frozen=True, tag_field="kind", tag="shown"):
    """The answer to a beat."""

    shown: Shown


class ClockAnswered(msgspec.Struct, frozen=True, tag_field="kind", tag="clock"):
    """The answer to a question for a tournament's clock."""

    row: ClockRow


class IsBarred(msgspec.Struct, frozen=True, tag_field="kind", tag="barred"):
    """The centre bars the member; `awaits`: until two operators know what its call names."""

    barred: Barred
    awaits: Awaited | None = None


class Unanswered(msgspec.Struct, frozen=True, tag_field="kind", tag="unanswered"):
    """No answer; what was asked may have been done. The connection is closed."""

    why: str


CourierAnswer = (
    Welcomed
    | AskedProof
    | AskedToRecall
    | LetRejoin
    | Answered
    | BeatAnswered
    | ClockAnswered
    | IsBarred
    | Unanswered
)
FromCourier = CourierStarted | CourierAnswer


def encode_message(message: ToCourier | FromCourier) -> bytes:
    """The message as a line. Raises ValueError for one that is too long."""
    return encode_line(message, LONGEST_MESSAGE)


decode_to_courier: Callable[[bytes], ToCourier] = msgspec.json.Decoder(ToCourier).decode
decode_from_courier: Callable[[bytes], FromCourier] = msgspec.json.Decoder(FromCourier).decode
"""The reverse of `encode_message`. Both raise ValueError (msgspec's own is one)."""

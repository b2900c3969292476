"""What the centre of a linked jackpot has answered (docs/reference/link-rules.md, section 3)."""

from msgspec import Struct

from console.rules.link import Answer, AnyCall, Barred, Rejoined, Shown


class LinkAnswered(Struct, frozen=True):
    """The centre has answered `call`, the first one that waited.

    With the call in its record, the record alone says what a centre that was set back must be told
    again.
    """

    answer: Answer
    call: AnyCall


class LinkShown(Struct, frozen=True):
    """The centre has answered a beat."""

    shown: Shown


class LinkWelcomed(Struct, frozen=True):
    """The centre has taken a hello, and is on another timeline than before (section 3.13)."""

    timeline: int


class LinkRejoined(Struct, frozen=True):
    """Two operators have let the table rejoin, in a new epoch."""

    rejoined: Rejoined


class RecallBegan(Struct, frozen=True):
    """The centre was set back; it is told again what it answered after this call and this act."""

    after: int
    act: int


class RecallEnded(Struct, frozen=True):
    """The centre has been told again all that it had answered this table."""


class LinkBarred(Struct, frozen=True):
    """The centre speaks to this table no further."""

    barred: Barred


CentreAct = (
    LinkAnswered | LinkShown | LinkWelcomed | LinkRejoined | LinkBarred | RecallBegan | RecallEnded
)

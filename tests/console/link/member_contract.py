"""What a member asks of the centre: one contract, which PostgreSQL and the model both keep."""

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
)
from jackpot.ledger.journal import Head


class MemberCalls(Protocol):
    """The centre, as one member reaches it. Every method is one transaction.

    Each raises CentreBars; any other error is no answer, and the outcome is unknown.
    """

    def hello(self, hello: MemberHello) -> Greeting:
        """Begin a session, which fences the older ones."""

    def call(self, session: int, call: AnyCall, act: int, head: Head) -> Answer:
        """Make a numbered call. `act`: the last of the centre's acts that the member has booked.

        `head`: the member's last record.
        """

    def beat(self, session: int, beat: Beat, act: int) -> Shown:
        """Say that the member is there."""

    def recall(self, session: int, held: Held | None) -> RecallAsked:
        """Tell a centre that was set back what it answered before; None: that was all.

        What is asked for now. A piece may be sent again.
        """

"""What a session to a board reports to its driver."""

from typing import Any, Protocol, TypeVar

from firmware_bridge.board_session.changes import Strangers
from firmware_bridge.board_session.protocol import BoardKind, Identity

Seen_contra = TypeVar("Seen_contra", contravariant=True)


class BoardOwner(Protocol[Seen_contra]):
    """The owner of a `BoardSession`; called on the event loop's thread."""

    def board_up(self, identity: Identity) -> None:
        """The right board has answered; its states follow.

        Called again after every reconnection, even one so short (under 1 s) that `board_lost` was
        not called. WANT is sent next, so this is the place to change it for a board that has
        booted.
        """

    def board_state(self, boot: int, seen: Seen_contra) -> None:
        """A state of the board of this boot: the first since `board_up`, then each new one.

        Also an unchanged one, when the board has just applied the last WANT.
        """

    def board_settled(self) -> None:
        """The board has applied a WANT since `board_up`: its outputs are written again.

        Called after the first state.
        """

    def board_unproven(self, identity: Identity) -> None:
        """A board answers that does not prove its key, or has none yet (version 2).

        `board_lost` follows.
        """

    def board_lost(self, why: str) -> None:
        """There was no board, or a wrong one, for 1 s.

        Called again only if another wrong board answers.
        """


class LossReports:
    """What an owner hears of a board that is lost; `reported`: why it is, None while it is not."""

    __slots__ = ("_kind", "_owner", "_strangers", "reported")

    def __init__(self, owner: BoardOwner[Any], kind: BoardKind) -> None:
        self.reported: str | None = None
        self._kind = kind
        self._owner = owner
        self._strangers = Strangers()

    def end(self) -> None:
        """Note that the right board is there."""
        self.reported = None
        self._strangers = Strangers()

    def report(self, why: str) -> None:
        """Report the board lost, and who answers in its place."""
        self.reported = why
        stranger = self._strangers.last
        if stranger is not None and stranger.find_misfit(self._kind, stranger.version) is None:
            self._owner.board_unproven(stranger)
        self._owner.board_lost(why)

    def correct(self, why: str) -> None:
        """Report that there is another reason than was reported."""
        if self.reported not in (None, why):
            self.report(why)

    def meet_stranger(self, identity: Identity, why: str, now: float) -> None:
        """A board does not prove itself: it is reported when the right one is lost."""
        if self.reported is None:
            self._strangers.meet(identity, why)
        elif self._strangers.are_due(identity, why, now):
            self.report(why)

    def await_key(self, until: float) -> None:
        """Report no stranger until then: it may take its key."""
        self._strangers.due_at = until

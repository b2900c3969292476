"""What a link to a board reports to its driver."""

from typing import Protocol, TypeVar

from firmware_bridge.board_link.protocol import Identity

Seen_contra = TypeVar("Seen_contra", contravariant=True)


class BoardOwner(Protocol[Seen_contra]):
    """The owner of a `BoardLink`; called on the event loop's thread."""

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

    def board_lost(self, why: str) -> None:
        """There was no board, or a wrong one, for 1 s.

        Called again only if another wrong board answers.
        """

"""What a link to a board tells the driver it belongs to."""

from typing import Protocol, TypeVar

from firmware_bridge.board.protocol import Identity

Seen_contra = TypeVar("Seen_contra", contravariant=True)


class BoardOwner(Protocol[Seen_contra]):
    """Who owns a `BoardLink`; called on the event loop's thread."""

    def board_up(self, identity: Identity) -> None:
        """The right board has answered; its states follow.

        What is wanted of it is sent next: here is the place to want something else of a board
        that has booted. Again after every reconnection, also one so short (under 1 s) that
        `board_lost` was not called.
        """

    def board_state(self, boot: int, seen: Seen_contra) -> None:
        """What the board of this boot tells: first since `board_up`, then whenever it differs.

        Also when the board has just applied what it was told, though nothing differs.
        """

    def board_settled(self) -> None:
        """The board has applied a WANT since `board_up`: its outputs are written again.

        Called behind the first state.
        """

    def board_lost(self, why: str) -> None:
        """For 1 s no board, or none of ours; once more only if another wrong board answers."""

"""What a session holds for its board: the version to speak, and the enrolled board's key."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from firmware_bridge.board_session.protocol import PROVED_VERSION, VERSION

NOT_ENROLLED = "the board has not been given a key: enrol it"
UNPROVEN = "the board does not prove the key that it was given when it was enrolled"
NOT_TAKEN = "the board does not take its key; if it has another table's, close its jumper"


class BoardKey(Struct, frozen=True):
    """The key that was drawn for a board."""

    serial: str
    key: bytes
    confirmed: bool = False
    """The board has proved it once: it is never sent again."""

    def __repr__(self) -> str:
        return f"BoardKey({self.serial!r}, confirmed={self.confirmed})"


class SessionKey:
    """The key of one session; without one, `least` is the version that it speaks.

    `why_none`: why there is no key, for people.
    """

    __slots__ = ("_least", "board", "changed", "confirmed", "why_none")

    def __init__(
        self,
        least: int = VERSION,
        board: BoardKey | None = None,
        why_none: str = NOT_ENROLLED,
        confirmed: Callable[[BoardKey], None] = lambda _: None,
    ) -> None:
        """`confirmed` is called with a key that the board has proved for the first time."""
        self._least = least
        self.board = board
        self.why_none = why_none
        self.confirmed = confirmed
        self.changed: Callable[[], None] = lambda: None  # the session's

    @property
    def version(self) -> int:
        """The version to speak: no answer of a board changes it."""
        return self._least if self.board is None else PROVED_VERSION

    @property
    def gives_keys(self) -> bool:
        """Whether a board is given a key when it is enrolled."""
        return self._least == PROVED_VERSION

    def change(self, board: BoardKey | None) -> None:
        """Use another key from now on: the session begins anew."""
        self.board = board
        self.changed()

    def confirm(self) -> None:
        """Note that the board has proved its key."""
        if self.board is not None and not self.board.confirmed:
            self.board = replace(self.board, confirmed=True)
            self.confirmed(self.board)

    def explain_doubt(self) -> str:
        """Why a board that has not proved itself is not believed."""
        if self.board is None:
            return self.why_none
        return UNPROVEN if self.board.confirmed else NOT_TAKEN

"""Which boards a device is made of, by the names they give themselves."""

from functools import lru_cache

from msgspec import UNSET, Struct, UnsetType

from devices.device import Device


class BoardLabel(Struct, frozen=True):
    """A board, acceptor or shoe as it names itself; `serial` is "" where it has no name.

    `configured`: its serial number stands in the configuration, which is its enrolment
    (docs/reference/cctalk.md).
    """

    kind: str
    serial: str
    firmware: str = ""
    configured: bool = False
    unproven: bool | UnsetType = UNSET
    """It does not prove its key (docs/reference/wire-protocol.md): nothing it says is believed."""


Boards = tuple[BoardLabel, ...]


@lru_cache(maxsize=64)
def are_proved(boards: Boards) -> bool:
    """Whether each of them is believed to be the one that its name says."""
    return not [board for board in boards if board.unproven is True]


class BoardFound(Struct, frozen=True):
    """The boards of a device have answered; reported before anything that they report."""

    device: Device
    boards: Boards


class BoardImage(Struct, frozen=True):
    """A board has said what its flash holds: the SHA-256 of its image, in hexadecimal."""

    device: Device
    kind: str
    serial: str
    image: str


class KnownBoards:
    """The boards that have answered in this connection, as a driver knows them."""

    def __init__(self) -> None:
        self.board: BoardLabel | None = None  # that answered last, beside the acceptors
        self._boards: Boards | None = None
        self._noted = False

    def begin_session(self, board: BoardLabel) -> None:
        """One of them answers anew: it is to be noted, and may be another one."""
        self.board = board
        self._noted = False
        if self._boards is not None and board not in self._boards:
            self._boards = None

    @property
    def is_strange(self) -> bool:
        """Whether the board that answered last does not prove itself."""
        return self.board is not None and not are_proved((self.board,))

    def end_session(self) -> None:
        """They are lost: they are to be noted when they are back."""
        self._noted = False

    def note(self, boards: Boards) -> bool:
        """Note who answers; whether that is to be reported."""
        is_new = not self._noted or boards != self._boards
        self._noted, self._boards = True, boards
        return is_new

    def are(self, boards: Boards | None) -> bool:
        """Whether an order for these boards is for those that answer; None: for any."""
        return boards in (None, self._boards)

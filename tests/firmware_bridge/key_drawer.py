"""Where a board of the tests keeps its key: in memory."""

from firmware_bridge.board.proof import KeyKeeper


class KeyDrawer(KeyKeeper):
    """The key, the jumper, and a flash that takes no key any more."""

    def __init__(self, key: bytes | None) -> None:
        self.key = key
        self.closed = False
        self.worn_out = False

    def read_key(self) -> bytes | None:
        return self.key

    def write_key(self, key: bytes) -> None:
        if not self.worn_out:
            self.key = key

    def jumper_is_closed(self) -> bool:
        return self.closed

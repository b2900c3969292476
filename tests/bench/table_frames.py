"""Contender: our frames, as board and table exchange them."""

from collections.abc import Callable

from firmware_bridge.board_session.framing import Deframer, encode
from tests.bench.traffic import compete


def new_receiver() -> Callable[[bytes], int]:
    """A deframer that has seen nothing yet."""
    deframer = Deframer()
    return lambda data: len(deframer.feed(data))


if __name__ == "__main__":
    compete(encode, new_receiver)

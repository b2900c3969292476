"""What a board says that its flash holds: proved like a STATE, and told again to each session."""

from collections.abc import Callable

import pytest

from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.protocol import BoardKind, Image
from firmware_bridge.board_session.words import describe_frame
from firmware_bridge.memory_line import WireFaults
from tests.firmware_bridge.board_session.rig import Rig

KEY = b"the board's key "
DIGEST = bytes(range(32))
FORGED = bytes(32)


@pytest.fixture(params=[None, KEY], ids=["version 1", "version 2"])
def rig(request: pytest.FixtureRequest, make_rig: Callable[..., Rig]) -> Rig:
    """A board that is up, and says nothing of its flash yet."""
    rig = make_rig(key=request.param)
    rig.session.start()
    rig.run_for(1)
    return rig


def tell(rig: Rig, digest: bytes = DIGEST) -> None:
    rig.firmware.tell_image(digest)
    rig.board.run()


def test_the_owner_is_told_once_in_a_connection(rig: Rig) -> None:
    tell(rig)
    rig.run_for(60)
    assert rig.owner.events == ["up", "settled", f"image: {DIGEST.hex()}"]
    assert rig.session.image == DIGEST.hex()


def test_each_connection_is_told_again(rig: Rig) -> None:
    tell(rig)
    rig.run_for(1)
    rig.end.unplug()
    rig.run_for(1)
    rig.end.plug()
    rig.run_for(12)
    assert rig.owner.events.count(f"image: {DIGEST.hex()}") == 2


def test_a_board_that_says_nothing_has_no_image(rig: Rig) -> None:
    rig.run_for(60)
    assert (rig.owner.events, rig.session.image) == (["up", "settled"], "")


def test_a_lost_one_is_told_again(rig: Rig) -> None:
    rig.end.inject(to_host=WireFaults(silent=True))
    tell(rig)
    rig.run_for(0.1)
    rig.end.inject()
    rig.run_for(11)
    assert rig.session.image == DIGEST.hex()


def test_an_invented_one_is_not_believed_of_a_board_with_a_key(
    make_rig: Callable[..., Rig],
) -> None:
    rig = make_rig(key=KEY)
    rig.session.start()
    rig.run_for(1)
    for invented in (Image(FORGED).to_bytes(), Image(FORGED).to_bytes() + bytes(16)):
        rig.end.send(encode(invented))
        rig.run_for(0.05)
    assert (rig.session.image, rig.session.statistics.unproven) == ("", 2)


def test_it_is_in_words() -> None:
    frame = encode(Image(DIGEST).to_bytes())
    assert describe_frame(frame, BoardKind.SLOT_RAIL) == f"IMAGE {DIGEST.hex()}"

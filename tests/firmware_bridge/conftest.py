"""Rigs that are put away again."""

from collections.abc import Callable, Iterator

import pytest

from firmware_bridge.board_session.protocol import BoardKind
from tests.firmware_bridge.board_session.rig import Rig


@pytest.fixture
def make_rig() -> Iterator[Callable[..., Rig]]:
    """Builds rigs whose session has not been started."""
    rigs: list[Rig] = []

    def make(kind: BoardKind = BoardKind.SLOT_RAIL, key: bytes | None = None) -> Rig:
        rigs.append(Rig(kind, key))
        return rigs[-1]

    yield make
    for rig in rigs:
        rig.close()


@pytest.fixture
def idle_rig(make_rig: Callable[[], Rig]) -> Rig:
    """A board with power; the session has not been started."""
    return make_rig()


@pytest.fixture
def rig(idle_rig: Rig) -> Rig:
    """A board that has been found."""
    idle_rig.session.start()
    idle_rig.run_for(0.05)
    return idle_rig

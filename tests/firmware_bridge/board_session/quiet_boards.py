"""What a test has a board say: nothing, or a STATE of the test's own making."""

from firmware_bridge.board_session.protocol import State
from firmware_bridge.board_session.rail_messages import RailState
from firmware_bridge.memory_line import WireFaults

SILENT = WireFaults(silent=True)


def make_state(number: int, boot: int, applied: int = 0, tray: int = 0) -> bytes:
    return State(number, boot, applied, body=RailState(tray=tray).to_bytes()).to_bytes()

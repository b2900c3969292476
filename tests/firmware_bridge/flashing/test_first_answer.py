"""The board's own firmware on a pseudo-terminal, asked by the session, and by the whole command."""

import asyncio
import os
import pty
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_bridge.board.rail import SensorRail, SlotRail
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.flashing.__main__ import INFO, ask_identity, ask_image, main
from firmware_bridge.flashing.images import NotFlashed, image_digest, image_name, make_image
from tests.firmware_bridge.flashing.test_boot_drive import make_drive
from tests.firmware_bridge.key_drawer import KeyDrawer


class BoardOnTerminal:
    """A board that runs until `close`; `port` is its far end."""

    def __init__(self, board: SlotRail | SensorRail | None) -> None:
        self._line, self._far = pty.openpty()
        tty.setraw(self._far)
        os.set_blocking(self._line, False)
        self.port = os.ttyname(self._far)
        self._board = board
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(0.005):
            if self._board is None:
                continue
            now_ms = time.monotonic_ns() // 1_000_000
            with suppress(BlockingIOError):
                self._board.receive(os.read(self._line, 4096), now_ms)
            os.write(self._line, self._board.advance(now_ms))

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        os.close(self._line)
        os.close(self._far)


@pytest.fixture
def slot_rail() -> Iterator[BoardOnTerminal]:
    board = BoardOnTerminal(SlotRail(7, "8352A32F"))
    yield board
    board.close()


def test_a_board_says_who_it_is(slot_rail: BoardOnTerminal) -> None:
    identity = asyncio.run(ask_identity(slot_rail.port, BoardKind.SLOT_RAIL))
    assert (identity.serial, identity.boot) == ("8352A32F", 7)


def test_another_kind_is_named(slot_rail: BoardOnTerminal) -> None:
    with pytest.raises(NotFlashed, match=r"of kind 1, kind 2 \(SENSOR_RAIL\) is expected"):
        asyncio.run(ask_identity(slot_rail.port, BoardKind.SENSOR_RAIL, seconds=1.5))


def test_a_silent_board_is_named() -> None:
    board = BoardOnTerminal(None)
    try:
        with pytest.raises(NotFlashed, match=f"{board.port}: nobody answers"):
            asyncio.run(ask_identity(board.port, BoardKind.SLOT_RAIL, seconds=1.5))
    finally:
        board.close()


def test_a_port_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFlashed, match="No such file"):
        asyncio.run(ask_identity(str(tmp_path / "tty"), BoardKind.SLOT_RAIL, seconds=1.5))


IMAGE = make_image(b"program", BoardKind.SLOT_RAIL)


def flash(board: SlotRail, folder: Path) -> int:
    """The whole command, with this board's answers; its exit status."""
    (folder / image_name(BoardKind.SLOT_RAIL)).write_bytes(IMAGE)
    drive = make_drive(folder / "pico")
    restart = threading.Timer(0.3, (drive / INFO).unlink)
    restart.start()
    running = BoardOnTerminal(board)
    words = ["--kind", "slot-rail", "--port", running.port, "--drive", str(drive), str(folder)]
    try:
        return main(words)
    finally:
        restart.join()
        running.close()


def make_board(digest: str | None, key: bytes | None = None) -> SlotRail:
    """A new board that says this of its flash, and may have a key."""
    board = SlotRail(7, "8352A32F")
    board.use_key(KeyDrawer(key))
    if digest is not None:
        board.tell_image(bytes.fromhex(digest))
    return board


def test_the_command_writes_asks_and_tells_the_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(make_board(image_digest(IMAGE)), tmp_path) == 0
    printed = capsys.readouterr().out
    assert "the flash holds it\n" in printed
    assert "slot-rail, serial 8352A32F, firmware 1.0.0, boot 7\n" in printed
    assert '[rail]\ndriver = "board"\nkind = "slot"\n' in printed


def test_a_flash_that_holds_something_else_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(make_board("ab" * 32), tmp_path) == 1
    assert f"the flash holds {'ab' * 32}: flash it again" in capsys.readouterr().err


def test_a_board_with_a_key_tells_its_table_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(make_board(image_digest(IMAGE), b"the board's key "), tmp_path) == 0
    assert "says what its flash holds to its table alone" in capsys.readouterr().out


def test_a_board_that_says_nothing_of_its_flash_is_named(slot_rail: BoardOnTerminal) -> None:
    with pytest.raises(NotFlashed, match="does not say what its flash holds"):
        asyncio.run(ask_image(slot_rail.port, BoardKind.SLOT_RAIL, seconds=0.5))


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (None, "is missing: make firmware"),
        (make_image(b"program", BoardKind.SENSOR_RAIL), "an image for another kind of board"),
        (b"<html>", "6 bytes are not whole blocks of 512"),
        (make_image(b"program", BoardKind.SLOT_RAIL), "has no INFO_UF2.TXT of an RP2040"),
    ],
)
def test_the_command_names_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], image: bytes | None, why: str
) -> None:
    if image is not None:
        (tmp_path / image_name(BoardKind.SLOT_RAIL)).write_bytes(image)
    words = ["--kind", "slot-rail", "--port", "/dev/null", "--drive", str(tmp_path), str(tmp_path)]
    assert main(words) == 1
    assert why in capsys.readouterr().err

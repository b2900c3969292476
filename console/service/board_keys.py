"""The keys of the table's boards, in a file that only the service may read.

docs/reference/wire-protocol.md has what they are for. Nothing else holds them: no record, no trace.
"""

import logging
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from console.configuration.named_files import FileUnusable, read_open_file
from console.configuration.whole_file import write_whole
from console.rules.acts import Act
from console.rules.board_marks import BoardEnrolled
from console.rules.round import Transition
from console.rules.round.draft import ActOutcome
from console.service.disk_thread import DiskWriter, InlineDiskWriter
from devices.boards import Boards
from devices.device import Device
from firmware_bridge.board_session.protocol import KEY_SIZE, PROVED_VERSION
from firmware_bridge.board_session.session_key import NOT_ENROLLED, BoardKey, SessionKey
from jackpot.named_files import open_regular
from jackpot.value_mistakes import describe_mistake

log = logging.getLogger(__name__)

MODE = 0o600
LONGEST_FILE = 16 * 1024


def read_board_keys(file: Path) -> dict[str, BoardKey]:
    """Each device's key; none where there is no file. Raises FileUnusable, OSError.

    The file is believed only if nobody but its owner, who is the reader, may read or write it.
    """
    try:
        with open_regular(file) as opened:
            status = os.fstat(opened.fileno())
            if stat.S_IMODE(status.st_mode) != MODE or status.st_uid != os.geteuid():
                raise FileUnusable(
                    f"it has mode {stat.S_IMODE(status.st_mode):04o} and belongs to user "
                    f"{status.st_uid}; only {os.geteuid()}, mode 0600, is right: who else has read "
                    "or written it? Remove it, and enrol the boards with their jumpers closed"
                )
            text = read_open_file(opened, LONGEST_FILE)
        keys = msgspec.json.decode(text, type=dict[str, BoardKey])
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError as error:
        raise FileUnusable(
            f"it does not hold the boards' keys: {describe_mistake(error)}"
        ) from error
    if any(len(one.key) != KEY_SIZE for one in keys.values()):
        raise FileUnusable(f"it does not hold the boards' keys: each has {KEY_SIZE} bytes")
    return keys


class BoardKeys:
    """What each device's session holds for its board.

    A key is in the file before it is sent. While the file is not believed, no board is.
    """

    def __init__(self, file: Path, protocols: Mapping[Device, int]) -> None:
        """`protocols`: the version that each device speaks without a key."""
        self._file = file
        self._trouble = ""
        self._disk_writer: DiskWriter = InlineDiskWriter()
        try:
            self._held = read_board_keys(file)
        except (FileUnusable, OSError) as error:
            log.error("%s: %s", file, error)
            self._held, self._trouble = {}, f"{file}: {error}"
        self.sessions = {
            device: SessionKey(
                PROVED_VERSION if self._trouble else protocol,
                self._held.get(device.value),
                self._trouble or NOT_ENROLLED,
                partial(self._keep_confirmed, device),
            )
            for device, protocol in protocols.items()
        }

    def watch(self, disk: DiskWriter) -> Callable[[Act, Transition], None]:
        """What gives a board its key when its enrolment is committed; `disk` writes the file."""
        self._disk_writer = disk
        return self._on_act

    def _on_act(self, act: Act, step: Transition) -> None:
        if isinstance(act, BoardEnrolled) and step.outcome is ActOutcome.DONE:
            self._enrol(act.device, act.boards)

    def _enrol(self, device: Device, boards: Boards) -> None:
        """Draw a key for the board that does not prove one yet, and keep it.

        Where version 1 is configured, forget the key of the board before it.
        """
        session = self.sessions.get(device)
        board = next((board for board in boards if board.unproven is True), None)
        if session is None or board is None:
            return
        if self._trouble:
            log.error("%s gets no key: %s", board.serial, self._trouble)
        elif not session.gives_keys:
            self._keep(device, None)
        elif (
            session.board is None or session.board.confirmed or session.board.serial != board.serial
        ):
            self._keep(device, BoardKey(board.serial, secrets.token_bytes(KEY_SIZE)))

    def _keep(self, device: Device, key: BoardKey | None) -> None:
        session = self.sessions[device]

        def fail(error: Exception) -> None:
            log.error("the key of the %s cannot be kept: %s: %s", device.value, self._file, error)
            session.why_none = f"its key cannot be kept: {error}"

        self._write(device, key, lambda: session.change(key), fail)

    def _keep_confirmed(self, device: Device, key: BoardKey) -> None:
        """Note that the board has proved its key: it is never sent again."""

        def fail(error: Exception) -> None:
            log.error("%s does not hold that the key is confirmed: %s", self._file, error)

        self._write(device, key, lambda: None, fail)

    def _write(
        self,
        device: Device,
        key: BoardKey | None,
        done: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        held = {name: one for name, one in self._held.items() if name != device.value}
        if key is not None:
            held[device.value] = key
        self._held = held
        content = msgspec.json.format(msgspec.json.encode(held))
        work = partial(write_whole, self._file, content, mode=MODE)
        self._disk_writer.do(work, lambda _: done(), failed)

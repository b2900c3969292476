"""Opens a Unix socket of the service; says who is at its other end."""

import os
import socket
import struct
from pathlib import Path

from msgspec import Struct

from jackpot.failures import Unavailable

LONGEST_PATH = 107
"""The most bytes in a Unix socket's path."""

WAITING_CONNECTIONS = 16
PROBE_S = 1.0
MODE = 0o660


_UCRED = struct.Struct("3i")


class Peer(Struct, frozen=True):
    """The process at the other end, as the kernel knows it (SO_PEERCRED, unix(7))."""

    pid: int
    uid: int


def peer_of(connected: socket.socket) -> Peer:
    """Who has connected. Raises OSError."""
    found = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    pid, uid, _ = _UCRED.unpack(found)
    return Peer(pid, uid)


def open_socket(path: Path, what: str = "the local line") -> socket.socket:
    """Open a listening socket for its owner and group. Raises Unavailable.

    A socket that a killed process has left is replaced. Its group is its folder's, where the
    folder's mode says so (setgid).
    """
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        _check_length(path)
        _remove_stale(path, what)
        listening.setblocking(False)
        listening.bind(str(path))
        path.chmod(MODE)
        listening.listen(WAITING_CONNECTIONS)
    except Unavailable:
        listening.close()
        raise
    except OSError as error:
        listening.close()
        raise Unavailable(f"{path}: {what} cannot be opened: {error}") from error
    return listening


def _check_length(path: Path) -> None:
    """Raise Unavailable if no socket can be there."""
    length = len(os.fsencode(path))
    if length > LONGEST_PATH:
        raise Unavailable(
            f"{path}: the local line's socket cannot be there: {length} bytes, and a socket's path "
            f"has at most {LONGEST_PATH}; keep the table in a folder with a shorter name"
        )


def _remove_stale(path: Path, what: str) -> None:
    """Remove a socket that nobody serves any more. Raises Unavailable, OSError."""
    if not path.is_symlink() and not path.exists():
        return
    if not path.is_socket():
        raise Unavailable(f"{path}: {what} cannot be opened: the path is not a socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE_S)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise Unavailable(f"{path}: {what} cannot be opened: another process serves it")

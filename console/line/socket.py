"""Opens a Unix socket of the service; says who is at its other end."""

import socket
import struct
from pathlib import Path

from msgspec import Struct

from console.configuration.places import LineUnusable, check_socket_path

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
    """Open a listening socket for its owner and group. Raises LineUnusable.

    A socket that a killed process has left is replaced. Its group is its folder's, where the
    folder's mode says so (setgid).
    """
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        _remove_stale(check_socket_path(path), what)
        listening.setblocking(False)
        listening.bind(str(path))
        path.chmod(MODE)
        listening.listen(WAITING_CONNECTIONS)
    except LineUnusable:
        listening.close()
        raise
    except OSError as error:
        listening.close()
        raise LineUnusable(f"{path}: {what} cannot be opened: {error}") from error
    return listening


def _remove_stale(path: Path, what: str) -> None:
    """Remove a socket that nobody serves any more. Raises LineUnusable, OSError."""
    if not path.is_symlink() and not path.exists():
        return
    if not path.is_socket():
        raise LineUnusable(f"{path}: {what} cannot be opened: the path is not a socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE_S)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise LineUnusable(f"{path}: {what} cannot be opened: another process serves it")

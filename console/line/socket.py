"""Opens the Unix socket of the local line."""

import socket
from pathlib import Path

from console.configuration.places import LineUnusable, check_socket_path

WAITING_CONNECTIONS = 16
PROBE_S = 1.0
MODE = 0o660


def open_socket(path: Path) -> socket.socket:
    """Open a listening socket for its owner and group. Raises LineUnusable.

    A socket that a killed process has left is replaced.
    """
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        _remove_stale(check_socket_path(path))
        listening.setblocking(False)
        listening.bind(str(path))
        path.chmod(MODE)
        listening.listen(WAITING_CONNECTIONS)
    except LineUnusable:
        listening.close()
        raise
    except OSError as error:
        listening.close()
        raise LineUnusable(f"{path}: the local line cannot be opened: {error}") from error
    return listening


def _remove_stale(path: Path) -> None:
    """Remove a socket that nobody serves any more. Raises LineUnusable, OSError."""
    if not path.is_symlink() and not path.exists():
        return
    if not path.is_socket():
        raise LineUnusable(f"{path}: the local line cannot be opened: the path is not a socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE_S)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise LineUnusable(f"{path}: the local line cannot be opened: another process serves it")

"""A port for a server that a test starts."""

import socket


def free_port() -> int:
    """One that nobody listens on now; the system hands others out before this one again."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port

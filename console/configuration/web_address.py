"""Where the pages are served: an address, its port, and the names they may be asked by."""

import ipaddress
import re

import msgspec


class Listening(msgspec.Struct, frozen=True):
    """Where the pages are served. `names`: the host names they may be asked by, besides addresses.

    `last_port`: where `port` is taken, the next ones are tried up to this one; None: no other is.
    `certificate` and `key`: PEM files, of TLS; without them the pages are served in the clear.
    """

    address: str
    port: int
    names: tuple[str, ...] = ()
    last_port: int | None = None
    certificate: str | None = None
    key: str | None = None


HOST, PORT, LAST_PORT = "127.0.0.1", 8080, 8099
"""Where a simulation serves them: on the first of these ports that is free."""

DEFAULT = Listening(HOST, PORT, last_port=LAST_PORT)

PORTS = range(1024, 65536)

LONGEST_NAME = 253
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")

RIGHT = "write an address and a port, 127.0.0.1:8080, or a port alone, from 1024 to 65535"


class PagesUnavailable(RuntimeError):
    """Pages are asked for, and the library for them is not installed."""


class AddressUnusable(ValueError):
    """Nothing can be served there; the text says what would be right."""


def listening_at(listen: str) -> Listening:
    """`127.0.0.1:8080`, `[::1]:8080`, or a port alone, of the loopback. Raises AddressUnusable."""
    host, _, number = listen.rpartition(":")
    port = int(number) if re.fullmatch(r"[0-9]{1,5}", number) else 0
    try:
        address = _address(host) if host else HOST
    except ValueError as error:
        raise AddressUnusable(f"{listen!r}; {RIGHT}") from error
    if port not in PORTS or listen.startswith(":"):
        raise AddressUnusable(f"{listen!r}; {RIGHT}")
    return Listening(address, port)


def _address(host: str) -> str:
    if host.startswith("[") and host.endswith("]"):
        return str(ipaddress.IPv6Address(host[1:-1]))
    return str(ipaddress.IPv4Address(host))


def is_host_name(name: str) -> bool:
    """Whether a browser can ask for a host of this name: `table3.casino.example`."""
    return len(name) <= LONGEST_NAME and HOST_NAME.fullmatch(name) is not None

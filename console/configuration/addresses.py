"""Addresses in a configuration: where the pages are served, and where the centre is."""

import ipaddress
import re

import msgspec

from jackpot.foreign_text import quote

POSTGRESQL = 5432
"""PostgreSQL's own port, where none is written."""

HIGHEST_PORT = 65535

RIGHT_HOST = "write a host, db1.casino.example, or with its port, db1.casino.example:5432"


HOST, PORT, LAST_PORT = "127.0.0.1", 8080, 8099
"""A simulation uses the first free port from PORT to LAST_PORT."""

PORTS = range(1024, 65536)

LONGEST_NAME = 253
HOST_NAME = r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*"

RIGHT = "write an address and a port, 127.0.0.1:8080, or a port alone, from 1024 to 65535"


class Listening(msgspec.Struct, frozen=True):
    """Where the pages are served."""

    address: str
    port: int
    names: tuple[str, ...] = ()
    """The host names that browsers may ask for, besides addresses."""
    last_port: int | None = None
    """Where `port` is taken, the next ones are tried up to this one; None: no other."""
    certificate: str | None = None
    """A PEM file for TLS; without it the pages are served in the clear."""
    key: str | None = None
    """The certificate's key, a PEM file."""
    log_addresses: bool = False
    """Whether the log says from which address somebody has entered."""


DEFAULT = Listening(HOST, PORT, last_port=LAST_PORT)


def parse_listen(listen: str) -> Listening:
    """`127.0.0.1:8080`, `[::1]:8080`, or a port alone, of the loopback. Raises ValueError."""
    host, _, number = listen.rpartition(":")
    port = int(number) if re.fullmatch(r"[0-9]{1,5}", number) else 0
    try:
        address = _address(host) if host else HOST
    except ValueError as error:
        raise ValueError(f"{quote(listen)}; {RIGHT}") from error
    if port not in PORTS or listen.startswith(":"):
        raise ValueError(f"{quote(listen)}; {RIGHT}")
    return Listening(address, port)


def _address(host: str) -> str:
    if host.startswith("[") and host.endswith("]"):
        return str(ipaddress.IPv6Address(host[1:-1]))
    return str(ipaddress.IPv4Address(host))


def is_host_name(name: str) -> bool:
    """Whether a browser can ask for a host of this name: `table3.casino.example`."""
    return len(name) <= LONGEST_NAME and re.fullmatch(HOST_NAME, name) is not None


def parse_host(text: str) -> tuple[str, int]:
    """`db1.casino.example`, `10.0.0.5:5433`, `[fd00::5]:5432`. Raises ValueError."""
    found = re.fullmatch(r"(\[[^]]*\]|[^:]*)(?::([0-9]{1,5}))?", text)
    if found is None:
        raise ValueError(f"{quote(text)}; {RIGHT_HOST}")
    host, port = found[1], int(found[2] or POSTGRESQL)
    if not 0 < port <= HIGHEST_PORT or not _is_host(host):
        raise ValueError(f"{quote(text)}; {RIGHT_HOST}")
    return host.strip("[]"), port


def _is_host(host: str) -> bool:
    if host.startswith("["):
        try:
            ipaddress.IPv6Address(host.strip("[]"))
        except ValueError:
            return False
        return True
    return is_host_name(host)

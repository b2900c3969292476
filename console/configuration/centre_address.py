"""Where the centre of a linked jackpot is: a host and a port."""

import ipaddress
import re

from console.configuration.web_address import is_host_name
from jackpot.foreign_text import quote

POSTGRESQL = 5432
"""PostgreSQL's own port, where none is written."""

LAST_PORT = 65535

RIGHT = "write a host, db1.casino.example, or with its port, db1.casino.example:5432"


class HostUnusable(ValueError):
    """The text names no host; it says what would be right."""


def parse_host(text: str) -> tuple[str, int]:
    """`db1.casino.example`, `10.0.0.5:5433`, `[fd00::5]:5432`. Raises HostUnusable."""
    found = re.fullmatch(r"(\[[^]]*\]|[^:]*)(?::([0-9]{1,5}))?", text)
    if found is None:
        raise HostUnusable(f"{quote(text)}; {RIGHT}")
    host, port = found[1], int(found[2] or POSTGRESQL)
    if not 0 < port <= LAST_PORT or not _is_host(host):
        raise HostUnusable(f"{quote(text)}; {RIGHT}")
    return host.strip("[]"), port


def _is_host(host: str) -> bool:
    if host.startswith("["):
        try:
            ipaddress.IPv6Address(host.strip("[]"))
        except ValueError:
            return False
        return True
    return is_host_name(host)

"""The logo on a sign: an SVG or PNG file of bounded size, which can do nothing but be drawn."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from jackpot.foreign_text import quote
from jackpot.named_files import open_regular

MOST_BYTES = 64 * 1024
MOST_PIXELS = 2000
"""Of a PNG, across and down."""

PNG_BEGINS = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}

_ACTIVE = re.compile(rb"<script|<foreignobject|\bon[a-z]+\s*=|<!entity|javascript:", re.IGNORECASE)
_FOREIGN = re.compile(
    rb"(?:href\s*=\s*[\"']\s*|url\(\s*[\"']?)(?!#|data:image/)[^\"')\s]", re.IGNORECASE
)


class Logo(Struct, frozen=True):
    """The file, and its type for a browser."""

    type: str
    content: bytes


def read_logo(path: str) -> Logo:
    """Read and check the file. Raises ValueError, which says what would be right, and OSError."""
    kind = TYPES.get(Path(path).suffix.lower())
    if kind is None or not Path(path).is_absolute():
        raise ValueError("a logo is an SVG or PNG file, such as /etc/banco/logo.svg")
    with open_regular(Path(path)) as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"is longer than {MOST_BYTES // 1024} KB")
    if kind == TYPES[".png"]:
        _check_png(content)
    else:
        _check_svg(content)
    return Logo(kind, content)


def find_logo_mistakes(path: str) -> Iterator[str]:
    """The mistake of a logo's file, its key first."""
    if path:
        try:
            read_logo(path)
        except ValueError as error:
            yield f"sign.logo: {quote(path)}: {error}"
        except OSError as error:
            yield f"sign.logo: {quote(path)}: cannot be read: {error.strerror or error}"


def _check_png(content: bytes) -> None:
    if not content.startswith(PNG_BEGINS):
        raise ValueError("is no PNG file")
    at = len(PNG_BEGINS)
    across, down = (int.from_bytes(content[at + four : at + four + 4], "big") for four in (0, 4))
    if not (0 < across <= MOST_PIXELS and 0 < down <= MOST_PIXELS):
        raise ValueError(f"has {across} x {down} pixels; at most {MOST_PIXELS} each way")


def _check_svg(content: bytes) -> None:
    if b"<svg" not in content[:4096].lower():
        raise ValueError("is no SVG file")
    if _ACTIVE.search(content) is not None:
        raise ValueError("has scripts; save it as a plain drawing")
    if _FOREIGN.search(content) is not None:
        raise ValueError("names another file; a logo has all in itself")

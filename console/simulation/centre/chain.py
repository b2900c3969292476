"""The chains of hashes: each holds all that came before it (docs/link-rules.md, 2.5)."""

from hashlib import sha256

import msgspec

GENESIS = "0" * 64
"""Where a chain begins."""


def extend_chain(last: str, *content: object) -> str:
    """The hash that follows `last`, as 64 hexadecimal digits, over everything in `content`."""
    return sha256(last.encode() + msgspec.json.encode(content, order="sorted")).hexdigest()

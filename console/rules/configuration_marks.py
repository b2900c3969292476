"""Which configuration two people have acknowledged (docs/reference/rules.md, section 15)."""

from msgspec import Struct


class ConfigurationMarks(Struct, frozen=True):
    """The SHA-256 of the configuration of the last start, and of the one acknowledged last."""

    now: str
    acknowledged: str = ""

"""A test of the cabinet, as the technician puts it on record."""

from msgspec import Struct


class PartTested(Struct, frozen=True):
    """One part's result in a test of the cabinet; `passed` is None if it was not tested."""

    part: str
    passed: bool | None
    found: str


class SelfTested(Struct, frozen=True):
    """The technician has tested the cabinet, part by part."""

    who: str
    parts: tuple[PartTested, ...]

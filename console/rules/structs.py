"""`replace` of msgspec, which is written in C; mypy checks the fields that are given.

The rules' values are frozen msgspec Structs: defining one takes a fiftieth of a dataclass's time,
and every start defines two hundred.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # mypy knows this one by its name, and msgspec's takes any keyword
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ("replace",)

"""`replace` of msgspec, which is written in C; mypy checks the fields that are given.

The rules' values are frozen msgspec Structs: a class takes a fiftieth of the time to make that a
dataclass takes, and there are two hundred of them at each start.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # mypy knows this one by its name, and msgspec's takes any keyword
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ("replace",)

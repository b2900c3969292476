"""A present fault as the local line shows it."""

import msgspec

from console.rules.codes import Fault


class PresentFault(msgspec.Struct, frozen=True):
    """A present fault."""

    fault: Fault
    since: str = ""
    """A wall-clock label, "" if unknown."""

    detail: str = ""

"""A configuration as keys with text values, for showing to people."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from console.configuration.overrides import money_text
from console.configuration.sections import Configuration
from console.configuration.table_plan import TablePlan


def keys_of(configuration: Configuration) -> dict[str, str]:
    """Every key in dotted form and its value; "" for one that is not set.

    List items are separated by blanks. Sections the table does not have are left out.
    """
    return dict(_flat("", msgspec.to_builtins(configuration)))


def fingerprint(configuration: Configuration) -> str:
    """The SHA-256 of every key and its value, as lines `key = value`, sorted; in hexadecimal."""
    lines = (f"{key} = {value}\n" for key, value in sorted(keys_of(configuration).items()))
    return sha256("".join(lines).encode()).hexdigest()


def keys_of_plan(plan: TablePlan) -> dict[str, str]:
    """The same for a table without a configuration file."""
    return {
        "table": plan.table,
        "game": plan.game,
        "language": plan.language.value,
        **{f"money.{key}": text for key, text in money_text(plan.money).items()},
        "panel.inspector": _text(plan.inspector_fitted),
        "rail.kind": plan.rail.value if plan.rail else "",
    }


def _flat(prefix: str, section: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in section.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", _text(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)

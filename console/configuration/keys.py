"""A configuration as keys with text values, for showing to people."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from console.configuration.overrides import money_text
from console.configuration.prizes_section import PRIZES, PrizesSection
from console.configuration.sections import Configuration
from console.configuration.table_plan import TablePlan
from jackpot.money.amounts import format_cents
from jackpot.money.prize_file import write_prize

SINCE_0_1_0 = (PRIZES, "sign", "house", "doors", "people", "retention_years")
"""Sections and keys that 0.1.0 did not have: a table without them keeps its fingerprint."""


def keys_of(configuration: Configuration) -> dict[str, str]:
    """Every key in dotted form and its value; "" for one that is not set.

    List items are separated by blanks. Sections the table does not have are left out.
    """
    sections = msgspec.to_builtins(configuration)
    for name in SINCE_0_1_0:
        if sections[name] is None:
            del sections[name]
    if configuration.prizes is not None:
        sections[PRIZES] = _prizes(configuration.prizes)
    return dict(_flat("", sections))


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


def _prizes(section: PrizesSection) -> dict[str, str]:
    """A prize file's keys; the prizes numbered from the left, in the words of the file."""
    table = section.table
    return {
        "file": section.file,
        "currency": table.currency,
        "limit": format_cents(table.limit) if table.limit is not None else "",
        "overflow": table.overflow.value,
        **{str(number): write_prize(prize) for number, prize in enumerate(table.prizes, 1)},
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

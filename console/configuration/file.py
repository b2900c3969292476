"""Reading a configuration file (TOML): as a whole, or with an error for each mistake.

Every error names the file and the key, or the line, and what would be right.
"""

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from console.configuration.checks import mistakes_in
from console.configuration.named_files import FileUnusable, parse_toml, read_file
from console.configuration.sections import (
    Configuration,
    DisplayDriver,
    DisplaySection,
    Kind,
    LedgerSection,
    MetricsSection,
    MoneySection,
    PanelDriver,
    PanelSection,
    Pins,
    RailDriver,
    RailSection,
    Section,
    ShoeDriver,
    ShoeSection,
    ShufflerDriver,
    ShufflerSection,
    WebSection,
)
from console.rules.games import RailKind
from console.texts.language import Language
from devices.panel_wiring import PanelWiring

LONGEST_FILE = 256 * 1024
"""Bytes; the largest of our examples has some thousand."""


class ConfigurationErrors(ValueError):
    """A file that cannot be used; the text has a line for each mistake."""

    def __init__(self, file: str, mistakes: list[str]) -> None:
        super().__init__("\n".join(f"{file}: {mistake}" for mistake in mistakes))


def load_configuration(file: Path) -> Configuration:
    """Read and check a file alone. Raises ConfigurationErrors."""
    return checked(str(file), content_of(file))


def content_of(file: Path) -> dict[str, Any]:
    """What the file says, not checked yet. Raises ConfigurationErrors."""
    try:
        return parse_toml(read_file(file, LONGEST_FILE))
    except FileUnusable as error:
        raise ConfigurationErrors(str(file), [str(error)]) from error


def checked(file: str, content: Mapping[str, Any]) -> Configuration:
    """The configuration that a file's content makes. Raises ConfigurationErrors."""
    try:
        configuration = msgspec.convert(content, Configuration)
    except msgspec.ValidationError as error:
        raise ConfigurationErrors(file, [_explained(str(error))]) from error
    mistakes = [*_unknown_lines(content), *mistakes_in(configuration)]
    if mistakes:
        raise ConfigurationErrors(file, mistakes)
    return configuration


CHOICES: Mapping[str, type[Enum]] = {
    "kind": Kind,
    "language": Language,
    "panel.driver": PanelDriver,
    "panel.pins": Pins,
    "rail.driver": RailDriver,
    "rail.kind": RailKind,
    "shuffler.driver": ShufflerDriver,
    "shoe.driver": ShoeDriver,
    "display.driver": DisplayDriver,
}
SECTIONS: Mapping[str, type[Section]] = {
    "": Configuration,
    "money": MoneySection,
    "ledger": LedgerSection,
    "panel": PanelSection,
    "rail": RailSection,
    "shuffler": ShufflerSection,
    "shoe": ShoeSection,
    "display": DisplaySection,
    "metrics": MetricsSection,
    "web": WebSection,
}


def _explained(error: str) -> str:
    """msgspec's message with the key first, and with what would be right."""
    what, _, where = error.partition(" - at `$")
    key = where.strip("`").removeprefix(".")
    if key in CHOICES:
        right = ", ".join(str(choice.value) for choice in CHOICES[key])
        return f"{key}: {what}; it is one of {right}"
    if "unknown field" in what and key in SECTIONS:
        right = ", ".join(SECTIONS[key].__struct_fields__)
        return f"{key or 'the file'}: {what}; its keys are {right}"
    return f"{key or 'the file'}: {what}"


def _unknown_lines(content: Mapping[str, Any]) -> list[str]:
    """The wiring is a dataclass, whose unknown keys msgspec passes over."""
    known = [field.name for field in fields(PanelWiring)]
    unknown = set(content["panel"].get("lines", {})) - set(known)
    right = ", ".join(known)
    return [f"panel.lines.{key}: unknown key; there are {right}" for key in sorted(unknown)]

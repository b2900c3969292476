"""Reads a configuration file (TOML), or reports every mistake in it.

Every error names the file and the key, or the line, and what would be right.
"""

import os
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from console.configuration.named_files import FileUnusable, parse_toml, read_file
from console.configuration.prizes_section import PRIZES, with_prizes
from console.configuration.section import ConfigurationSection, find_type
from console.configuration.sections import Configuration
from console.texts.language import Language, find_locale_language
from devices.panel_wiring import PanelWiring
from jackpot.value_mistakes import NO_KEY, locate_mistake

LONGEST_FILE = 256 * 1024
"""Bytes; the largest of our examples has some thousand."""


def load_configuration(file: Path) -> Configuration:
    """Read and check a file alone. Raises FileUnusable."""
    return check_content(str(file), content_of(file))


def content_of(file: Path) -> dict[str, Any]:
    """The file's content, not yet checked, with a tournament's structure in its place.

    Raises FileUnusable.
    """
    try:
        content = parse_toml(read_file(file, LONGEST_FILE))
    except FileUnusable as error:
        raise error.in_file(file, find_locale_language(os.environ)) from error
    content = _read_prizes(file, content)
    return _read_structures(file, content) if {"poker", "clocks"} & {*content} else content


def _read_prizes(file: Path, content: dict[str, Any]) -> dict[str, Any]:
    try:
        return with_prizes(file, content)
    except FileUnusable as error:
        raise error.in_file(file, _find_language(content)) from error


def _read_structures(file: Path, content: dict[str, Any]) -> dict[str, Any]:
    from console.configuration.poker_section import with_clock_structures, with_structure

    try:
        return with_clock_structures(file, with_structure(file, content))
    except FileUnusable as error:
        raise error.in_file(file) from error


def check_content(file: str, content: Mapping[str, Any]) -> Configuration:
    """The configuration with this content. Raises FileUnusable."""
    from console.configuration.checks import find_mistakes  # a simulation without a file has none

    try:
        configuration = msgspec.convert(content, Configuration)
    except msgspec.ValidationError as error:
        raise FileUnusable(_explain_error(error), file=file) from error
    mistakes = [*_unknown_lines(content), *find_mistakes(configuration)]
    if mistakes:
        raise FileUnusable(*mistakes, file=file, language=_find_language(content))
    return configuration


def _find_language(content: Mapping[str, Any]) -> Language:
    """What a file that may be wrong calls the table's language; else the locale's."""
    try:
        return Language(content["language"])
    except (KeyError, ValueError):
        return find_locale_language(os.environ)


def _explain_error(error: msgspec.ValidationError) -> str:
    """msgspec's message with the key first, and with what would be right."""
    key, what = locate_mistake(error)
    of = find_type(Configuration, key)
    if of is not None and issubclass(of, Enum):
        right = ", ".join(str(choice.value) for choice in of)
        return f"{key}: {what}; it is one of {right}"
    if what.startswith(NO_KEY) and of is not None and issubclass(of, ConfigurationSection):
        right = ", ".join(key for key in of.__struct_fields__ if key != PRIZES)
        return f"{key or 'the file'}: {what}; its keys are {right}"
    return f"{key or 'the file'}: {what}"


def _unknown_lines(content: Mapping[str, Any]) -> list[str]:
    """The wiring is a dataclass: msgspec ignores its unknown keys."""
    known = list(PanelWiring.__struct_fields__)
    unknown = set(content["panel"].get("lines", {})) - set(known)
    right = ", ".join(known)
    return [f"panel.lines.{key}: unknown key; there are {right}" for key in sorted(unknown)]

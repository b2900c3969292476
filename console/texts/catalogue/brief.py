"""Every code in brief (brief.toml): the part of the catalogue that a running service needs."""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import msgspec

from console.rules.codes import Fault, Refusal
from console.texts.language import Words
from jackpot.value_mistakes import describe_mistake

Read = TypeVar("Read")

LONGEST_SHORT = 20
"""The characters of a display line."""


class CodeBrief(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code in brief; `means` is one line."""

    means: Words


class DisplayedCode(CodeBrief, frozen=True, forbid_unknown_fields=True):
    """A code for the display: `short` has at most 20 ASCII characters."""

    short: Words


class Brief(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file brief.toml."""

    faults: Mapping[Fault, DisplayedCode]
    refusals: Mapping[Refusal, DisplayedCode]
    findings: Mapping[str, CodeBrief]


@cache
def brief() -> Brief:
    """The installed program's file. Raises ValueError."""
    return read_brief(own_file("brief.toml"), "brief.toml")


def read_brief(text: str, name: str) -> Brief:
    """Read and check the file's text. Raises ValueError."""
    read = read_toml(text, name, Brief)
    check_complete(read.faults, Fault, name)
    check_complete(read.refusals, Refusal, name)
    codes: Mapping[str, CodeBrief] = {
        **{fault.value: shown for fault, shown in read.faults.items()},
        **{refusal.value: shown for refusal, shown in read.refusals.items()},
        **read.findings,
    }
    for code, noticed in codes.items():
        _check(code, noticed, name)
    return read


def own_file(name: str) -> str:
    """The text of one of the catalogue's files."""
    return (resources.files("console.texts") / "catalogue" / name).read_text(encoding="utf-8")


def read_toml(text: str, name: str, kind: type[Read]) -> Read:
    """The content of a file as `kind`. Raises ValueError."""
    try:
        content: Any = tomllib.loads(text)
        return msgspec.convert(content, kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{name}: {describe_mistake(error)}") from error


def check_complete(described: Collection[object], codes: Iterable[Enum], name: str) -> None:
    """Raise ValueError unless exactly these codes are described.

    `described`: the codes, or their values.
    """
    values = {code.value if isinstance(code, Enum) else code for code in described}
    known = [code.value for code in codes]
    missing = [value for value in known if value not in values]
    if missing:
        raise ValueError(f"{name}: there is no text for {', '.join(missing)}")
    unknown = sorted(str(value) for value in values if value not in known)
    if unknown:
        raise ValueError(f"{name}: no such code: {', '.join(unknown)}")


def _check(code: str, noticed: CodeBrief, name: str) -> None:
    texts = {"means.en": noticed.means.en, "means.it": noticed.means.it}
    if isinstance(noticed, DisplayedCode):
        texts |= {"short.en": noticed.short.en, "short.it": noticed.short.it}
    for key, text in texts.items():
        if not text or not text.isprintable():
            raise ValueError(f"{name}: {code}.{key}: {text!r} is not one line of text")
        if key.startswith("short") and not (text.isascii() and len(text) <= LONGEST_SHORT):
            raise ValueError(
                f"{name}: {code}.{key}: {text!r} is not {LONGEST_SHORT} ASCII characters at most"
            )

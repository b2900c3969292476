"""Settings written on the technician's line, laid over the configuration at the next start.

They are kept in `settings.toml` in the ledger's folder (docs/reference/configuration.md); `/etc` is
root's.
"""

import os
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from console.configuration.file import check_content, content_of
from console.configuration.limits import check_limits
from console.configuration.named_files import (
    FileUnusable,
    describe_unreadable,
    parse_toml,
    read_open_file,
    why_untrusted,
)
from console.configuration.sections import Configuration, MoneySection
from console.configuration.whole_file import write_whole
from console.rules.games import RailKind
from console.rules.settings import Settings, Written
from console.texts.language import Language
from jackpot.foreign_text import quote
from jackpot.money.amounts import format_cents, format_percent
from jackpot.money.settings import MoneySettings
from jackpot.named_files import open_regular

OVERRIDES_FILE = "settings.toml"
LONGEST_FILE = 16 * 1024

MODE = 0o640

LONGEST_VALUE = 200
"""The most characters of one value: the next start must be able to read the file."""

OF_CENTRE = (
    "LINKED: of a linked jackpot two operators change it at the centre (banco link settings), and "
    "root writes the same into the table's own file; take it out here"
)
"""Why money of a linked jackpot is not written on the line."""

HEADER = "# Written on the technician's line, in force from the next start of the service.\n"


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One key's value as text, with who wrote it and when (a label for people)."""

    value: str
    who: str = ""
    second: str = ""
    """Of money: the second person."""
    when: str = ""


Overrides = Mapping[str, Override]


def overrides_file(configuration: Configuration) -> Path:
    """Where the table's settings are written."""
    return Path(configuration.ledger.folder) / OVERRIDES_FILE


def load_overlaid(file: Path, written: Path, overrides: Overrides) -> Configuration:
    """The configuration in a file with these laid over it. Raises FileUnusable.

    Each mistake names the file that has it.
    """
    return lay_over(str(file), content_of(file), written, overrides)


def lay_over(
    file: str, content: Mapping[str, Any], written: Path, overrides: Overrides
) -> Configuration:
    """The same for content that was already read. Raises FileUnusable."""
    configuration = check_content(file, content)
    check_limits(file, configuration)
    if not overrides:
        return configuration
    mistakes = [*_find_mistakes(configuration, overrides)]
    if mistakes:
        raise FileUnusable(*mistakes, file=str(written))
    laid_over = check_content(str(written), _merge(content, overrides))
    check_limits(str(written), laid_over)
    return laid_over


def read_overrides(file: Path) -> dict[str, Override]:
    """The settings in the file; none where there is no file. Raises FileUnusable.

    The file is believed only if nobody but root and the owner of its folder could write it.
    """
    try:
        with open_regular(file) as opened:
            status = os.fstat(opened.fileno())
            text = read_open_file(opened, LONGEST_FILE)
        reason = why_untrusted(status.st_mode, status.st_uid, file.parent.stat().st_uid)
        if reason is not None:
            raise FileUnusable(reason)
        return {key: _override(key, entry) for key, entry in parse_toml(text).items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise describe_unreadable(error).in_file(file) from error
    except FileUnusable as error:
        raise error.in_file(file) from error


def _override(key: str, entry: object) -> Override:
    try:
        return msgspec.convert(entry, Override)
    except msgspec.ValidationError as error:
        right = 'a setting is [KEY] with value = "..." and perhaps who, second and when, all texts'
        raise FileUnusable(f"{quote(key)}: {right}") from error


def list_written(overrides: Overrides) -> Written:
    """Keys and values, as they go on record."""
    return tuple(sorted((key, one.value) for key, one in overrides.items()))


def as_on_record(overrides: Overrides, on_record: Written) -> dict[str, Override]:
    """What the record says; with the file's names and times where it says the same."""
    return {
        key: overrides[key]
        if key in overrides and overrides[key].value == value
        else Override(value)
        for key, value in on_record
    }


def render_overrides(overrides: Overrides) -> str:
    """The file's text."""
    return HEADER + "".join(
        f"\n[{_quote(key)}]\n"
        f"value = {_quote(one.value)}\nwho = {_quote(one.who)}\n"
        + (f"second = {_quote(one.second)}\n" if one.second else "")
        + f"when = {_quote(one.when)}\n"
        for key, one in sorted(overrides.items())
    )


def write_overrides(configuration: Configuration, overrides: Overrides) -> None:
    """Replace the table's file of settings as a whole. Raises OSError."""
    write_whole(overrides_file(configuration), render_overrides(overrides).encode(), mode=MODE)


def as_in_play(
    configuration: Configuration, overrides: Overrides, in_play: Settings
) -> Configuration:
    """The configuration with the amounts of the round in play, where the settings change them."""
    money = money_text(in_play.money)
    held = {key: value for key, value in money.items() if f"money.{key}" in overrides}
    return msgspec.structs.replace(
        configuration, money=msgspec.structs.replace(configuration.money, **held)
    )


def money_text(money: MoneySettings) -> dict[str, str]:
    """[money] as the file writes it."""
    return {
        "token": format_cents(money.token),
        "to_jackpot": format_percent(money.to_jackpot),
        "to_reserve": format_percent(money.to_reserve),
        "opening": format_cents(money.opening),
        "base": format_cents(money.base),
    }


def _language(text: str) -> object:
    if text not in {language.value for language in Language}:
        raise ValueError(f"{quote(text)}; it is one of {', '.join(one.value for one in Language)}")
    return text


def _as_it_is(text: str) -> object:
    return text


def _milliseconds(text: str) -> object:
    if re.fullmatch(r"[0-9]{1,4}", text) is None:
        raise ValueError(f"{quote(text)}; write milliseconds, such as 5")
    return int(text)


def _serials(text: str) -> object:
    numbers = text.replace(",", " ").split()
    if not all(re.fullmatch(r"[0-9]{1,10}", number) for number in numbers):
        raise ValueError(f"{quote(text)}; write seven serial numbers, seat 1 first")
    return [int(number) for number in numbers]


CHANGEABLE: Mapping[str, Callable[[str], object]] = {
    "language": _language,
    **{f"money.{key}": _as_it_is for key in MoneySection.__struct_fields__ if key != "opening"},
    "panel.settle_ms": _milliseconds,
    "rail.serials": _serials,
}
"""The settings that may be changed on the line, with their parsers; root changes the others."""


def is_changeable(key: str, configuration: Configuration) -> bool:
    """Whether this table has the setting, and it may be written on the line."""
    if key == "rail.serials":
        return configuration.rail is not None and configuration.rail.kind is RailKind.CCTALK
    return key in CHANGEABLE and not is_of_centre(key, configuration)


def needs_two_people(key: str) -> bool:
    """Whether the setting is money: a technician proposes it, and a cashier confirms it."""
    return key.startswith("money.")


def is_of_centre(key: str, configuration: Configuration) -> bool:
    """Whether it is money of a linked jackpot: changed at the centre.

    docs/reference/link-rules.md, 3.9.
    """
    return configuration.link is not None and key.startswith("money.")


def _find_mistakes(configuration: Configuration, overrides: Overrides) -> list[str]:
    mistakes: list[str] = []
    for key, one in overrides.items():
        if is_of_centre(key, configuration):
            mistakes.append(f"{key}: {OF_CENTRE}")
            continue
        if not is_changeable(key, configuration):
            right = ", ".join(name for name in CHANGEABLE if is_changeable(name, configuration))
            mistakes.append(f"{key}: is not changed here; there are {right}")
            continue
        if len(one.value) > LONGEST_VALUE:
            mistakes.append(f"{key}: a value has at most {LONGEST_VALUE} characters")
            continue
        try:
            CHANGEABLE[key](one.value)
        except ValueError as error:
            mistakes.append(f"{key}: {error}")
    return mistakes


def _merge(content: Mapping[str, Any], overrides: Overrides) -> dict[str, Any]:
    merged: dict[str, Any] = deepcopy(dict(content))
    for key, one in overrides.items():
        section, _, name = key.rpartition(".")
        place = merged.setdefault(section, {}) if section else merged
        place[name] = CHANGEABLE[key](one.value)
    return merged


def _quote(text: str) -> str:
    """A basic string of TOML. JSON's strings are valid ones: TOML has all their escapes."""
    return msgspec.json.encode(text).decode()

"""Ceilings for money, in a file that only root writes: `/etc/banco/limits.toml`.

They hold for what two people write on the line and for the configuration itself. Without the file,
or for a key that it leaves out, the defaults hold: taking the file away raises nothing.
"""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from console.configuration.named_files import (
    FileUnusable,
    describe_unreadable,
    parse_toml,
    read_open_file,
    why_not_roots,
    why_untrusted,
)
from console.configuration.sections import Configuration, MoneySection, TableKind
from jackpot.money.amounts import Cents, parse_cents, parse_percent
from jackpot.named_files import open_regular
from jackpot.value_mistakes import locate_mistake

LIMITS_FILE = Path("/etc/banco/limits.toml")
"""The file of a real table; a simulation or a bench has a file of this name in its folder."""

LONGEST_FILE = 16 * 1024


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The highest value of each amount, in EUR, and share, in per cent; as text, as in the file."""

    token: str = "100.00"
    to_jackpot: str = "100"
    to_reserve: str = "50"
    opening: str = "100000.00"
    base: str = "100000.00"
    correction: str = "20000.00"

    @property
    def correction_cents(self) -> Cents:
        """The most that one correction moves."""
        return parse_cents(self.correction)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    highest: Limits


def limits_file(configuration: Configuration) -> Path:
    """Where the table's limits are."""
    if configuration.kind is TableKind.PRODUCTION:
        return LIMITS_FILE
    return Path(configuration.ledger.folder) / LIMITS_FILE.name


def load_limits(configuration: Configuration) -> Limits:
    """The table's limits; the defaults where there is no file. Raises FileUnusable."""
    file = limits_file(configuration)
    try:
        with open_regular(file) as opened:
            status = os.fstat(opened.fileno())
            text = read_open_file(opened, LONGEST_FILE)
        real = configuration.kind is TableKind.PRODUCTION
        mode, owner = status.st_mode, status.st_uid
        reason = why_not_roots(mode, owner) if real else why_untrusted(mode, owner, os.geteuid())
        if reason is not None:
            raise FileUnusable(reason)
        return parse_limits(text)
    except FileNotFoundError:
        return Limits()
    except OSError as error:
        raise describe_unreadable(error).in_file(file) from error
    except FileUnusable as error:
        raise error.in_file(file) from error


def parse_limits(text: str) -> Limits:
    """Read the file's text. Raises FileUnusable that names the key."""
    try:
        limits = msgspec.convert(parse_toml(text), _File).highest
    except msgspec.ValidationError as error:
        right = ", ".join(Limits.__struct_fields__)
        key, what = locate_mistake(error)
        place = f"{key}: " if key else ""
        raise FileUnusable(f"{place}{what}; [highest] has the keys {right}") from error
    for key in Limits.__struct_fields__:
        try:
            _parser(key)(getattr(limits, key))
        except ValueError as error:
            raise FileUnusable(f"highest.{key}: {error}") from error
    return limits


def find_excess(configuration: Configuration, limits: Limits) -> list[str]:
    """Every amount and share of the configuration above its limit, with the limit."""
    file = limits_file(configuration)
    found = []
    for key in MoneySection.__struct_fields__:
        highest, value = getattr(limits, key), getattr(configuration.money, key)
        if _parser(key)(value) > _parser(key)(highest):
            found.append(f"money.{key}: {value}; at most {highest}, as {file} has it")
    return found


def check_limits(file: str, configuration: Configuration) -> None:
    """Raise FileUnusable, of this file, if its configuration goes beyond its limits."""
    excess = find_excess(configuration, load_limits(configuration))
    if excess:
        raise FileUnusable(*excess, file=file)


def _parser(key: str) -> Callable[[str], int]:
    return parse_percent if key.startswith("to_") else parse_cents

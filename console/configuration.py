"""A table's configuration file (TOML), read and checked as a whole (docs/configuration.md).

Every error names the file and the key, or the line, and what would be right.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from console.games import GAMES, RailKind
from console.plan import TablePlan
from console.texts import Language
from devices.panel_wiring import PanelWiring
from jackpot.amounts import parse_cents, parse_percent
from jackpot.settings import MoneySettings

T = TypeVar("T")


class Kind(Enum):
    """What a configuration is for. A bench may mix real and simulated devices."""

    PRODUCTION = "production"
    SIMULATION = "simulation"
    BENCH = "bench"


class PanelDriver(Enum):
    """What drives the dealer panel."""

    GPIO = "gpio"
    SIMULATED = "simulated"


class RailDriver(Enum):
    """What drives the coin rail."""

    BOARD = "board"
    SIMULATED = "simulated"


class DisplayDriver(Enum):
    """What drives the display."""

    ESCPOS = "escpos"
    SIMULATED = "simulated"


class Pins(Enum):
    """gpiozero's way to the pins."""

    LGPIO = "lgpio"
    RPIGPIO = "rpigpio"


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the file; a key it does not know is an error."""


class MoneySection(Section, frozen=True):
    """[money]: amounts as text, `2.00`; per cent of a token as text, `70` or `12.25`."""

    token: str = "2.00"
    to_jackpot: str = "70"
    to_reserve: str = "10"
    opening: str = "10000.00"
    base: str = "5000.00"


class LedgerSection(Section, frozen=True):
    """[ledger]: the folder it lives in, on a disk that keeps what is synced."""

    folder: str


class PanelSection(Section, frozen=True):
    """[panel]: its driver, gpiozero's backend, the inspector's contact, the wiring (BCM)."""

    driver: PanelDriver
    pins: Pins | None = None
    inspector: bool = False
    settle_ms: int = 5
    lines: PanelWiring = msgspec.field(default_factory=PanelWiring)


class RailSection(Section, frozen=True):
    """[rail]: its driver, its kind, its serial port."""

    driver: RailDriver
    kind: RailKind
    port: str | None = None


class DisplaySection(Section, frozen=True):
    """[display]: its driver, its serial port, and whether DSR tells its presence."""

    driver: DisplayDriver
    port: str | None = None
    watch_dsr: bool = True


class Configuration(Section, frozen=True):
    """The whole file."""

    kind: Kind
    table: str
    game: str
    ledger: LedgerSection
    panel: PanelSection
    display: DisplaySection
    rail: RailSection | None = None
    language: Language = Language.IT
    money: MoneySection = msgspec.field(default_factory=MoneySection)

    def plan(self) -> TablePlan:
        """The table it asks for."""
        return TablePlan(
            table=self.table,
            game=self.game,
            money=MoneySettings(
                token=parse_cents(self.money.token),
                to_jackpot=parse_percent(self.money.to_jackpot),
                to_reserve=parse_percent(self.money.to_reserve),
                opening=parse_cents(self.money.opening),
                base=parse_cents(self.money.base),
            ),
            rail=self.rail.kind if self.rail else None,
            inspector_fitted=self.panel.inspector,
            language=self.language,
        )


class ConfigurationErrors(ValueError):
    """A file that cannot be used; the text has a line for each mistake."""

    def __init__(self, file: str, mistakes: list[str]) -> None:
        super().__init__("\n".join(f"{file}: {mistake}" for mistake in mistakes))


def load_configuration(file: Path) -> Configuration:
    """Read and check a file. Raises ConfigurationErrors."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationErrors(str(file), [f"cannot be read: {error}"]) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationErrors(str(file), [f"is not TOML: {error}"]) from error
    try:
        configuration = msgspec.convert(content, Configuration)
    except msgspec.ValidationError as error:
        raise ConfigurationErrors(str(file), [_explained(str(error))]) from error
    mistakes = _unknown_lines(content)
    mistakes += [mistake for check in CHECKS for mistake in check(configuration)]
    if mistakes:
        raise ConfigurationErrors(str(file), mistakes)
    return configuration


CHOICES: Mapping[str, type[Enum]] = {
    "kind": Kind,
    "language": Language,
    "panel.driver": PanelDriver,
    "panel.pins": Pins,
    "rail.driver": RailDriver,
    "rail.kind": RailKind,
    "display.driver": DisplayDriver,
}
SECTIONS: Mapping[str, type[Section]] = {
    "": Configuration,
    "money": MoneySection,
    "ledger": LedgerSection,
    "panel": PanelSection,
    "rail": RailSection,
    "display": DisplaySection,
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


def _check_game(configuration: Configuration) -> list[str]:
    if configuration.game not in GAMES:
        return [f"game: no game {configuration.game!r}; there are {', '.join(GAMES)}"]
    game = GAMES[configuration.game]
    if game.progressive and configuration.rail is None:
        return [f"rail: {game.name} needs a [rail] section"]
    if not game.progressive and configuration.rail is not None:
        return [f"rail: {game.name} has no coin rail; leave the section out"]
    return []


def _check_money(configuration: Configuration) -> list[str]:
    money = configuration.money
    mistakes = [
        *_mistake("money.token", parse_cents, money.token),
        *_mistake("money.opening", parse_cents, money.opening),
        *_mistake("money.base", parse_cents, money.base),
        *_mistake("money.to_jackpot", parse_percent, money.to_jackpot),
        *_mistake("money.to_reserve", parse_percent, money.to_reserve),
    ]
    if mistakes:
        return mistakes
    try:
        configuration.plan()
    except ValueError as error:
        return [f"money.{error}"]
    return []


def _mistake(key: str, parse: Callable[[str], object], text: str) -> list[str]:
    try:
        parse(text)
    except ValueError as error:
        return [f"{key}: {error}"]
    return []


def _check_devices(configuration: Configuration) -> list[str]:
    panel, rail, display = configuration.panel, configuration.rail, configuration.display
    mistakes = _port_mistakes("display", display.driver.value, display.port)
    if rail is not None:
        mistakes += _port_mistakes("rail", rail.driver.value, rail.port)
        if rail.kind is RailKind.CCTALK:
            mistakes.append("rail.kind: a cctalk rail is not yet supported; slot or sensor")
        if rail.port is not None and rail.port == display.port:
            mistakes.append(f"display.port: {display.port} is the rail's port already")
    if panel.driver is PanelDriver.GPIO and panel.pins is None:
        mistakes.append("panel.pins: driver 'gpio' needs it: lgpio or rpigpio; it is not guessed")
    if panel.driver is PanelDriver.SIMULATED and panel.pins is not None:
        mistakes.append("panel.pins: a simulated panel has no pins; leave it out")
    if not 0 <= panel.settle_ms <= LONGEST_SETTLE_MS:
        mistakes.append(f"panel.settle_ms: {panel.settle_ms}; it must be 0 to {LONGEST_SETTLE_MS}")
    return mistakes


LONGEST_SETTLE_MS = 20
"""Inputs are debounced in at most 20 ms (TABLE.md, section 1)."""

SIMULATED = "simulated"


def _port_mistakes(part: str, driver: str, port: str | None) -> list[str]:
    if driver == SIMULATED and port is not None:
        return [f"{part}.port: a simulated {part} has no port; leave it out"]
    if driver != SIMULATED and not port:
        return [f"{part}.port: driver {driver!r} needs a port, such as /dev/table/{part}"]
    return []


def _check_kind(configuration: Configuration) -> list[str]:
    """A simulation never passes for the real table, nor the reverse."""
    drivers = {"panel": configuration.panel.driver.value}
    drivers["display"] = configuration.display.driver.value
    if configuration.rail is not None:
        drivers["rail"] = configuration.rail.driver.value
    wrong: list[str] = []
    for part, driver in drivers.items():
        if configuration.kind is Kind.PRODUCTION and driver == SIMULATED:
            wrong.append(f"{part}.driver: a production table has no simulated {part}")
        if configuration.kind is Kind.SIMULATION and driver != SIMULATED:
            wrong.append(f"{part}.driver: in a simulation it is 'simulated'; a bench may mix")
    return wrong


def _check_folder(configuration: Configuration) -> list[str]:
    folder = configuration.ledger.folder
    if not Path(folder).is_absolute():
        return [f"ledger.folder: {folder!r} is relative; write it from the root, /var/lib/banco"]
    return []


CHECKS: tuple[Callable[[Configuration], list[str]], ...] = (
    _check_game,
    _check_money,
    _check_devices,
    _check_kind,
    _check_folder,
)

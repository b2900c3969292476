"""A table's configuration: every key of the file, and what it means (docs/configuration.md)."""

from enum import Enum

import msgspec

from console.configuration.table_plan import TablePlan
from console.configuration.web_address import Listening, listening_at
from console.rules.games import RailKind
from console.texts.language import Language
from devices.device import Device
from devices.panel_wiring import PanelWiring
from jackpot.amounts import parse_cents, parse_percent
from jackpot.settings import MoneySettings


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
    CCTALK = "cctalk"
    SIMULATED = "simulated"


class DisplayDriver(Enum):
    """What drives the display."""

    ESCPOS = "escpos"
    SIMULATED = "simulated"


class ShufflerDriver(Enum):
    """What drives the shuffler, or the mixer."""

    NEUTRAL = "neutral"
    SIMULATED = "simulated"


class ShoeDriver(Enum):
    """What reads the shoe."""

    COUNTING = "counting"
    ANGEL_EYE = "angel-eye"
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
    """[ledger]: the folder it lives in, on a disk that keeps what is synced.

    `mirror`: the folder of its second copy, `seal`: the file of its seal, each on another medium.
    """

    folder: str
    mirror: str | None = None
    seal: str | None = None


class PanelSection(Section, frozen=True):
    """[panel]: its driver, gpiozero's backend, the inspector's contact, the wiring (BCM)."""

    driver: PanelDriver
    pins: Pins | None = None
    inspector: bool = False
    settle_ms: int = 5
    lines: PanelWiring = msgspec.field(default_factory=PanelWiring)


class RailSection(Section, frozen=True):
    """[rail]: its driver, its kind, its serial port.

    On a ccTalk rail `port` is the bus, and `board_port` leads to the board with the slots' lamps
    and sensors; `addresses` are those of seats 1 to 7, `serials` the acceptors enrolled there.
    """

    driver: RailDriver
    kind: RailKind
    port: str | None = None
    board_port: str | None = None
    addresses: tuple[int, ...] = (11, 12, 13, 14, 15, 16, 17)
    serials: tuple[int, ...] | None = None


class ShufflerSection(Section, frozen=True):
    """[shuffler]: its driver, its serial port. A table that shuffles by hand has none."""

    driver: ShufflerDriver
    port: str | None = None


class ShoeSection(Section, frozen=True):
    """[shoe]: its driver, its serial port, and whether DSR tells its presence."""

    driver: ShoeDriver
    port: str | None = None
    watch_dsr: bool = False


class DisplaySection(Section, frozen=True):
    """[display]: its driver, its serial port, and whether DSR tells its presence."""

    driver: DisplayDriver
    port: str | None = None
    watch_dsr: bool = True


class MetricsSection(Section, frozen=True):
    """[metrics]: the port on 127.0.0.1 where Prometheus finds them. Without it there are none."""

    port: int


class WebSection(Section, frozen=True):
    """[web]: where the pages are served; without it there are none.

    `names`: the host names that browsers may ask for, besides addresses. `certificate` and `key`:
    the PEM files of TLS.
    """

    listen: str = "127.0.0.1:8080"
    names: tuple[str, ...] = ()
    certificate: str | None = None
    key: str | None = None

    def listening(self) -> Listening:
        """The same, as the pages are told. Raises AddressUnusable."""
        at = listening_at(self.listen)
        return msgspec.structs.replace(
            at, names=self.names, certificate=self.certificate, key=self.key
        )


SerialSection = RailSection | ShufflerSection | ShoeSection | DisplaySection


class Configuration(Section, frozen=True):
    """The whole file."""

    kind: Kind
    table: str
    game: str
    ledger: LedgerSection
    panel: PanelSection
    display: DisplaySection
    rail: RailSection | None = None
    shuffler: ShufflerSection | None = None
    shoe: ShoeSection | None = None
    language: Language = Language.IT
    money: MoneySection = msgspec.field(default_factory=MoneySection)
    metrics: MetricsSection | None = None
    web: WebSection | None = None

    def serial_sections(self) -> dict[str, SerialSection]:
        """The devices behind a serial port, by their section's name."""
        sections = {
            "rail": self.rail,
            "shuffler": self.shuffler,
            "shoe": self.shoe,
            "display": self.display,
        }
        return {name: section for name, section in sections.items() if section is not None}

    def fitted(self) -> frozenset[Device]:
        """The devices the table has."""
        return frozenset({Device.PANEL, *(Device(name) for name in self.serial_sections())})

    def ports(self) -> dict[str, tuple[str, bool]]:
        """Each real port: its path, and whether DSR tells its presence."""
        ports = {
            name: (section.port, getattr(section, "watch_dsr", False))
            for name, section in self.serial_sections().items()
            if section.port is not None
        }
        if self.rail is not None and self.rail.board_port is not None:
            ports["rail board"] = (self.rail.board_port, False)
        return ports

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

"""A table's configuration: every key of the file, its default value, and what it means.

See docs/reference/configuration.md.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET

from console.configuration.addresses import PORTS, Listening, parse_listen
from console.configuration.poker_section import PokerSection
from console.configuration.prizes_section import PrizesSection
from console.configuration.section import ConfigurationSection, Within
from console.configuration.sign_section import SignSection
from console.configuration.table_plan import TablePlan
from console.rules.games import GAMES, GameKind, RailKind
from console.rules.poker_settings import PokerSettings
from console.rules.structs import replace
from console.texts.language import Language
from devices.debouncer import MAX_SETTLE_MS, SETTLE_MS
from devices.device import Device
from devices.panel_wiring import LINES, DoorWiring, PanelWiring
from devices.roles import ACCEPTOR_ADDRESSES
from jackpot.money.amounts import parse_cents, parse_percent
from jackpot.money.settings import MoneySettings

VERSION_1 = (
    "protocol: version 1 is asked for: whoever reaches the line can be the board; with 2 the board "
    "gets a key when it is enrolled, and proves each frame"
)
"""What is said of it, behind the device's name."""


class TableKind(Enum):
    """The kind of a table. A bench may mix real and simulated devices."""

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
    """gpiozero's pin backend."""

    LGPIO = "lgpio"
    RPIGPIO = "rpigpio"


class MoneySection(ConfigurationSection, frozen=True):
    """[money]: amounts in EUR as text, `2.00`; per cents of a token as text, `70` or `12.25`."""

    token: str = "2.00"
    to_jackpot: str = "70"
    to_reserve: str = "10"
    opening: str = "10000.00"
    base: str = "5000.00"

    def settings(self) -> MoneySettings:
        """The amounts of a round. Raises ValueError that begins with the key."""
        return MoneySettings(
            token=parse_cents(self.token),
            to_jackpot=parse_percent(self.to_jackpot),
            to_reserve=parse_percent(self.to_reserve),
            opening=parse_cents(self.opening),
            base=parse_cents(self.base),
        )


class LedgerSection(ConfigurationSection, frozen=True):
    """[ledger]: where it is, on a disk that keeps what is synced."""

    folder: str
    mirror: str | None = None
    """The folder of the second copy, on another medium."""
    seal: str | None = None
    """The file of the seal, on another medium."""


class KeyStoreKind(Enum):
    """Where the table's own key is."""

    TPM = "tpm"
    FILE = "file"


class KeySection(ConfigurationSection, frozen=True):
    """[key]: the table's own key and counter; without it nothing is signed.

    `banco key make` makes them.
    """

    store: KeyStoreKind
    folder: str = "/var/lib/banco-key"
    """Of the key's files; with a TPM, of the password that it asks for."""
    device: str = "device:/dev/tpmrm0"
    """The TPM, as tpm2-tools' --tcti takes it."""


class PanelSection(ConfigurationSection, frozen=True):
    """[panel]: its driver, gpiozero's backend, the inspector's contact, the wiring (BCM)."""

    driver: PanelDriver
    pins: Pins | None = None
    inspector: bool = False
    settle_ms: Annotated[int, Within(0, MAX_SETTLE_MS)] = SETTLE_MS
    lines: PanelWiring = msgspec.field(default_factory=PanelWiring)


HeaderLine = Annotated[int, Within(0, LINES - 1)]


class DoorsSection(ConfigurationSection, frozen=True):
    """[doors]: the lines of the doors' contacts (BCM); without it the doors have none."""

    cabinet: HeaderLine
    logic: HeaderLine
    latch: HeaderLine | None = None
    """Of a latch that remembers an opening without power."""

    @property
    def wiring(self) -> DoorWiring:
        """The lines."""
        return DoorWiring(self.cabinet, self.logic, self.latch)


BoardProtocol = Literal[1, 2]
"""The version of the boards' wire protocol that a board without a key may speak. With 2, the board
is given a key when it is enrolled; one that has a key always speaks 2. Where nothing is written it
is 2, and 1 for a simulated board, at whose line nobody is."""


class RailSection(ConfigurationSection, frozen=True):
    """[rail]: its driver, its kind, its serial ports."""

    driver: RailDriver
    kind: RailKind
    port: str | None = None
    """The board's port; on a ccTalk rail, the bus."""
    board_port: str | None = None
    """On a ccTalk rail, the port of the board with the slots' lamps and sensors."""
    addresses: tuple[int, ...] = ACCEPTOR_ADDRESSES
    """The acceptors' ccTalk addresses, seat 1 first."""
    serials: tuple[int, ...] | None = None
    """The serial numbers of the enrolled acceptors, seat 1 first."""
    protocol: BoardProtocol | None = None


class ShufflerSection(ConfigurationSection, frozen=True):
    """[shuffler]: its driver, its serial port. Without this section, shuffling is by hand."""

    driver: ShufflerDriver
    port: str | None = None
    protocol: BoardProtocol | None = None


class ShoeSection(ConfigurationSection, frozen=True):
    """[shoe]: its driver, its serial port, and whether DSR shows that it is there."""

    driver: ShoeDriver
    port: str | None = None
    watch_dsr: bool = False
    protocol: BoardProtocol | None = None


class DisplaySection(ConfigurationSection, frozen=True):
    """[display]: its driver, its serial port, and whether DSR shows that it is there."""

    driver: DisplayDriver
    port: str | None = None
    watch_dsr: bool = True

    @property
    def commands(self) -> str:
        """The commands that it takes; the simulated display takes those of ESC/POS."""
        simulated = self.driver is DisplayDriver.SIMULATED
        commands: str = DisplayDriver.ESCPOS.value if simulated else self.driver.value
        return commands


class MetricsSection(ConfigurationSection, frozen=True):
    """[metrics]: the port on 127.0.0.1 for Prometheus. Without this section there are none."""

    port: Annotated[int, Within(PORTS[0], PORTS[-1])]


class WebSection(ConfigurationSection, frozen=True):
    """[web]: where the pages are served; without this section there are none."""

    listen: str = "127.0.0.1:8080"
    names: tuple[str, ...] = ()
    """The host names that browsers may ask for, besides addresses."""
    certificate: str | None = None
    """The certificate for TLS, a PEM file."""
    key: str | None = None
    """The certificate's key, a PEM file."""
    log_addresses: bool = False
    """Whether the log says from which address somebody has entered."""

    def listening(self) -> Listening:
        """Where to listen. Raises ValueError."""
        at = parse_listen(self.listen)
        return msgspec.structs.replace(
            at,
            names=self.names,
            certificate=self.certificate,
            key=self.key,
            log_addresses=self.log_addresses,
        )


class DatabaseSection(ConfigurationSection, frozen=True, kw_only=True):
    """A PostgreSQL of the house, and how to log in there."""

    hosts: tuple[str, ...]
    """Its servers, `db1.casino.example` or with a port `db1.casino.example:5433`."""
    database: str = "banco"
    certificate: str | None = None
    """One's own certificate, a PEM file; its CN is the role."""
    key: str | None = None
    """The certificate's key, a PEM file."""
    root: str | None = None
    """The certificate of the authority that signs the servers', a PEM file."""


class LinkSection(DatabaseSection, frozen=True, kw_only=True):
    """[link]: the centre of a jackpot that several tables share; without it the table has its own.

    The table's role at the centre is the table's name.
    """

    jackpot: str


class ClockSection(DatabaseSection, frozen=True, kw_only=True):
    """[clock]: the centre of the clock that all tables of a tournament share.

    The table's role at the centre is the table's name.
    """

    tournament: str


class WitnessSection(DatabaseSection, frozen=True, kw_only=True):
    """[witness]: a database of the house that gets the signed heads; without it there is none.

    The table's role there is the table's name.
    """


class HouseSection(ConfigurationSection, frozen=True):
    """[house]: what stands at the head of a bordereau; without it there is no house on it."""

    name: str
    place: str = ""

    @property
    def heading(self) -> str:
        """Name and place on one line."""
        return ", ".join(part for part in (self.name, self.place) if part)


class TimeStampSection(ConfigurationSection, frozen=True):
    """[timestamp]: a server that stamps bordereaux (RFC 3161); without it none is asked."""

    server: str
    """Its address, `http://tsa.casino.example/` or with https."""
    root: str
    """The certificate of the authority that signs its certificate, a PEM file."""


PinAgeDays = Annotated[int, Within(1, 3650)]


class PeopleSection(ConfigurationSection, frozen=True):
    """[people]: what needs a second person besides money."""

    acknowledge: bool = False
    """Two people acknowledge a changed configuration before a round begins."""
    enrol_by_two: bool = False
    """Somebody who is enrolled already confirms a new person, duty or PIN that root gives."""
    pin_age_days: PinAgeDays | None = None
    """After so many days a PIN must be changed; None: never."""


SerialSection = RailSection | ShufflerSection | ShoeSection | DisplaySection


class Configuration(ConfigurationSection, frozen=True):
    """The whole file."""

    kind: TableKind
    table: str
    game: str
    ledger: LedgerSection
    panel: PanelSection
    display: DisplaySection
    rail: RailSection | None = None
    shuffler: ShufflerSection | None = None
    shoe: ShoeSection | None = None
    poker: PokerSection | None = None
    language: Language = Language.IT
    key: KeySection | None = None
    money: MoneySection = msgspec.field(default_factory=MoneySection)
    metrics: MetricsSection | None = None
    web: WebSection | None = None
    link: LinkSection | None = None
    clock: ClockSection | None = None
    witness: WitnessSection | None = None
    timestamp: TimeStampSection | None = None
    house: HouseSection | None = None
    prizes: PrizesSection | None = None
    sign: SignSection | None = None
    doors: DoorsSection | None = None
    people: PeopleSection | None = None
    retention_years: Annotated[int, Within(1, 99)] | None = None
    """How many years the house keeps records; None: not said."""

    @property
    def pin_age_days(self) -> int:
        """After how many days a PIN must be changed; 0: never."""
        return (self.people.pin_age_days or 0) if self.people is not None else 0

    @property
    def plays_poker(self) -> bool:
        """Whether the game is the poker table's."""
        game = GAMES.get(self.game)
        return game is not None and game.kind is GameKind.POKER

    def serial_sections(self) -> dict[str, SerialSection]:
        """The devices behind a serial port, by their section's name."""
        sections = {
            "rail": self.rail,
            "shuffler": self.shuffler,
            "shoe": self.shoe,
            "display": self.display,
        }
        return {name: section for name, section in sections.items() if section is not None}

    def board_protocols(self) -> dict[Device, int]:
        """Of each device with a board: the version that it may speak without a key."""
        return {
            device: section.protocol or (1 if section.driver.value == "simulated" else 2)
            for device, section in self._board_sections()
        }

    def boards_without_keys(self) -> tuple[Device, ...]:
        """The devices for whose boards version 1 is asked for."""
        return tuple(device for device, section in self._board_sections() if section.protocol == 1)

    def _board_sections(
        self,
    ) -> Iterator[tuple[Device, RailSection | ShufflerSection | ShoeSection]]:
        sections = {Device.RAIL: self.rail, Device.SHUFFLER: self.shuffler, Device.SHOE: self.shoe}
        for device, section in sections.items():
            if section is not None and section.driver is not ShoeDriver.ANGEL_EYE:
                yield device, section

    def devices(self) -> frozenset[Device]:
        """The devices the table has, but for its link."""
        return frozenset({Device.PANEL, *(Device(name) for name in self.serial_sections())})

    def ports(self) -> dict[str, tuple[str, bool]]:
        """Each real port: its path, and whether DSR shows that the device is there."""
        ports = {
            name: (section.port, getattr(section, "watch_dsr", False))
            for name, section in self.serial_sections().items()
            if section.port is not None
        }
        if self.rail is not None and self.rail.board_port is not None:
            ports["rail board"] = (self.rail.board_port, False)
        return ports

    def plan(self) -> TablePlan:
        """The table that this configuration asks for."""
        return TablePlan(
            table=self.table,
            game=self.game,
            money=self.money.settings(),
            rail=self.rail.kind if self.rail else None,
            inspector_fitted=self.panel.inspector,
            doors=self.doors.wiring if self.doors else None,
            language=self.language,
            link=self.link.jackpot if self.link else "",
            poker=self._poker_settings() if self.plays_poker else UNSET,
            prizes=self.prizes.table if self.prizes else UNSET,
            prizes_file=self.prizes.file if self.prizes else "",
            sign=self.sign or SignSection(),
            house=self.house.heading if self.house else "",
        )

    def _poker_settings(self) -> PokerSettings:
        settings = (self.poker or PokerSection()).settings()
        return replace(settings, tournament=self.clock.tournament) if self.clock else settings

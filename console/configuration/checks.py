"""Checks across a configuration's sections: together they must make one table of one game."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from console.configuration.addresses import is_host_name, parse_host, parse_listen
from console.configuration.poker_section import PokerSection, PokerShuffler
from console.configuration.section import (
    JACKPOT_NAME,
    TABLE_NAME,
    TOURNAMENT_NAME,
    find_mistake,
    find_range_mistakes,
)
from console.configuration.sections import (
    Configuration,
    DatabaseSection,
    PanelDriver,
    RailDriver,
    ShoeDriver,
    ShoeSection,
    TableKind,
    WebSection,
)
from console.configuration.sign_section import find_sign_mistakes
from console.rules.display_texts import PokerTexts
from console.rules.games import GAMES, RailKind, ShoeKind
from console.rules.linked_prizes import find_unlinked_envy
from console.rules.poker_clock import Blinds
from console.rules.poker_settings import Form, PokerSettings
from console.texts.display import TEXTS
from console.texts.file_texts import ABOVE_LIMIT, NOT_PROGRESSIVE, PLACED, word_unlinked_envy
from console.texts.language import Words
from devices.door_reports import name_contact
from devices.roles import DISPLAY_COLUMNS, SEATS
from jackpot.foreign_text import quote
from jackpot.money.amounts import format_cents, parse_cents, parse_percent
from jackpot.money.prizes import find_above_limit

BYTE = 255

SIMULATED = "simulated"


LONGEST_HEADING = 60
"""Letters of the name of a house, and of its place."""


def find_server_mistakes(configuration: Configuration) -> list[str | Words]:
    """Every mistake in these sections, its key first, with what would be right."""
    return [
        *_check_link(configuration),
        *_check_clock(configuration),
        *_check_witness_outside(configuration),
        *_check_timestamp(configuration),
    ]


def _check_link(configuration: Configuration) -> list[str | Words]:
    link = configuration.link
    if link is None:
        return []
    mistakes: list[str | Words] = [*_database_mistakes("link", configuration.kind, link)]
    mistakes += JACKPOT_NAME.find_mistake("link.jackpot", link.jackpot)
    if configuration.rail is None:
        mistakes.append(f"link: {configuration.game} has no jackpot; leave the section out")
    if configuration.prizes is not None:
        file, unlinked = configuration.prizes.file, find_unlinked_envy(configuration.prizes.table)
        mistakes += [word_unlinked_envy(f"game.prizes: {file}", name) for name in unlinked]
    return mistakes


def _check_clock(configuration: Configuration) -> list[str]:
    """A shared clock needs a tournament."""
    clock = configuration.clock
    if clock is None:
        return []
    mistakes = _database_mistakes("clock", configuration.kind, clock)
    mistakes += TOURNAMENT_NAME.find_mistake("clock.tournament", clock.tournament)
    poker = configuration.poker
    if not configuration.plays_poker or poker is None or poker.form is not Form.TOURNAMENT:
        mistakes.append("clock: only a poker tournament's tables share one; leave the section out")
    return mistakes


def _check_witness_outside(configuration: Configuration) -> list[str]:
    """It gets signed heads, so there must be something that signs them."""
    witness = configuration.witness
    if witness is None:
        return []
    mistakes = _database_mistakes("witness", configuration.kind, witness)
    if configuration.key is None:
        mistakes.append("witness: its heads are signed with the table's key: add a section [key]")
    return mistakes


def _database_mistakes(name: str, kind: TableKind, section: DatabaseSection) -> list[str]:
    mistakes = [
        mistake
        for host in section.hosts
        for mistake in find_mistake(f"{name}.hosts", parse_host, host)
    ]
    if not section.hosts:
        mistakes.append(f"{name}.hosts: names no server, such as db1.casino.example")
    if not section.database:
        mistakes.append(f"{name}.database: names no database, such as banco")
    return mistakes + _credential_mistakes(name, kind, section)


def _credential_mistakes(name: str, kind: TableKind, section: DatabaseSection) -> list[str]:
    """The table proves who it is by its certificate; only a table without money may go without."""
    files = {"certificate": section.certificate, "key": section.key, "root": section.root}
    missing = [key for key, file in files.items() if file is None]
    mistakes = [
        f"{name}.{key}: {quote(file)} is relative; write it from the root"
        for key, file in files.items()
        if file is not None and not Path(file).is_absolute()
    ]
    if missing and (kind is TableKind.PRODUCTION or len(missing) < len(files)):
        mistakes += [f"{name}.{key}: TLS needs certificate, key and root" for key in missing]
    return mistakes


def _is_server(text: str) -> bool:
    """Whether it is the address of a web server: http or https, a host, a port that exists."""
    found = re.fullmatch(r"https?://([^/\s?#@]+)(/[^\s?#]*)?", text)
    if found is None or not text.isprintable():
        return False
    try:
        parse_host(found[1].lower())
    except ValueError:
        return False
    return True


def _check_timestamp(configuration: Configuration) -> list[str]:
    stamp = configuration.timestamp
    if stamp is None:
        return []
    mistakes: list[str] = []
    if not _is_server(stamp.server):
        mistakes.append(
            f"timestamp.server: {quote(stamp.server)}; write its address, http://tsa.casino.example/"
        )
    if not Path(stamp.root).is_absolute():
        mistakes.append(f"timestamp.root: {quote(stamp.root)} is relative; write it from the root")
    return mistakes


def _check_house(configuration: Configuration) -> list[str]:
    house = configuration.house
    if house is None:
        return []
    return [
        f"house.{key}: {quote(text)}; write it on one line, {LONGEST_HEADING} letters at most"
        for key, text in (("name", house.name), ("place", house.place))
        if len(text) > LONGEST_HEADING or not text.isprintable() or (key == "name" and not text)
    ]


def find_poker_mistakes(section: PokerSection) -> list[str]:
    """Every mistake, its key first, with what would be right."""
    mistakes = []
    if section.form is Form.TOURNAMENT and section.structure is None:
        mistakes.append("poker.structure: a tournament needs levels: name the file that has them")
    if section.form is Form.CASH and section.structure is not None:
        mistakes.append("poker.structure: levels belong to form = 'tournament'; leave it out")
    if mistakes:
        return mistakes
    try:
        settings = section.settings()
    except ValueError as error:
        return [f"poker.{error}"]
    return list(_find_long_lines(settings))


def find_shuffler_mistakes(section: PokerSection | None, *, fitted: bool) -> list[str]:
    """Whether `poker.shuffler` and the section [shuffler], `fitted`, agree."""
    deck = section is not None and section.shuffler is PokerShuffler.DECK
    if deck and not fitted:
        return ["shuffler: poker.shuffler = 'deck' needs a [shuffler] section"]
    if fitted and not deck:
        return ["poker.shuffler: with a [shuffler] section it is 'deck'; or leave that section out"]
    return []


def _find_long_lines(settings: PokerSettings) -> Iterator[str]:
    """Blinds that the display cannot show, in one language or the other."""
    if settings.form is Form.CASH:
        shown = {settings.blinds: "poker.blinds"}
    else:
        levels = [step.blinds for step in settings.steps if step.blinds is not None]
        shown = {
            blinds: f"poker.structure: blinds of level {level}"
            for level, blinds in reversed(list(enumerate(levels, 1)))
        }
    for blinds, place in reversed(shown.items()):
        lines = [line for texts in TEXTS.values() for line in _lines(settings, texts.poker, blinds)]
        longest = max(lines, key=len)
        if len(longest) > DISPLAY_COLUMNS:
            fits = f"at most {DISPLAY_COLUMNS} fit"
            yield f"{place}: {quote(longest)} has {len(longest)} characters; {fits}"


def _lines(settings: PokerSettings, words: PokerTexts, blinds: Blinds) -> tuple[str, ...]:
    """The display's lines with these blinds."""
    from console.rules.poker.poker_outputs import name_game, write_blinds  # poker tables only

    if settings.form is Form.CASH:
        return (write_blinds(name_game(settings, words), blinds),)
    return write_blinds(words.hand, blinds), write_blinds(words.blinds, blinds)


def find_mistakes(configuration: Configuration) -> list[str | Words]:
    """Every mistake, its key first, with what would be right."""
    return [mistake for check in CHECKS for mistake in check(configuration)]


def _check_prizes(configuration: Configuration) -> list[Words]:
    """A prize file needs a jackpot, and what the house puts in keeps below its limit."""
    if configuration.prizes is None or _check_money(configuration):
        return []
    game = GAMES.get(configuration.game)
    if game is None or not game.progressive:
        return [PLACED.fill("game.prizes", NOT_PROGRESSIVE.fill(configuration.game))]
    file, table = configuration.prizes.file, configuration.prizes.table
    return [
        PLACED.fill(
            f"money.{key}", ABOVE_LIMIT.fill(format_cents(amount), format_cents(limit), file)
        )
        for key, amount, limit in find_above_limit(table, configuration.money.settings())
    ]


def _check_name(configuration: Configuration) -> list[str]:
    return TABLE_NAME.find_mistake("table", configuration.table)


def _check_game(configuration: Configuration) -> list[str]:
    if configuration.game not in GAMES:
        return [f"game: no game {quote(configuration.game)}; there are {', '.join(GAMES)}"]
    game = GAMES[configuration.game]
    fitted: tuple[tuple[str, object, object, bool], ...] = (
        ("rail", game.rail, configuration.rail, True),
        ("shuffler", game.shuffler, configuration.shuffler, False),
        ("shoe", game.shoe, configuration.shoe, True),
    )
    mistakes: list[str] = []
    for part, belongs, section, needed in fitted:
        if belongs and section is None and needed:
            mistakes.append(f"{part}: {game.name} needs a [{part}] section")
        if not belongs and section is not None:
            mistakes.append(f"{part}: {game.name} has no {part}; leave the section out")
    return mistakes + _shoe_mistakes(game.shoe, configuration.shoe)


def _shoe_mistakes(kind: ShoeKind | None, section: ShoeSection | None) -> list[str]:
    """The game decides whether its shoe must read the cards."""
    right = {ShoeKind.COUNTING: ShoeDriver.COUNTING, ShoeKind.READING: ShoeDriver.ANGEL_EYE}
    if kind is None or section is None:
        return []
    if section.driver in (right[kind], ShoeDriver.SIMULATED):
        return []
    return [f"shoe.driver: this game needs {right[kind].value!r}, not {section.driver.value!r}"]


def _check_poker(configuration: Configuration) -> list[str]:
    poker = configuration.poker
    if not configuration.plays_poker:
        is_none = f"poker: {configuration.game} is no poker table; leave the section out"
        return [is_none] if poker is not None else []
    mistakes = find_poker_mistakes(poker) if poker is not None else []
    return mistakes + find_shuffler_mistakes(poker, fitted=configuration.shuffler is not None)


def _check_money(configuration: Configuration) -> list[str]:
    money = configuration.money
    mistakes = [
        *find_mistake("money.token", parse_cents, money.token),
        *find_mistake("money.opening", parse_cents, money.opening),
        *find_mistake("money.base", parse_cents, money.base),
        *find_mistake("money.to_jackpot", parse_percent, money.to_jackpot),
        *find_mistake("money.to_reserve", parse_percent, money.to_reserve),
    ]
    if mistakes:
        return mistakes
    try:
        money.settings()
    except ValueError as error:
        return [f"money.{error}"]
    return []


def _drivers(configuration: Configuration) -> dict[str, str]:
    """Each serial device's driver."""
    sections = configuration.serial_sections()
    return {name: str(section.driver.value) for name, section in sections.items()}


def _check_ports(configuration: Configuration) -> list[str]:
    mistakes: list[str] = []
    taken: dict[str, str] = {}
    for part, section in configuration.serial_sections().items():
        port = section.port
        mistakes += _port_mistakes(part, str(section.driver.value), port)
        if port is not None and port in taken:
            mistakes.append(f"{part}.port: {port} is the port of the {taken[port]} already")
        taken[port or ""] = part
    return mistakes


def _check_protocols(configuration: Configuration) -> list[str]:
    game, shoe = GAMES.get(configuration.game), configuration.shoe
    if game is None or shoe is None or game.shoe is not ShoeKind.READING or shoe.protocol is None:
        return []
    return ["shoe.protocol: the reading shoe has a protocol of its own; leave it out"]


def _check_rail(configuration: Configuration) -> list[str]:
    rail = configuration.rail
    if rail is None:
        return []
    mistakes: list[str] = []
    if rail.driver is not RailDriver.SIMULATED:
        talks = rail.driver is RailDriver.CCTALK
        if talks != (rail.kind is RailKind.CCTALK):
            mistakes.append(
                f"rail.kind: {rail.kind.value!r} is not what {rail.driver.value} drives"
            )
        if talks and not rail.board_port:
            mistakes.append("rail.board_port: a ccTalk rail needs the port of its lamps and slots")
        if talks and rail.board_port and not Path(rail.board_port).is_absolute():
            right = "write it from the root, /dev/table/rail-board"
            mistakes.append(f"rail.board_port: {quote(rail.board_port)} is no device; {right}")
        if not talks and rail.board_port:
            mistakes.append("rail.board_port: only a ccTalk rail has one; leave it out")
    if len(set(rail.addresses)) != len(SEATS) or not all(1 < at <= BYTE for at in rail.addresses):
        mistakes.append("rail.addresses: seven different numbers from 2 to 255, seat 1 first")
    if rail.serials is not None and len(rail.serials) != len(SEATS):
        mistakes.append("rail.serials: seven serial numbers, seat 1 first")
    return mistakes


def _check_panel(configuration: Configuration) -> list[str]:
    panel = configuration.panel
    mistakes: list[str] = []
    if panel.driver is PanelDriver.GPIO and panel.pins is None:
        mistakes.append("panel.pins: driver 'gpio' needs it: lgpio or rpigpio; it is not guessed")
    if panel.driver is PanelDriver.SIMULATED and panel.pins is not None:
        mistakes.append("panel.pins: a simulated panel has no pins; leave it out")
    return mistakes


def _check_doors(configuration: Configuration) -> list[str]:
    """Each contact has a line of its own."""
    doors, panel = configuration.doors, configuration.panel
    if doors is None:
        return []
    taken = panel.lines.parts()
    if not panel.inspector:
        del taken[panel.lines.inspector]
    mistakes: list[str] = []
    for contact, line in doors.wiring.contacts().items():
        if line in taken:
            mistakes.append(f"doors.{contact.value}: GPIO {line} has the {taken[line]} already")
        taken[line] = name_contact(contact)
    return mistakes


def _port_mistakes(part: str, driver: str, port: str | None) -> list[str]:
    if driver == SIMULATED and port is not None:
        return [f"{part}.port: a simulated {part} has no port; leave it out"]
    if driver != SIMULATED and not port:
        return [f"{part}.port: driver {driver!r} needs a port, such as /dev/table/{part}"]
    if port is not None and not Path(port).is_absolute():
        return [
            f"{part}.port: {quote(port)} is no device; write it from the root, /dev/table/{part}"
        ]
    return []


def _check_kind(configuration: Configuration) -> list[str]:
    """A simulation must never pass for a real table, nor the reverse."""
    drivers = {**_drivers(configuration), "panel": str(configuration.panel.driver.value)}
    wrong: list[str] = []
    for part, driver in drivers.items():
        if configuration.kind is TableKind.PRODUCTION and driver == SIMULATED:
            wrong.append(f"{part}.driver: a production table has no simulated {part}")
        if configuration.kind is TableKind.SIMULATION and driver != SIMULATED:
            wrong.append(f"{part}.driver: in a simulation it is 'simulated'; a bench may mix")
    return wrong


def _check_folder(configuration: Configuration) -> list[str]:
    folder = configuration.ledger.folder
    if not Path(folder).is_absolute():
        return [
            f"ledger.folder: {quote(folder)} is relative; write it from the root, /var/lib/banco"
        ]
    return []


def _check_witnesses(configuration: Configuration) -> list[str]:
    """Second copy and seal must not be lost or set back together with the ledger."""
    ledger = configuration.ledger
    mistakes: list[str] = []
    for key, path, within in (
        ("mirror", ledger.mirror, {"folder": ledger.folder}),
        ("seal", ledger.seal, {"folder": ledger.folder, "mirror": ledger.mirror}),
    ):
        if path is None:
            continue
        if not Path(path).is_absolute():
            mistakes.append(f"ledger.{key}: {quote(path)} is relative; write it from the root")
        for other, place in within.items():
            if place is not None and Path(path).is_relative_to(place):
                mistakes.append(
                    f"ledger.{key}: {quote(path)} lies in ledger.{other}, not elsewhere"
                )
    if ledger.mirror is not None and Path(ledger.folder).is_relative_to(ledger.mirror):
        mistakes.append("ledger.mirror: ledger.folder lies in it, not elsewhere")
    return mistakes


def _check_key(configuration: Configuration) -> list[str]:
    """The key's folder must not be set back together with the ledger."""
    key, ledger = configuration.key, configuration.ledger
    if key is None:
        return []
    mistakes: list[str] = []
    if ledger.seal is None:
        mistakes.append("key: it signs the seal, and there is none: set ledger.seal, too")
    if not Path(key.folder).is_absolute():
        mistakes.append(f"key.folder: {quote(key.folder)} is relative; write it from the root")
    for name, place in {"ledger.folder": ledger.folder, "ledger.mirror": ledger.mirror}.items():
        if place is not None and Path(key.folder).is_relative_to(place):
            mistakes.append(f"key.folder: {quote(key.folder)} lies in {name}, not elsewhere")
    if ledger.seal is not None and Path(ledger.seal).is_relative_to(key.folder):
        mistakes.append(f"ledger.seal: {quote(ledger.seal)} lies in key.folder, not elsewhere")
    return mistakes


def _check_ranges(configuration: Configuration) -> list[str]:
    return list(find_range_mistakes(configuration))


def _check_web(configuration: Configuration) -> list[str]:
    web, metrics = configuration.web, configuration.metrics
    if web is None:
        return []
    mistakes = find_web_mistakes(web)
    if mistakes or metrics is None or metrics.port != parse_listen(web.listen).port:
        return mistakes
    return [f"web.listen: {metrics.port} is the port of the metrics already"]


def find_web_mistakes(web: WebSection) -> list[str]:
    """Every mistake in a section [web]."""
    mistakes = find_mistake("web.listen", parse_listen, web.listen)
    mistakes += [
        f"web.names: {quote(name)} is no host name in small letters, such as table3.casino.example"
        for name in web.names
        if not is_host_name(name)
    ]
    if (web.certificate is None) != (web.key is None):
        mistakes.append("web.certificate: TLS needs both, certificate and key")
    for name, file in (("certificate", web.certificate), ("key", web.key)):
        if file is not None and not Path(file).is_absolute():
            mistakes.append(f"web.{name}: {quote(file)} is relative; write it from the root")
    return mistakes


def _check_servers(configuration: Configuration) -> list[str | Words]:
    """Imported where a server is configured: most tables have none."""
    sections = (
        configuration.link,
        configuration.clock,
        configuration.witness,
        configuration.timestamp,
    )
    if all(section is None for section in sections):
        return []
    return find_server_mistakes(configuration)


def _check_sign(configuration: Configuration) -> list[str]:
    return [] if configuration.sign is None else [*find_sign_mistakes(configuration.sign)]


CHECKS: tuple[Callable[[Configuration], Sequence[str | Words]], ...] = (
    _check_name,
    _check_game,
    _check_poker,
    _check_money,
    _check_house,
    _check_prizes,
    _check_ports,
    _check_rail,
    _check_protocols,
    _check_panel,
    _check_doors,
    _check_kind,
    _check_folder,
    _check_witnesses,
    _check_key,
    _check_ranges,
    _check_web,
    _check_servers,
    _check_sign,
)

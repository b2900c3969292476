"""The bordereau's sections in one language, in the order in which they are read."""

from collections.abc import Iterator, Mapping

from console.bordereau.figures import (
    Bordereau,
    DeclarationEntry,
    FaultEntry,
    NotStamped,
    ServiceEntry,
    TimeStamp,
    When,
)
from console.bordereau.money_sections import money_sections, tray_section
from console.bordereau.poker_sections import (
    poker_sections,
    poker_settings,
)
from console.bordereau.sheet import (
    Column,
    Item,
    Sheet,
    SheetSection,
    group_hash,
    pairs_of,
    table_section,
)
from console.bordereau.words import Wording
from console.rules.games import Game
from console.rules.ledger_acts import HeadSigned
from console.rules.settings import Settings, fit_game
from console.texts import bordereau_texts
from console.texts.bordereau_texts import NOTED
from console.texts.declarations.lines import BY_KIND
from console.texts.table_texts import GAME_NAMES, PHASES

NOT_KNOWN = "-"


def sheet_of(report: Bordereau, say: Wording) -> Sheet:
    """A bordereau in the words of one language."""
    settings = report.settings[-1][1] if report.settings else None
    game = fit_game(settings.game, settings.poker) if settings else None
    opened = say.day(report.opened.wall) if report.opened else ""
    night, rounds = f"Bordereau {opened}", say(bordereau_texts.BORDEREAU_ROUNDS)
    return Sheet(
        title=night.rstrip() if report.stretch.night else rounds,
        table=settings.table if settings else NOT_KNOWN,
        game=say(GAME_NAMES[game.known_as]) if game else NOT_KNOWN,
        warnings=tuple(_warnings(report, say)),
        sections=tuple(_sections(report, game, say)),
        proof=_proof(report, say),
        signatures=(say(bordereau_texts.FLOOR_MANAGER), say(bordereau_texts.CASH_DESK)),
    )


def _warnings(report: Bordereau, say: Wording) -> Iterator[str]:
    if report.simulated:
        yield say(bordereau_texts.SIMULATION_NO_REAL_MONEY)
    if report.stretch.night and not report.stretch.closed:
        yield say(bordereau_texts.NOT_CLOSED_YET)
    if report.differs:
        names = ", ".join(report.differs)
        yield say(bordereau_texts.DOES_NOT_ADD_UP.fill(names))


def _sections(report: Bordereau, game: Game | None, say: Wording) -> Iterator[SheetSection]:
    yield _when(report, say)
    for at, (when, settings) in enumerate(report.settings):
        since = "" if when is None or at == 0 else f", {say.clock(when.wall)}"
        yield _settings(settings, f"{settings.version}{since}", say)
    for began, sha256 in report.configurations:
        yield _configuration(began, sha256, say)
    if game is not None and game.progressive:
        yield from money_sections(report, say)
    elif report.trays:
        yield tray_section(report, say)
    if report.poker is not None:
        yield from poker_sections(report, report.poker, say)
    if game is not None and (game.shuffler or game.shoe):
        yield _cards(report, game, say)
    yield _declarations(report, say)
    yield _faults(report, say)
    if report.services:
        yield _services(report, say)
    yield from _count_sections(report, say)
    if report.stamp is not None:
        yield _time_stamp(report.stamp, say)


def _when(report: Bordereau, say: Wording) -> SheetSection:
    opened = say.moment(report.opened.wall) if report.opened else NOT_KNOWN
    end = say(bordereau_texts.CLOSED) if report.stretch.closed else say(bordereau_texts.UNTIL)
    first, last = report.rounds
    rounds = f"{first}-{last} ({report.rounds_opened})" if report.rounds_opened else "0"
    staked = [(say(bordereau_texts.WITH_TOKENS), str(report.rounds_staked))]
    if report.poker is not None:
        staked = []
    pairs = [
        (say(bordereau_texts.OPENED), opened),
        (end, say.moment(report.last.wall)),
        (say(bordereau_texts.ROUNDS), rounds),
        *staked,
        (say(bordereau_texts.RECORDS), f"{report.first}-{report.last.seq}"),
        (say(bordereau_texts.PHASE), say(PHASES[report.phase])),
    ]
    started = say(bordereau_texts.SERVICE_STARTED)
    pairs += [(started, say.clock(start.wall)) for start in report.starts]
    return SheetSection(
        say(bordereau_texts.NIGHT) if report.stretch.night else say(bordereau_texts.ROUNDS_TEXT),
        pairs_of(pairs),
    )


def _settings(settings: Settings, version: str, say: Wording) -> SheetSection:
    title = say(bordereau_texts.SETTINGS_VERSION.fill(version))
    game = fit_game(settings.game, settings.poker)
    pairs = [
        (say(bordereau_texts.TABLE), settings.table),
        (say(bordereau_texts.GAME), say(GAME_NAMES[game.known_as])),
    ]
    money = settings.money
    if game.progressive:
        pairs += [
            (say(bordereau_texts.TOKEN_EUR), say.cents(money.token)),
            (say(bordereau_texts.JACKPOT), say.percent(money.to_jackpot)),
            (say(bordereau_texts.RESERVE), say.percent(money.to_reserve)),
        ]
        if isinstance(settings.link, str):
            pairs.append((say(bordereau_texts.LINKED_JACKPOT), settings.link))
        else:
            pairs.append((say(bordereau_texts.BASE_EUR), say.cents(money.base)))
    pairs += poker_settings(settings, say)
    return SheetSection(title, pairs_of(pairs))


def _configuration(began: When | None, sha256: str, say: Wording) -> SheetSection:
    """As `banco check` prints it of the file."""
    title = say(bordereau_texts.CONFIGURATION_SHA)
    none = say(bordereau_texts.NOT_RECORD)
    since = "" if began is None else f", {say.clock(began.wall)}"
    return SheetSection(title + since, notes=group_hash(sha256) or (none,))


def _cards(report: Bordereau, game: Game, say: Wording) -> SheetSection:
    cards = report.cards
    pairs = []
    if game.shuffler:
        pairs.append((say(bordereau_texts.DECKS_READY), str(cards.decks)))
        if game.packets:
            pairs.append((say(bordereau_texts.CARDS_DEALT), str(cards.dealt)))
    if game.shoe:
        pairs.append((say(bordereau_texts.SHOES_LOADED), str(cards.shoes)))
        pairs.append((say(bordereau_texts.CARDS_DRAWN), str(cards.drawn)))
    coups = say(bordereau_texts.COUPS)
    pairs += [(f"{coups} {result}", str(times)) for result, times in sorted(cards.coups.items())]
    return SheetSection(say(bordereau_texts.CARDS), pairs_of(pairs))


def _declarations(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say(bordereau_texts.TIME), 3),
        Column(say(bordereau_texts.ROUND), 2, right=True),
        Column(say(bordereau_texts.WHO), 4),
        Column(say(bordereau_texts.DECLARATION), 12),
    )
    items = (_declaration(one, say) for one in report.declarations)
    title = say(bordereau_texts.DECLARATIONS)
    return table_section(title, columns, items, none=say(bordereau_texts.NONE))


def _declaration(one: DeclarationEntry, say: Wording) -> Item:
    words = say.fill(BY_KIND[one.kind].choose_words(one.facts), one.facts)
    refused = say(bordereau_texts.REFUSED)
    clock, number = say.clock(one.when.wall), str(one.when.round)
    cells = (
        clock,
        number,
        one.who,
        f"{words}{refused} {say.refusal(one.refusal)}" if one.refusal else words,
    )
    where = say(bordereau_texts.ROUND_NUMBER.fill(number))
    lines = [(f"{clock} {one.who}", where), (f"  {words}", "")]
    if one.refusal:
        lines.append((refused, say.refusal(one.refusal)))
    return Item(cells, tuple(lines))


def _faults(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say(bordereau_texts.FAULT), 6),
        Column(say(bordereau_texts.FROM_TIME), 4),
        Column(say(bordereau_texts.TO), 4),
        Column(say(bordereau_texts.CLEARED_BY), 6),
    )
    items = (_fault(one, say) for one in report.faults)
    return table_section(
        say(bordereau_texts.FAULTS), columns, items, none=say(bordereau_texts.NONE_AT_ALL)
    )


def _fault(one: FaultEntry, say: Wording) -> Item:
    since = say.clock(one.raised.wall) if one.raised else say(bordereau_texts.BEFORE)
    until = say.clock(one.cleared.wall) if one.cleared else say(bordereau_texts.PRESENT)
    name = say.fault(one.code)
    cells = (name, since, until, one.who)
    lines = [(name, ""), (f"  {since} - {until}", one.who)]
    return Item(cells, tuple(lines), strong=one.cleared is None)


def _services(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say(bordereau_texts.FROM_TIME), 4),
        Column(say(bordereau_texts.TO), 4),
        Column(say(bordereau_texts.AT_LINE), 12),
    )
    items = (_service(one, say) for one in report.services)
    return table_section(say(bordereau_texts.SERVICE_KEY_AT_S), columns, items)


def _service(one: ServiceEntry, say: Wording) -> Item:
    since = say.clock(one.begun.wall) if one.begun else say(bordereau_texts.BEFORE)
    until = say.clock(one.ended.wall) if one.ended else say(bordereau_texts.STILL)
    people = ", ".join(one.people)
    lines = [(f"{since} - {until}", "")] + [("", person) for person in one.people]
    return Item((since, until, people), tuple(lines))


def _count_sections(report: Bordereau, say: Wording) -> Iterator[SheetSection]:
    refused = {say.refusal(code): times for code, times in report.refused.items()}
    if report.forgotten:
        refused[say(bordereau_texts.OTHERS_TABLE_LOCKED)] = report.forgotten
    noted = {say(NOTED[name]): times for name, times in report.noticed.items()}
    for title, figures in (
        (say(bordereau_texts.ACTS_REFUSED), refused),
        (say(bordereau_texts.NOTICED), noted),
        (say(bordereau_texts.LOGINS_BY_NAME_AND), report.entered),
        (say(bordereau_texts.WRONG_PINS), report.wrong_pins),
    ):
        if figures:
            yield _figures(title, figures)


def _figures(title: str, figures: Mapping[str, int]) -> SheetSection:
    return SheetSection(title, pairs_of((name, str(times)) for name, times in figures.items()))


def _time_stamp(stamp: TimeStamp | NotStamped, say: Wording) -> SheetSection:
    title = say(bordereau_texts.TIME_STAMP)
    if isinstance(stamp, NotStamped):
        return SheetSection(title, notes=(say(bordereau_texts.NONE_BECAUSE) + stamp.why,))
    names = (
        say(bordereau_texts.AT_TEXT),
        say(bordereau_texts.SERIAL_NUMBER),
        say(bordereau_texts.FROM),
    )
    return SheetSection(
        title, pairs_of(zip(names, (stamp.at, stamp.serial, stamp.server), strict=True))
    )


def _proof(report: Bordereau, say: Wording) -> SheetSection:
    title = say(bordereau_texts.LAST_RECORD.fill(report.last.seq))
    return SheetSection(title, notes=(*group_hash(report.hash), *_signature(report.signed, say)))


def _signature(head: HeadSigned | None, say: Wording) -> Iterator[str]:
    """What the table's own key has signed, in lines of at most 40 letters."""
    if head is None:
        yield say(bordereau_texts.NOT_SIGNED_TABLE_NO)
        return
    yield say(
        bordereau_texts.SIGNED_COUNTER.fill(head.seq, head.counter),
    )
    if head.store != "tpm":
        yield say(bordereau_texts.KEY_FILE_WITHOUT_TPM)
    yield say(bordereau_texts.KEY)
    yield from group_hash(head.key)
    yield say(bordereau_texts.SIGNATURE)
    yield from group_hash(head.signature)

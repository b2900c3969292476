"""The bordereau's sections in one language, in the order in which they are read."""

from collections.abc import Iterator, Mapping, Sequence

from console.bordereau.figures import (
    Bordereau,
    DeclarationEntry,
    FaultEntry,
    NotStamped,
    PokerEntry,
    ServiceEntry,
    TimeStamp,
    When,
)
from console.bordereau.money_sections import corrections_section, money_sections, tray_section
from console.bordereau.sheet import (
    Column,
    Item,
    Pair,
    Sheet,
    SheetSection,
    group_hash,
    pairs_of,
    table_section,
)
from console.bordereau.words import Wording
from console.rules.acts import HeadSigned
from console.rules.games import Game
from console.rules.poker_settings import Form, PokerSettings
from console.rules.release_marks import ReleaseChange
from console.rules.settings import Settings, fit_game
from console.texts import bordereau_texts
from console.texts.bordereau_texts import NOTED, REASONS
from console.texts.declarations.lines import BY_KIND
from console.texts.display import TEXTS
from console.texts.table_texts import GAME_NAMES, PHASES, SETTINGS_VERSION, names_of
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import UNITS_PER_CENT
from jackpot.money.prizes import PrizeTable

NOT_KNOWN = "-"

SIGNATURES = (
    bordereau_texts.CROUPIER,
    bordereau_texts.FLOOR_MANAGER,
    bordereau_texts.CASH_DESK,
    bordereau_texts.CONTROLLER,
)


def poker_sections(report: Bordereau, poker: PokerEntry, say: Wording) -> Iterator[SheetSection]:
    """The sections of a poker table; a tournament takes no rake."""
    yield _hands(poker, say)
    if _plays_cash(report):
        yield _rake(report, poker, say)
        yield _drop(report, poker, say)
    if report.corrections:
        yield corrections_section(report, say)


def poker_settings(settings: Settings, say: Wording) -> list[tuple[str, str]]:
    """What the settings say of poker."""
    poker = settings.poker
    if not isinstance(poker, PokerSettings):
        return []
    forms = {Form.CASH: say(bordereau_texts.CASH), Form.TOURNAMENT: say(bordereau_texts.TOURNAMENT)}
    return [
        (say(bordereau_texts.FORM), forms[poker.form]),
        (say(bordereau_texts.HOUSE), poker.house.value),
    ]


def _plays_cash(report: Bordereau) -> bool:
    """Whether it was played for cash at any time."""
    played = (settings.poker for _, settings in report.settings)
    return any(isinstance(one, PokerSettings) and one.form is Form.CASH for one in played)


def _hands(poker: PokerEntry, say: Wording) -> SheetSection:
    names = (
        (say(bordereau_texts.HANDS_OF_A_NIGHT), poker.hands),
        (say(bordereau_texts.MISDEALS), poker.misdeals),
        (say(bordereau_texts.VOID), poker.voids),
        (say(bordereau_texts.TIME_CALLS), poker.time_calls),
        (say(bordereau_texts.THEM_EXPIRED), poker.expired),
        (say(bordereau_texts.NEW_DEALERS), poker.dealers),
        (say(bordereau_texts.THEM_EARLY), poker.early),
        (say(bordereau_texts.DECK_CHANGES), poker.changes),
    )
    return SheetSection(
        say(bordereau_texts.HANDS), pairs_of((name, str(times)) for name, times in names)
    )


def _rake(report: Bordereau, poker: PokerEntry, say: Wording) -> SheetSection:
    moved = dict(report.money.rows())
    posted = [
        (say(REASONS[reason]), say.amount(moved[reason].of(Account.RAKE)))
        for reason in (Reason.RAKE, Reason.RAKE_RETURNED)
        if reason in moved
    ]
    return SheetSection(
        say(bordereau_texts.POTS_AND_RAKE_EUR),
        (
            Pair(say(bordereau_texts.HANDS_COUNTED), str(poker.counted)),
            Pair(say(bordereau_texts.POTS), say.cents(poker.pots)),
            *pairs_of(posted),
            Pair(say(bordereau_texts.RAKE_TAKEN), say.amount(report.rake), strong=True),
            Pair(say(bordereau_texts.FLOPS_WITHOUT_ENTRY), str(poker.flops_without_entry)),
        ),
    )


def _drop(report: Bordereau, poker: PokerEntry, say: Wording) -> SheetSection:
    """The last count of the rake box; earlier ones as notes."""
    title = say(bordereau_texts.DROP_RAKE_BOX_EUR)
    if not poker.drops:
        return SheetSection(title, notes=(say(bordereau_texts.NOT_COUNTED),))
    last = poker.drops[-1]
    difference = last.counted * UNITS_PER_CENT - report.rake
    sign = "+" if difference > 0 else ""
    earlier = tuple(
        say(
            bordereau_texts.BEFORE_COUNTED_AT.fill(
                say.cents(one.counted), one.who, say.clock(one.when.wall)
            ),
        )
        for one in poker.drops[:-1]
    )
    return SheetSection(
        title,
        (
            Pair(say(bordereau_texts.COUNTED), say.cents(last.counted)),
            Pair(say(bordereau_texts.RECORD), say.amount(report.rake)),
            Pair(say(bordereau_texts.DIFFERENCE), f"{sign}{say.amount(difference)}", strong=True),
            Pair(say(bordereau_texts.COUNTED_BY), last.who),
            Pair(say(bordereau_texts.AT), say.clock(last.when.wall)),
        ),
        notes=earlier,
    )


def sheet_of(report: Bordereau, say: Wording, house: str = "") -> Sheet:
    """A night's bordereau in the words of one language; `house`: name and place, for its head."""
    settings = report.settings[-1][1] if report.settings else None
    game = fit_game(settings.game, settings.poker) if settings else None
    opened = say.day(report.opened.wall) if report.opened else ""
    table = settings.table if settings else NOT_KNOWN
    night, rounds = f"Bordereau {opened}", say(bordereau_texts.BORDEREAU_ROUNDS)
    return Sheet(
        title=night.rstrip() if report.stretch.night else rounds,
        house=house,
        table=table,
        game=say(GAME_NAMES[game.known_as]) if game else NOT_KNOWN,
        warnings=tuple(_warnings(report, say)),
        sections=tuple(_sections(report, game, say)),
        proof=_proof(report, say),
        number=say(bordereau_texts.NUMBER) + f" {table}/{report.last.seq}",
        across=say(bordereau_texts.SIMULATION) if report.simulated else "",
        remarks=say(bordereau_texts.REMARKS),
        signatures=tuple(say(who) for who in SIGNATURES),
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
    for at, (when, settings) in enumerate(report.settings):
        since = "" if when is None or at == 0 else f", {say.clock(when.wall)}"
        yield _settings(settings, f"{settings.version}{since}", say)
    for began, sha256 in report.configurations:
        yield _configuration(began, sha256, say)
    for began, release in report.releases:
        yield _release(began, release, say)
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
        say(bordereau_texts.NIGHT) if report.stretch.night else say(bordereau_texts.ROUNDS_TITLE),
        pairs_of(pairs),
    )


def _settings(settings: Settings, version: str, say: Wording) -> SheetSection:
    title = say(SETTINGS_VERSION.fill(version))
    game = fit_game(settings.game, settings.poker)
    pairs = [
        (say(bordereau_texts.TABLE), settings.table),
        (say(bordereau_texts.GAME), say(GAME_NAMES[game.known_as])),
    ]
    money, currency = settings.money, names_of(settings).currency
    if game.progressive:
        pairs += [
            (say(bordereau_texts.TOKEN_IN.fill(currency)), say.cents(money.token)),
            (say(bordereau_texts.JACKPOT), say.percent(money.to_jackpot)),
            (say(bordereau_texts.RESERVE), say.percent(money.to_reserve)),
        ]
        if isinstance(settings.link, str):
            pairs.append((say(bordereau_texts.LINKED_JACKPOT), settings.link))
        else:
            pairs.append((say(bordereau_texts.BASE_IN.fill(currency)), say.cents(money.base)))
    if isinstance(settings.prizes, PrizeTable):
        pairs += _prizes(settings.prizes, say)
    pairs += poker_settings(settings, say)
    return SheetSection(title, pairs_of(pairs))


def _prizes(table: PrizeTable, say: Wording) -> Iterator[tuple[str, str]]:
    """What a prize file says, in the order of the buttons."""
    if table.limit is not None:
        yield say(bordereau_texts.LIMIT_IN.fill(table.currency)), say.cents(table.limit)
    for prize in table.prizes:
        house = f" {say(bordereau_texts.FROM_HOUSE)}" if prize.by_house else ""
        pays = say.percent(prize.share) if prize.share else say.cents(prize.amount)
        envy = f", {say(bordereau_texts.ENVY)} {say.cents(prize.envy)}" if prize.envy else ""
        yield TEXTS[say.language].combination(prize), f"{pays}{envy}{house}"


def _configuration(began: When | None, sha256: str, say: Wording) -> SheetSection:
    """As `banco check` prints it of the file."""
    title = say(bordereau_texts.CONFIGURATION_SHA)
    none = say(bordereau_texts.NOT_RECORD)
    since = "" if began is None else f", {say.clock(began.wall)}"
    return SheetSection(title + since, notes=group_hash(sha256) or (none,))


def _release(began: When | None, release: ReleaseChange, say: Wording) -> SheetSection:
    """As `banco-check` prints it of the machine."""
    since = "" if began is None else f", {say.clock(began.wall)}"
    title = say(bordereau_texts.PROGRAM_SHA.fill(release.version))
    return SheetSection(title + since, notes=group_hash(release.digest))


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
    """A row for each code; JSON and record have every single one."""
    columns = (
        Column(say(bordereau_texts.FAULT), 6),
        Column(say(bordereau_texts.TIMES), 2, right=True),
        Column(say(bordereau_texts.FIRST_AT), 4, right=True),
        Column(say(bordereau_texts.LAST_UNTIL), 4, right=True),
        Column(say(bordereau_texts.CLEARED_BY), 6),
    )
    by_code: dict[str, list[FaultEntry]] = {}
    for one in report.faults:
        by_code.setdefault(one.code, []).append(one)
    items = (_fault(code, entries, say) for code, entries in by_code.items())
    return table_section(
        say(bordereau_texts.FAULTS), columns, items, none=say(bordereau_texts.NONE_AT_ALL)
    )


def _fault(code: str, entries: Sequence[FaultEntry], say: Wording) -> Item:
    first, last = entries[0].raised, entries[-1].cleared
    present = any(one.cleared is None for one in entries)
    since = say.clock(first.wall) if first else say(bordereau_texts.BEFORE)
    until = say(bordereau_texts.STILL)
    if last is not None and not present:
        until = say.clock(last.wall)
    name, times = say.fault(code), str(len(entries))
    who = ", ".join(dict.fromkeys(one.who for one in entries if one.who))
    lines = [(name, f"x{times}"), (f"  {since} - {until}", who)]
    return Item((name, times, since, until, who), tuple(lines), strong=present)


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
        say(bordereau_texts.DAY_AND_TIME),
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

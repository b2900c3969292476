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
from console.bordereau.words import NOTED, Wording
from console.rules.games import Game
from console.rules.ledger_acts import HeadSigned
from console.rules.settings import Settings, fit_game
from console.texts.declarations.lines import BY_KIND
from console.texts.table_texts import GAME_NAMES, PHASES

NOT_KNOWN = "-"


def sheet_of(report: Bordereau, say: Wording) -> Sheet:
    """A bordereau in the words of one language."""
    settings = report.settings[-1][1] if report.settings else None
    game = fit_game(settings.game, settings.poker) if settings else None
    opened = say.day(report.opened.wall) if report.opened else ""
    night, rounds = f"Bordereau {opened}", say("Bordereau di mani", "Bordereau of rounds")
    return Sheet(
        title=night.rstrip() if report.stretch.night else rounds,
        table=settings.table if settings else NOT_KNOWN,
        game=say.word(GAME_NAMES[game.known_as]) if game else NOT_KNOWN,
        warnings=tuple(_warnings(report, say)),
        sections=tuple(_sections(report, game, say)),
        proof=_proof(report, say),
        signatures=(say("capotavolo", "floor manager"), say("cassa", "cash desk")),
    )


def _warnings(report: Bordereau, say: Wording) -> Iterator[str]:
    if report.simulated:
        yield say("SIMULAZIONE: NESSUN DENARO VERO", "SIMULATION: NO REAL MONEY")
    if report.stretch.night and not report.stretch.closed:
        yield say("NON ANCORA CHIUSO", "NOT CLOSED YET")
    if report.differs:
        names = ", ".join(report.differs)
        yield say(f"NON QUADRA: {names}", f"DOES NOT ADD UP: {names}")


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
    end = say("chiuso", "closed") if report.stretch.closed else say("fino a", "until")
    first, last = report.rounds
    rounds = f"{first}-{last} ({report.rounds_opened})" if report.rounds_opened else "0"
    staked = [(say("con gettoni", "with tokens"), str(report.rounds_staked))]
    if report.poker is not None:
        staked = []
    pairs = [
        (say("aperto", "opened"), opened),
        (end, say.moment(report.last.wall)),
        (say("mani", "rounds"), rounds),
        *staked,
        (say("registrazioni", "records"), f"{report.first}-{report.last.seq}"),
        (say("fase", "phase"), say.word(PHASES[report.phase])),
    ]
    started = say("servizio avviato", "service started")
    pairs += [(started, say.clock(start.wall)) for start in report.starts]
    return SheetSection(
        say("Notte", "Night") if report.stretch.night else say("Mani", "Rounds"), pairs_of(pairs)
    )


def _settings(settings: Settings, version: str, say: Wording) -> SheetSection:
    title = say(f"Impostazioni, versione {version}", f"Settings, version {version}")
    game = fit_game(settings.game, settings.poker)
    pairs = [
        (say("tavolo", "table"), settings.table),
        (say("gioco", "game"), say.word(GAME_NAMES[game.known_as])),
    ]
    money = settings.money
    if game.progressive:
        pairs += [
            (say("gettone EUR", "token EUR"), say.cents(money.token)),
            (say("al jackpot", "to the jackpot"), say.percent(money.to_jackpot)),
            (say("alla riserva", "to the reserve"), say.percent(money.to_reserve)),
        ]
        if isinstance(settings.link, str):
            pairs.append((say("jackpot collegato", "linked jackpot"), settings.link))
        else:
            pairs.append((say("base EUR", "base EUR"), say.cents(money.base)))
    pairs += poker_settings(settings, say)
    return SheetSection(title, pairs_of(pairs))


def _configuration(began: When | None, sha256: str, say: Wording) -> SheetSection:
    """As `banco check` prints it of the file."""
    title = say("Configurazione, SHA-256", "Configuration, SHA-256")
    none = say("non è nel registro", "not on record")
    since = "" if began is None else f", {say.clock(began.wall)}"
    return SheetSection(title + since, notes=group_hash(sha256) or (none,))


def _cards(report: Bordereau, game: Game, say: Wording) -> SheetSection:
    cards = report.cards
    pairs = []
    if game.shuffler:
        pairs.append((say("mazzi pronti", "decks ready"), str(cards.decks)))
        if game.packets:
            pairs.append((say("carte date", "cards dealt"), str(cards.dealt)))
    if game.shoe:
        pairs.append((say("sabot caricati", "shoes loaded"), str(cards.shoes)))
        pairs.append((say("carte uscite", "cards drawn"), str(cards.drawn)))
    coups = say("colpi", "coups")
    pairs += [(f"{coups} {result}", str(times)) for result, times in sorted(cards.coups.items())]
    return SheetSection(say("Carte", "Cards"), pairs_of(pairs))


def _declarations(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say("ora", "time"), 3),
        Column(say("mano", "round"), 2, right=True),
        Column(say("chi", "who"), 4),
        Column(say("dichiarazione", "declaration"), 12),
    )
    items = (_declaration(one, say) for one in report.declarations)
    title = say("Dichiarazioni", "Declarations")
    return table_section(title, columns, items, none=say("Nessuna.", "None."))


def _declaration(one: DeclarationEntry, say: Wording) -> Item:
    words = say.fill(BY_KIND[one.kind].choose_words(one.facts), one.facts)
    refused = say("  rifiutata", "  refused")
    clock, number = say.clock(one.when.wall), str(one.when.round)
    cells = (
        clock,
        number,
        one.who,
        f"{words}{refused} {say.refusal(one.refusal)}" if one.refusal else words,
    )
    where = say(f"mano {number}", f"round {number}")
    lines = [(f"{clock} {one.who}", where), (f"  {words}", "")]
    if one.refusal:
        lines.append((refused, say.refusal(one.refusal)))
    return Item(cells, tuple(lines))


def _faults(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say("guasto", "fault"), 6),
        Column(say("dalle", "from"), 4),
        Column(say("alle", "to"), 4),
        Column(say("azzerato da", "cleared by"), 6),
    )
    items = (_fault(one, say) for one in report.faults)
    return table_section(say("Guasti", "Faults"), columns, items, none=say("Nessuno.", "None."))


def _fault(one: FaultEntry, say: Wording) -> Item:
    since = say.clock(one.raised.wall) if one.raised else say("prima", "before")
    until = say.clock(one.cleared.wall) if one.cleared else say("presente", "present")
    name = say.fault(one.code)
    cells = (name, since, until, one.who)
    lines = [(name, ""), (f"  {since} - {until}", one.who)]
    return Item(cells, tuple(lines), strong=one.cleared is None)


def _services(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say("dalle", "from"), 4),
        Column(say("alle", "to"), 4),
        Column(say("al terminale", "at the line"), 12),
    )
    items = (_service(one, say) for one in report.services)
    return table_section(say("Manutenzione (chiave in S)", "Service (key at S)"), columns, items)


def _service(one: ServiceEntry, say: Wording) -> Item:
    since = say.clock(one.begun.wall) if one.begun else say("prima", "before")
    until = say.clock(one.ended.wall) if one.ended else say("ancora", "still")
    people = ", ".join(one.people)
    lines = [(f"{since} - {until}", "")] + [("", person) for person in one.people]
    return Item((since, until, people), tuple(lines))


def _count_sections(report: Bordereau, say: Wording) -> Iterator[SheetSection]:
    refused = {say.refusal(code): times for code, times in report.refused.items()}
    if report.forgotten:
        refused[say("Altri, tavolo bloccato", "Others, table locked")] = report.forgotten
    noted = {say.word(NOTED[name]): times for name, times in report.noticed.items()}
    for title, figures in (
        (say("Atti rifiutati", "Acts refused"), refused),
        (say("Anomalie", "Noticed"), noted),
        (say("Accessi con nome e PIN", "Logins by name and PIN"), report.entered),
        (say("PIN sbagliati", "Wrong PINs"), report.wrong_pins),
    ):
        if figures:
            yield _figures(title, figures)


def _figures(title: str, figures: Mapping[str, int]) -> SheetSection:
    return SheetSection(title, pairs_of((name, str(times)) for name, times in figures.items()))


def _time_stamp(stamp: TimeStamp | NotStamped, say: Wording) -> SheetSection:
    title = say("Marca temporale", "Time stamp")
    if isinstance(stamp, NotStamped):
        return SheetSection(title, notes=(say("Nessuna: ", "None: ") + stamp.why,))
    names = (say("data", "at"), say("numero", "serial number"), say("da", "from"))
    return SheetSection(
        title, pairs_of(zip(names, (stamp.at, stamp.serial, stamp.server), strict=True))
    )


def _proof(report: Bordereau, say: Wording) -> SheetSection:
    title = say(f"Ultima registrazione: {report.last.seq}", f"Last record: {report.last.seq}")
    return SheetSection(title, notes=(*group_hash(report.hash), *_signature(report.signed, say)))


def _signature(head: HeadSigned | None, say: Wording) -> Iterator[str]:
    """What the table's own key has signed, in lines of at most 40 letters."""
    if head is None:
        yield say("non firmata: il tavolo non ha chiave", "not signed: the table has no key")
        return
    yield say(
        f"firmata {head.seq}, contatore {head.counter}",
        f"signed {head.seq}, counter {head.counter}",
    )
    if head.store != "tpm":
        yield say("chiave in un file, senza TPM", "key in a file, without a TPM")
    yield say("chiave:", "key:")
    yield from group_hash(head.key)
    yield say("firma:", "signature:")
    yield from group_hash(head.signature)

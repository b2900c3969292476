"""The messages to browsers that come from snapshots: table, jackpot, road, clock, sign."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from console.configuration.sign_section import SignSection
from console.rules.codes import CLEARED_BY_TECHNICIAN, Phase
from console.rules.games import GAMES
from console.rules.poker_settings import Form
from console.service.clock import wall_clock
from console.texts.catalogue.brief import FAULTS, REFUSALS, CodeBrief
from console.texts.catalogue.entries import CodeKind, catalogue
from console.texts.display import TEXTS
from console.texts.language import Language
from console.texts.table_texts import TableNames, name_combination, names_from
from console.web.messages import PagesOpening, TableSnapshot
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers
from jackpot.money.amounts import format_cents, parse_cents
from jackpot.money.prizes import Prize, PrizeTable

OF_TABLE = (Audience.CABINET, Audience.SIGN, Audience.SUPERVISOR)

HEARTBEAT: Mapping[str, str] = {"kind": "heartbeat"}
LOST = {"kind": "lost"}

DARK = Phase.SERVICE.value
"""The phase on the sign of a simulated table without power; a real sign would have lost it."""


def publish_table(
    receiver: TableReceiver, viewers: Viewers, wall: Callable[[], str] = wall_clock
) -> None:
    """Show viewers the table from now on: what it is, each snapshot, and whether it is lost.

    `wall`: the label of this moment, which the supervisor's page needs to say how long something
    has waited.
    """
    opening = receiver.opening
    for audience in OF_TABLE:
        viewers.show(audience, "table", table_message(opening, audience))

    def show_snapshot(snapshot: TableSnapshot) -> None:
        for audience in (Audience.CABINET, Audience.SUPERVISOR):
            again = viewers.forget(audience, "lost")
            viewers.show(audience, "snapshot", snapshot, again=again)
        again = viewers.forget(Audience.SIGN, "lost")
        viewers.show(Audience.SIGN, "jackpot", jackpot_message(opening, snapshot), again=again)
        if opening.shoe == "reading":
            viewers.show(Audience.SIGN, "road", road_message(snapshot), again=again)
        if snapshot.poker is not None and snapshot.poker.step is not None:
            viewers.show(Audience.SIGN, "clock", clock_message(opening, snapshot), again=again)

    def send_heartbeat() -> None:
        for audience in OF_TABLE:
            timed = {"wall": wall()} if audience is Audience.SUPERVISOR else {}
            viewers.send(audience, {**HEARTBEAT, **timed})

    def show_loss() -> None:
        for audience in OF_TABLE:
            viewers.show(audience, "lost", LOST)

    receiver.on_snapshot.append(show_snapshot)
    receiver.on_heartbeat.append(send_heartbeat)
    receiver.on_lost.append(show_loss)


def table_message(opening: PagesOpening, audience: Audience) -> dict[str, Any]:
    """Which table it is; the sign gets only what every player may see."""
    message: dict[str, Any] = {
        "kind": "table",
        "table": opening.table,
        "game": opening.game,
        "language": opening.language,
        "simulated": opening.simulated,
        "shoe": opening.shoe,
        "combinations": opening.combinations,
        **describe_prizes(opening),
    }
    if audience is Audience.SIGN:
        prizes = names_from(opening.game, opening.prizes).prizes
        return message | {
            "texts": _name_combinations(opening),
            "ladder": describe_ladder(prizes) if opening.combinations else [],
            **describe_house(opening.sign),
            "facts": describe_facts(opening),
        }
    texts = _texts(opening)
    if audience is Audience.CABINET:
        for language in Language:
            texts[language.value]["remedies"] = _remedies(language)
    return message | {
        "version": opening.version,
        "kind_of_game": GAMES[opening.game].kind.value,
        "known_as": opening.known_as,
        "poker": opening.poker,
        "rail": opening.rail,
        "shuffler": opening.shuffler,
        "devices": opening.devices,
        "buttons": opening.buttons,
        "link": opening.link,
        "inspector_fitted": opening.inspector_fitted,
        "token": opening.token,
        "base": opening.base,
        "declarations": opening.declarations if audience is Audience.CABINET else (),
        "cleared_by_technician": sorted(fault.value for fault in CLEARED_BY_TECHNICIAN),
        "texts": texts,
    }


def describe_prizes(opening: PagesOpening) -> dict[str, Any]:
    """The currency of all amounts, and the jackpot's limit; None: there is no limit."""
    return describe_names(names_from(opening.game, opening.prizes))


def describe_names(names: TableNames) -> dict[str, Any]:
    """The same of a table or a linked jackpot with these names."""
    limit = names.limit
    return {
        "currency": names.currency,
        "limit": None if limit is None else format_cents(limit),
    }


def _name_combinations(opening: PagesOpening) -> dict[str, dict[str, Any]]:
    prizes = names_from(opening.game, opening.prizes).prize_file
    return combination_texts(opening.combinations, prizes)


def combination_texts(
    combinations: tuple[str, ...], prizes: PrizeTable | None = None
) -> dict[str, dict[str, Any]]:
    """The names of these combinations, in each language; `prizes`: of a prize file."""
    names = {code: name_combination(code, prizes) for code in combinations}
    return {
        language.value: {
            "combinations": {code: name.in_(language).upper() for code, name in names.items()}
        }
        for language in Language
    }


def _texts(opening: PagesOpening) -> dict[str, dict[str, Any]]:
    texts = _name_combinations(opening)
    for language in Language:
        texts[language.value]["combinations"] |= _chip_texts(opening, language)
        texts[language.value] |= {
            "refusals": _meanings(REFUSALS, language),
            "faults": _meanings(FAULTS, language),
        }
    return texts


def _chip_texts(opening: PagesOpening, language: Language) -> dict[str, str]:
    """What the buttons that count a pot say: the values of their chips."""
    chips = opening.poker.chips if opening.poker is not None else ()
    return {f"CHIP_{place}": _write_chip(chip, language) for place, chip in enumerate(chips, 1)}


def _write_chip(chip: str, language: Language) -> str:
    """Without cents where there are none."""
    written = TEXTS[language].number(parse_cents(chip))
    return "CHIP " + written.removesuffix(f"{TEXTS[language].decimal}00")


def _meanings(codes: Mapping[Any, CodeBrief], language: Language) -> dict[str, str]:
    """What each code means, in one line; the display's text is too short for a page."""
    return {code.value: entry.means.in_(language) for code, entry in codes.items()}


def _remedies(language: Language) -> dict[str, str]:
    """What to do after each refusal, in plain text."""
    entries = catalogue().of(CodeKind.REFUSAL)
    return {entry.code: entry.in_(language).do.replace("`", "") for entry in entries}


def jackpot_message(opening: PagesOpening, snapshot: TableSnapshot) -> dict[str, Any]:
    """The sign's amount, the award that is pending, and whether players may stake now.

    From `phase` and `takes_bets` the page (pages/sign/sign.js, `writeBetting`) chooses its words
    "bets open", "bets closed", "betting suspended", "table closed" or "table out of service":
    `[betting]` in console/texts/pages/sign.toml.
    """
    return {
        "kind": "jackpot",
        "amount": snapshot.jackpot,
        "progressive": bool(opening.combinations),
        "phase": snapshot.seen["phase"] if snapshot.powered else DARK,
        "takes_bets": snapshot.powered and snapshot.takes_bets,
        "award": snapshot.seen["award"],
        "kind_of_game": GAMES[opening.game].kind.value,
        "last_hands": snapshot.last_hands,
        "free_seats": _count_free_seats(opening, snapshot),
    }


def _count_free_seats(opening: PagesOpening, snapshot: TableSnapshot) -> int | None:
    """Of a cash table that has begun; None: of another one nobody knows."""
    poker, players = opening.poker, snapshot.seen.get("players")
    if poker is None or poker.form != Form.CASH.value or players is None or not snapshot.powered:
        return None
    return max(0, poker.seats - int(players))


def road_message(snapshot: TableSnapshot) -> dict[str, Any]:
    """The shoe of Punto Banco: its road, and the coup so far."""
    seen = snapshot.seen
    return {
        "kind": "road",
        "remaining": seen["remaining"],
        "last": seen["last"],
        "punto": snapshot.punto,
        "banco": snapshot.banco,
        "points": seen["points"],
        "next": seen["next"],
        "result": seen["result"],
        "road": snapshot.road,
    }


class ClockFacts(Struct, frozen=True):
    """Where a tournament stands. `step`: of the structure, from 0.

    `left_ms`: of the step, or of an `extra` break in it; None: it is not known. `ticks`: whether
    time passes. `hand`: of a table. `tables`: that share the clock. `entries`, `chips`:
    of the tournament; 0: nobody has declared them. `here`: the players are this table's alone, and
    others play the tournament, too.
    """

    step: int
    left_ms: int | None
    ticks: bool
    hand_for_hand: bool
    players: int
    extra: bool
    hand: int | None = None
    tables: int | None = None
    entries: int = 0
    chips: int = 0
    here: bool = False


def describe_clock(
    steps: tuple[str, ...], lengths: tuple[int, ...], facts: ClockFacts
) -> dict[str, Any]:
    """The tournament on a sign: level, blinds, clock, what comes next.

    `blinds` of the step, "" for a break; `next` of the one after it, None if there is none.
    `average`: a player's stack, rounded down; None: it is not known.
    `break_after_ms`: what lies between this step and the next break; None: no break comes.
    """
    step = facts.step
    following = step if facts.extra else step + 1
    return {
        "kind": "clock",
        "level": sum(1 for blinds in steps[: step + 1] if blinds),
        "blinds": "" if facts.extra else steps[step],
        "next": steps[following] if following < len(steps) else None,
        "left_ms": facts.left_ms,
        "break_after_ms": _reckon_break(steps, lengths, facts),
        "ticks": facts.ticks,
        "hand_for_hand": facts.hand_for_hand,
        "players": facts.players,
        "entries": facts.entries or None,
        "average": facts.chips // facts.players if facts.chips and facts.players else None,
        "hand": facts.hand,
        "tables": facts.tables,
        "here": facts.here,
    }


def _reckon_break(
    steps: tuple[str, ...], lengths: tuple[int, ...], facts: ClockFacts
) -> int | None:
    """Not while it is a break."""
    later = steps[facts.step + 1 :]
    if facts.extra or not steps[facts.step] or "" not in later:
        return None
    return sum(lengths[facts.step + 1 : facts.step + 1 + later.index("")])


def clock_message(opening: PagesOpening, snapshot: TableSnapshot) -> dict[str, Any]:
    """A table's own. `left_ms`: when the message was made. Raises ValueError without a clock."""
    poker, seen = snapshot.poker, snapshot.seen
    if poker is None or poker.step is None or opening.poker is None:
        raise ValueError("no tournament")
    passed = snapshot.now - poker.at if poker.ticks else 0
    facts = ClockFacts(
        poker.step,
        max(0, poker.left_ms - passed),
        poker.ticks and snapshot.powered,
        poker.hand_for_hand,
        seen["players"],
        poker.extra,
        hand=seen["hand"],
        entries=poker.entries,
        chips=poker.chips,
        here=opening.poker.shares_clock,
    )
    return describe_clock(opening.poker.steps, opening.poker.lengths, facts)


CASH = "cash"


def describe_ladder(prizes: Iterable[Prize]) -> list[dict[str, Any]]:
    """A rung for each prize; what it pays now the page reckons, as the amount it shows creeps.

    Amounts are written `12345.67`; a `share` is in basis points. `always`: whatever the jackpot
    has. Not which key it needs.
    """
    return [
        {
            "combination": prize.combination,
            "share": prize.share,
            "amount": format_cents(prize.amount),
            "always": prize.by_house,
            "envy": format_cents(prize.envy) if prize.envy else None,
        }
        for prize in prizes
    ]


def describe_house(sign: SignSection) -> dict[str, Any]:
    """What the house has on its sign, as far as its page is not written with it already."""
    return {
        "symbol": sign.currency,
        "languages": sign.languages,
        "messages": sign.messages,
        "sound": sign.sound,
    }


def describe_stakes(sign: SignSection) -> list[dict[str, Any]]:
    """A player's lowest and highest stake, where the house says them."""
    amounts = [one for one in (sign.lowest, sign.highest) if one]
    return [{"fact": "stake", "amounts": amounts}] if amounts else []


def describe_facts(opening: PagesOpening) -> list[dict[str, Any]]:
    """Each with its name in `[limits]` of console/texts/pages/sign.toml, amounts as `12345.67`."""
    own = [
        {"fact": fact, "amounts": amounts}
        for fact, amounts in (
            ("token", [opening.token] if opening.combinations else []),
            ("blinds", _blinds_of(opening)),
        )
        if amounts
    ]
    return [*describe_stakes(opening.sign), *own, *_rake_of(opening)]


def _rake_of(opening: PagesOpening) -> list[dict[str, Any]]:
    """A cash table's rake: its share in basis points, and the most that is taken."""
    rake = opening.poker.rake if opening.poker is not None else None
    return [] if rake is None else [{"fact": "rake", "amounts": [rake.most], "share": rake.share}]


def _blinds_of(opening: PagesOpening) -> list[str]:
    poker = opening.poker
    if poker is None or poker.form != CASH:
        return []
    return [f"{blind}.00" for blind in poker.blinds.split("/")]

"""What the table was told becomes what browsers are shown."""

from collections.abc import Mapping
from typing import Any

from console.rules.codes import Phase
from console.texts.catalogue.brief import CodeBrief, brief
from console.texts.display import TEXTS
from console.texts.language import Language
from console.web.messages import PagesOpening, TableSnapshot
from console.web.serving.table_receiver import TableReceiver
from console.web.serving.viewers import Audience, Viewers

HEARTBEAT = {"kind": "beat"}
LOST = {"kind": "lost"}

DARK = Phase.SERVICE.value
"""What a sign shows of a simulated table without power; a real one's would have lost it."""


def publish_table(told: TableReceiver, hub: Viewers) -> None:
    """From now on who looks is shown the table: what it is, each Sight, and whether it is there."""
    opening = told.opening
    for audience in Audience:
        hub.show(audience, "table", table_message(opening, audience))

    def seen(sight: TableSnapshot) -> None:
        for audience in (Audience.CABINET, Audience.SUPERVISOR):
            again = hub.forget(audience, "lost")
            hub.show(audience, "sight", sight, again=again)
        again = hub.forget(Audience.SIGN, "lost")
        hub.show(Audience.SIGN, "jackpot", jackpot_message(opening, sight), again=again)
        if opening.shoe == "reading":
            hub.show(Audience.SIGN, "road", road_message(sight), again=again)

    def beaten() -> None:
        for audience in Audience:
            hub.tell(audience, HEARTBEAT)

    def lost() -> None:
        for audience in Audience:
            hub.show(audience, "lost", LOST)

    told.seen.append(seen)
    told.beaten.append(beaten)
    told.lost.append(lost)


def table_message(opening: PagesOpening, audience: Audience) -> dict[str, Any]:
    """Which table it is; of a sign's, only what every player may see."""
    message: dict[str, Any] = {
        "kind": "table",
        "table": opening.table,
        "game": opening.game,
        "language": opening.language,
        "simulated": opening.simulated,
        "shoe": opening.shoe,
        "combinations": opening.combinations,
    }
    if audience is Audience.SIGN:
        return message | {"texts": _texts(opening, whole=False)}
    return message | {
        "version": opening.version,
        "rail": opening.rail,
        "shuffler": opening.shuffler,
        "devices": opening.devices,
        "inspector_fitted": opening.inspector_fitted,
        "token": opening.token,
        "base": opening.base,
        "texts": _texts(opening, whole=True),
    }


def _texts(opening: PagesOpening, *, whole: bool) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for language, texts in TEXTS.items():
        combinations = {code.value: text for code, text in texts.combinations.items()}
        words = {"combinations": {name: combinations[name] for name in opening.combinations}}
        if whole:
            words["refusals"] = _meanings(brief().refusals, language)
            words["faults"] = _meanings(brief().faults, language)
        told[language.value] = words
    return told


def _meanings(codes: Mapping[Any, CodeBrief], language: Language) -> dict[str, str]:
    """What each code means: it stands beside it, and the display's text says little more."""
    return {code.value: getattr(told.means, language.value) for code, told in codes.items()}


def jackpot_message(opening: PagesOpening, sight: TableSnapshot) -> dict[str, Any]:
    """The sign's amount, the award that is pending, and whether players may stake now."""
    return {
        "kind": "jackpot",
        "amount": sight.seen["jackpot"],
        "progressive": bool(opening.combinations),
        "phase": sight.seen["phase"] if sight.powered else DARK,
        "takes_bets": sight.powered and sight.takes_bets,
        "award": sight.seen["award"],
        "last_hands": sight.last_hands,
    }


def road_message(sight: TableSnapshot) -> dict[str, Any]:
    """The shoe of Punto Banco: its road, and the coup so far."""
    seen = sight.seen
    return {
        "kind": "road",
        "remaining": seen["remaining"],
        "last": seen["last"],
        "punto": sight.punto,
        "banco": sight.banco,
        "points": seen["points"],
        "next": seen["next"],
        "result": seen["result"],
        "road": sight.road,
    }

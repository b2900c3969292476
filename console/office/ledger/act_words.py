"""Acts as lines of a scenario; acts that no scenario has, in plain words."""

from collections.abc import Callable, Mapping
from typing import Any

from console.texts.language import Language
from console.texts.record_texts import act_words, button_name
from jackpot.journal import Record

Facts = Mapping[str, Any]


def text_of(record: Record, game: str) -> str:
    """The act of a record: `press COIN_IN`, `declare hand-void 3 returned`, `rail: covered 1 3`."""
    act = record.body.get("act")
    if record.kind in AS_SCENARIOS_SAY and isinstance(act, Mapping):
        return AS_SCENARIOS_SAY[record.kind](act, game)
    return act_words(record, Language.EN, game)


def _declare(words: str, fact: str = "") -> Callable[[Facts, str], str]:
    return lambda act, _: " ".join(["declare", words, *([str(act.get(fact, "?"))] if fact else [])])


def _hand_void(act: Facts, _: str) -> str:
    return f"declare hand-void {act.get('seat', '?')}{' returned' if act.get('returned') else ''}"


AS_SCENARIOS_SAY: Mapping[str, Callable[[Facts, str], str]] = {
    "button": lambda act, game: f"press {button_name(str(act.get('button')), game)}",
    "key": lambda act, _: f"key {act.get('position', '?') or 'between'}",
    "inspector": lambda act, _: f"inspector {'here' if act.get('present') else 'away'}",
    "cut-card": lambda _, __: "cut-card",
    "cleared": lambda act, _: f"clear {act.get('fault', '?')}",
    "hand-void": _hand_void,
    "round-void": _declare("round-void"),
    "last-hands": _declare("last-hands", "hands"),
    "tray-counted": _declare("tray", "tokens"),
    "deck-replaced": _declare("deck-replaced"),
    "coup-void": _declare("coup-void"),
    "coup-without-stakes": _declare("coup-without-stakes"),
    "card-annulled": _declare("card-annulled"),
    "shoe-replaced": _declare("shoe-replaced"),
}
"""Writers of scenario lines, by the record's kind."""

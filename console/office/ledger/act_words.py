"""Acts as lines of a scenario; acts that no scenario has, in plain words."""

from collections.abc import Callable, Mapping
from typing import Any

from console.texts.declarations.lines import BY_KIND
from console.texts.language import Language
from console.texts.record_texts import act_words, button_name
from jackpot.ledger.journal import Record

Facts = Mapping[str, Any]


def text_of(record: Record, game: str) -> str:
    """The act of a record: `press COIN_IN`, `declare hand-void 3 returned`, `rail: covered 1 3`."""
    act = record.body.get("act")
    if isinstance(act, Mapping) and record.kind in BY_KIND:
        return f"declare {BY_KIND[record.kind].write(act)}"
    if isinstance(act, Mapping) and record.kind in AS_SCENARIOS_SAY:
        return AS_SCENARIOS_SAY[record.kind](act, game)
    return act_words(record, Language.EN, game)


AS_SCENARIOS_SAY: Mapping[str, Callable[[Facts, str], str]] = {
    "button": lambda act, game: f"press {button_name(str(act.get('button')), game)}",
    "key": lambda act, _: f"key {act.get('position', '?') or 'between'}",
    "inspector": lambda act, _: f"inspector {'here' if act.get('present') else 'away'}",
    "cut-card": lambda _, __: "cut-card",
    "cleared": lambda act, _: f"clear {act.get('fault', '?')}",
}
"""Writers of scenario lines, by the record's kind."""

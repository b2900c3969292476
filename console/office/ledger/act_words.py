"""Acts as lines of a scenario; acts that no scenario has, in plain words."""

from collections.abc import Callable, Mapping
from typing import Any

from console.texts.language import Language
from console.texts.record_texts import act_words, button_name
from jackpot.amounts import format_cents
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


def _switch(act: Facts) -> str:
    return "on" if act.get("on") else "off"


def _parts(act: Facts) -> str:
    return "+".join(map(str, act.get("parts", ()))) or "none"


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
    "boards": _declare("boards", "boards"),
    "board-corrected": _declare("board-corrected"),
    "time-adjusted": lambda act, _: f"declare time {act.get('seconds', '?') or 'normal'}",
    "clock": lambda act, _: f"declare clock {'start' if act.get('running') else 'stop'}",
    "clock-set": lambda act, _: f"declare clock set {act.get('level', '?')} {act.get('left_ms')}ms",
    "break": lambda act, _: f"declare break {act.get('break_ms', '?')}ms",
    "match-new": _declare("match-new"),
    "prior-level": _declare("prior-level"),
    "hand-for-hand": lambda act, _: f"declare hand-for-hand {_switch(act)}",
    "go": _declare("go"),
    "change": _declare("change"),
    "half-rake": lambda act, _: f"declare half-rake {_switch(act)}",
    "rake-cap": _declare("rake-cap", "cap"),
    "jackpot-hit": _declare("jackpot-hit", "seat"),
    "players": _declare("players", "players"),
    "rake-corrected": lambda act, _: f"declare rake {_parts(act)}",
    "drop": lambda act, _: f"declare drop {format_cents(int(act.get('cents', 0)))}",
}
"""Writers of scenario lines, by the record's kind."""

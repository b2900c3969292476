"""The names of a table's inputs in both languages, and finding inputs by name."""

from collections.abc import Sequence

from console.texts.language import Language
from devices.figures import InputFigures

RAIL = ("rail", "gettoniera")
PANEL = ("panel", "consolle")
TRAY = "tray"
GREEN = "GREEN"
"""A deck shuffler's green button, whose presses the machine counts."""

_ITALIAN = {
    "key": "chiave",
    "seat": "posto",
    "drop": "caduta",
    "inspector": "ispettore",
    "plug": "spina",
    "door": "porta",
    "cabinet": "mobile",
    "logic": "elettronica",
    "latch": "memoria",
    TRAY: "vaschetta",
}


def input_name(name: str, language: Language) -> str:
    """Translate `seat 3 drop` to `posto 3 caduta`. Buttons are not translated."""
    if language is Language.EN:
        return name
    return " ".join(_ITALIAN.get(word, word) for word in name.split())


def is_on_rail(name: str) -> bool:
    """Return whether an input belongs to the rail; the green button goes with the panel's."""
    return name.startswith("seat ") or name == TRAY


def drop_of(name: str) -> str:
    """Return the name of the counter that belongs to a seat's sensor."""
    return f"{name} drop"


def is_counter(name: str) -> bool:
    """Return whether an input is a counter."""
    return name in (TRAY, GREEN) or name.endswith(" drop")


def choose_inputs(words: Sequence[str], inputs: Sequence[InputFigures]) -> tuple[InputFigures, ...]:
    """Return the inputs that the words name: all, the panel's, the rail's, or by part of a name."""
    typed = " ".join(words).lower()
    if not typed:
        return tuple(inputs)
    if typed in PANEL:
        return tuple(one for one in inputs if not is_on_rail(one.name))
    if typed in RAIL:
        return tuple(one for one in inputs if is_on_rail(one.name))
    names = [
        (one, {input_name(one.name, language).lower() for language in Language}) for one in inputs
    ]
    exact = tuple(one for one, aliases in names if typed in aliases)
    return exact or tuple(one for one, aliases in names if any(typed in name for name in aliases))

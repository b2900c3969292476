"""What people call the inputs of a table, in both languages, and which of them a word means."""

from collections.abc import Sequence

from console.texts.language import Language
from devices.figures import InputFigures

RAIL = ("rail", "gettoniera")
PANEL = ("panel", "consolle")
TRAY = "tray"

_ITALIAN = {
    "key": "chiave",
    "seat": "posto",
    "drop": "caduta",
    "inspector": "ispettore",
    "plug": "spina",
    TRAY: "vaschetta",
}


def input_name(name: str, language: Language) -> str:
    """`seat 3 drop` as `posto 3 caduta`; buttons bear their own names."""
    if language is Language.EN:
        return name
    return " ".join(_ITALIAN.get(word, word) for word in name.split())


def is_on_rail(name: str) -> bool:
    """Whether an input belongs to the rail; all others are the panel's."""
    return name.startswith("seat ") or name == TRAY


def drop_of(name: str) -> str:
    """The counter that belongs to a seat's sensor."""
    return f"{name} drop"


def is_counter(name: str) -> bool:
    """Whether an input only counts what passes."""
    return name == TRAY or name.endswith(" drop")


def choose_inputs(words: Sequence[str], inputs: Sequence[InputFigures]) -> tuple[InputFigures, ...]:
    """The inputs meant by what was typed: all, the panel's, the rail's, or by (part of) a name."""
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
    exact = tuple(one for one, known in names if typed in known)
    return exact or tuple(one for one, known in names if any(typed in name for name in known))

"""What is wrong with a value, in our words instead of the library's (msgspec)."""

import re
from collections.abc import Callable, Sequence

NAMES = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number with a point",
    "int": "a whole number",
    "null": "left out",
    "object": "a section",
    "str": "text in quotes",
}
"""What msgspec's types are called in a file."""

LOCATED = r"(?s)(?P<what>.*) - at (?P<key>`key` in )?`\$(?P<where>.*)`"

LIMITS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}

NO_KEY = "there is no key"
"""How it begins where a key is unknown."""


def locate_mistake(error: Exception) -> tuple[str, str]:
    """Of msgspec's error the key, such as `money.token` or "", and what is wrong with its value."""
    if located := re.fullmatch(LOCATED, str(error)):
        what = _explain_value(located["what"])
        return located["where"].removeprefix("."), f"a key {what}" if located["key"] else what
    return "", _explain_value(str(error))


def describe_mistake(error: Exception) -> str:
    """Of msgspec's error what is wrong and where: `seat: write a whole number, not text`."""
    where, what = locate_mistake(error)
    return f"{where}: {what}" if where else what


def _explain_value(message: str) -> str:
    """What is wrong, and what would be right; what is not known here stays as it is."""
    for form, explain in FORMS:
        if found := re.fullmatch(form, message):
            return explain(found)
    return message


def _explain_type(found: re.Match[str]) -> str:
    right = [_name(one) for one in found[1].split(" | ") if one != "null"]
    return f"write {' or '.join(right)}, not {_name(found[2])}"


def _explain_size(found: re.Match[str]) -> str:
    of_what = "characters" if found[1] == "str" else "entries"
    return f"write {LIMITS[found[2]]} {found[3]} {of_what}"


def _name(of_type: str) -> str:
    return NAMES.get(of_type, of_type)


FORMS: Sequence[tuple[str, Callable[[re.Match[str]], str]]] = (
    (
        r"Object missing required field `(.+)`",
        lambda found: f"{found[1]} is missing",
    ),
    (
        r"Object contains unknown field `(.+)`",
        lambda found: f"{NO_KEY} {found[1]}",
    ),
    (r"Expected `(.+)`, got `(.+)`", _explain_type),
    (r"Expected `(\w+)` of length (>=|<=) (\d+)", _explain_size),
    (
        r"Expected `\w+` (>=|<=|>|<) (\S+)",
        lambda found: f"write {LIMITS[found[1]]} {found[2]}",
    ),
    (
        r"Expected `str` matching regex (.+)",
        lambda found: f"its form is {found[1]}",
    ),
    (
        r"Invalid (?:enum )?value (.+)",
        lambda found: f"cannot be {found[1]}",
    ),
    (
        r"JSON is malformed: .+ \(byte (\d+)\)",
        lambda found: f"no JSON, wrong at byte {found[1]}",
    ),
    (r"Input data was truncated", lambda _: "no JSON, it ends too early"),
)
"""The library's messages, and ours for each. Compiled when there is a mistake: a start has none."""

"""What is wrong with a value, in our words instead of the library's (msgspec)."""

import re

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

MISSING = re.compile(r"Object missing required field `(.+)`")
UNKNOWN = re.compile(r"Object contains unknown field `(.+)`")
EXPECTED = re.compile(r"Expected `(.+)`, got `(.+)`")


NO_KEY = "there is no key"
"""How it begins where a key is unknown."""


def locate_mistake(error: Exception) -> tuple[str, str]:
    """Of msgspec's error the key, such as `money.token` or "", and what is wrong with its value."""
    message, _, where = str(error).partition(" - at `$")
    return where.strip("`").removeprefix("."), _explain_value(message)


def _explain_value(message: str) -> str:
    """`base is missing`, `write a whole number, not ...`; whatever else it says stays as it is."""
    if found := MISSING.fullmatch(message):
        return f"{found[1]} is missing"
    if found := UNKNOWN.fullmatch(message):
        return f"{NO_KEY} {found[1]}"
    if found := EXPECTED.fullmatch(message):
        right = [_name(one) for one in found[1].split(" | ") if one != "null"]
        return f"write {' or '.join(right)}, not {_name(found[2])}"
    return message


def _name(of_type: str) -> str:
    return NAMES.get(of_type, of_type)

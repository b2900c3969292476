"""Text for the technician's line: printable ASCII, accents as on the display.

A serial terminal does not say which character set it has; ASCII is the same in all.
"""

import unicodedata

_IN_ASCII = {
    "\t": " ",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "-",
    "\u2026": "...",
    "\u20ac": "EUR",
    "\u00b0": "o",
    "\u00b5": "u",
    "\u00d7": "x",
    "\u00df": "ss",
    "\u2192": "->",
    "\u2190": "<-",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u00a0": " ",
}
_GRAVE, _ACUTE = "\u0300", "\u0301"


def plain(text: str) -> str:
    """The text in printable ASCII: `è` becomes `e'`, other characters `?`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_to_ascii, text))


def _to_ascii(character: str) -> str:
    if " " <= character <= "~":
        return character
    if character in _IN_ASCII:
        return _IN_ASCII[character]
    parts = unicodedata.normalize("NFD", character)
    letter, marks = parts[:1], parts[1:]
    if not ("a" <= letter.lower() <= "z") or not marks:
        return "?"
    return f"{letter}'" if marks[0] in (_GRAVE, _ACUTE) else letter

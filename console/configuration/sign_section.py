"""[sign]: what a house has on its sign (docs/reference/configuration.md), and its logo's file."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from console.configuration.section import ConfigurationSection
from console.texts.language import Language, Words
from jackpot.foreign_text import quote
from jackpot.money.amounts import parse_cents
from jackpot.named_files import open_regular

LONGEST_NAME = 24
"""Characters of the house and of the game: they stand beside each other."""
LONGEST_MESSAGE = 60
MOST_MESSAGES = 12
LONGEST_CURRENCY = 3

READ, LARGE = 4.5, 3.0
"""The least contrast of text and of large text (WCAG 2.2, 1.4.3)."""

_LINEAR_UP_TO = 0.04045
"""Of a channel of sRGB, 0 to 1; above it is a power."""
_COLOUR = "#[0-9a-f]{6}"
Colour = str
"""`#0b0806`: red, green and blue."""


class SignSection(ConfigurationSection, frozen=True):
    """[sign]: the house, the game's name for players, colours, languages, limits, messages.

    `currency`: what stands behind amounts, such as `€`; "" for the three letters. `languages`:
    those that take turns; none: the table's. `lowest`, `highest`: a player's stake, as text.
    """

    house: str = ""
    game: str = ""
    currency: str = ""
    languages: tuple[Language, ...] = ()
    lowest: str = ""
    highest: str = ""
    messages: tuple[Words, ...] = ()
    ground: Colour = "#0b0806"
    ink: Colour = "#f7ecd4"
    accent: Colour = "#f0c667"
    logo: str = ""
    """An SVG or PNG file, which stands in the place of the house's name."""
    sound: bool = False
    """Whether a prize is heard."""


def find_sign_mistakes(sign: SignSection) -> Iterator[str]:
    """Every mistake, its key first, with what would be right."""
    yield from _find_long_texts(sign)
    yield from find_logo_mistakes(sign.logo)
    yield from _find_wrong_limits(sign)
    colours = {key: getattr(sign, key) for key in ("ground", "ink", "accent")}
    wrong = [key for key, colour in colours.items() if not re.fullmatch(_COLOUR, colour)]
    yield from (f"sign.{key}: {quote(colours[key])}; a colour is such as #0b0806" for key in wrong)
    if not wrong:
        yield from _find_weak_colours(sign)


def _find_long_texts(sign: SignSection) -> Iterator[str]:
    lengths = {"house": LONGEST_NAME, "game": LONGEST_NAME, "currency": LONGEST_CURRENCY}
    for key, most in lengths.items():
        if len(getattr(sign, key)) > most:
            yield f"sign.{key}: {len(getattr(sign, key))} characters; at most {most} fit"
    if len(sign.messages) > MOST_MESSAGES:
        yield f"sign.messages: {len(sign.messages)}; at most {MOST_MESSAGES}"
    for place, message in enumerate(sign.messages):
        for language in Language:
            if not 0 < len(message.in_(language)) <= LONGEST_MESSAGE:
                key = f"sign.messages[{place}].{language.value}"
                yield f"{key}: it must have 1 to {LONGEST_MESSAGE} characters"


def _find_wrong_limits(sign: SignSection) -> Iterator[str]:
    amounts = {}
    for key in ("lowest", "highest"):
        try:
            amounts[key] = parse_cents(getattr(sign, key) or "0.00")
        except ValueError as error:
            yield f"sign.{key}: {error}"
    if len(amounts) > 1 and sign.highest and amounts["lowest"] > amounts["highest"]:
        yield f"sign.lowest: {sign.lowest} is above sign.highest, {sign.highest}"


def _find_weak_colours(sign: SignSection) -> Iterator[str]:
    for key, least in (("ink", READ), ("accent", LARGE)):
        found = contrast(getattr(sign, key), sign.ground)
        if found < least:
            what = f"its contrast with sign.ground, {sign.ground}, is {found:.1f}"
            yield f"sign.{key}: {getattr(sign, key)}; {what}; it must be at least {least:g}"


def contrast(one: Colour, other: Colour) -> float:
    """Of two colours, 1 to 21 (WCAG 2.2, contrast ratio)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= _LINEAR_UP_TO else ((part + 0.055) / 1.055) ** 2.4
        for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


MOST_BYTES = 64 * 1024
MOST_PIXELS = 2000
"""Of a PNG, across and down."""

PNG_BEGINS = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}

_ACTIVE = rb"(?i)<script|<foreignobject|\bon[a-z]+\s*=|<!entity|javascript:"
_FOREIGN = rb"(?i)(?:href\s*=\s*[\"']\s*|url\(\s*[\"']?)(?!#|data:image/)[^\"')\s]"


class Logo(Struct, frozen=True):
    """The file, and its type for a browser."""

    type: str
    content: bytes


def read_logo(path: str) -> Logo:
    """Read and check the file. Raises ValueError, which says what would be right, and OSError."""
    kind = TYPES.get(Path(path).suffix.lower())
    if kind is None or not Path(path).is_absolute():
        raise ValueError("a logo is an SVG or PNG file, such as /etc/banco/logo.svg")
    with open_regular(Path(path)) as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"is longer than {MOST_BYTES // 1024} KB")
    if kind == TYPES[".png"]:
        _check_png(content)
    else:
        _check_svg(content)
    return Logo(kind, content)


def find_logo_mistakes(path: str) -> Iterator[str]:
    """The mistake of a logo's file, its key first."""
    if path:
        try:
            read_logo(path)
        except ValueError as error:
            yield f"sign.logo: {quote(path)}: {error}"
        except OSError as error:
            yield f"sign.logo: {quote(path)}: cannot be read: {error.strerror or error}"


def _check_png(content: bytes) -> None:
    if not content.startswith(PNG_BEGINS):
        raise ValueError("is no PNG file")
    at = len(PNG_BEGINS)
    across, down = (int.from_bytes(content[at + four : at + four + 4], "big") for four in (0, 4))
    if not (0 < across <= MOST_PIXELS and 0 < down <= MOST_PIXELS):
        raise ValueError(f"has {across} x {down} pixels; at most {MOST_PIXELS} each way")


def _check_svg(content: bytes) -> None:
    if b"<svg" not in content[:4096].lower():
        raise ValueError("is no SVG file")
    if re.search(_ACTIVE, content) is not None:
        raise ValueError("has scripts; save it as a plain drawing")
    if re.search(_FOREIGN, content) is not None:
        raise ValueError("names another file; a logo has all in itself")

"""Parses the arguments of commands."""

from collections.abc import Sequence

from console.technician.command import Misused, TechnicianSession
from console.texts.technician import session_texts


def check_no_arguments(session: TechnicianSession, words: Sequence[str]) -> None:
    """Raise Misused if there are arguments."""
    if words:
        raise Misused(session.words(session_texts.TAKES_NO_ARGUMENTS))


def parse_number(
    session: TechnicianSession, words: Sequence[str], least: int, most: int
) -> int | None:
    """Return the only argument as a number, None without one. Raises Misused."""
    if not words:
        return None
    digits = words[0] if words[0].isascii() and words[0].isdigit() else ""
    if len(words) > 1 or not digits or len(digits) > len(str(most)):
        raise Misused(_describe_range(session, least, most))
    value = int(digits)
    if not least <= value <= most:
        raise Misused(_describe_range(session, least, most))
    return value


def _describe_range(session: TechnicianSession, least: int, most: int) -> str:
    return session.words(session_texts.NUMBER_FROM.fill(least, most))

"""What follows a command's name, understood or complained of."""

from collections.abc import Sequence

from console.technician.command import Misused, TechnicianSession


def check_no_arguments(session: TechnicianSession, words: Sequence[str]) -> None:
    """Raises Misused where something follows."""
    if words:
        raise Misused(session.words("senza argomenti", "it takes no arguments"))


def parse_number(
    session: TechnicianSession, words: Sequence[str], least: int, most: int
) -> int | None:
    """The one number there may be, None where there is none. Raises Misused."""
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
    return session.words(f"un numero da {least} a {most}", f"a number from {least} to {most}")

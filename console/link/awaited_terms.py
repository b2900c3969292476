"""What a table's call waits for, in words (docs/reference/link-rules.md, 3.13)."""

from collections.abc import Mapping

from console.rules.link import Awaited, Terms, TokenTerms
from jackpot.money.amounts import format_cents, format_percent


def describe_awaited(awaited: Awaited) -> str:
    """The terms or the prize that the centre does not know."""
    if awaited.terms is not None:
        named = awaited.terms
        words = [("game", named.game), *list_token_terms(named), list_prizes(named.prizes)]
        return f"it plays by other terms than the jackpot's: {_join(words)}"
    if awaited.award is not None:
        award = awaited.award
        return (
            f"award {award.number} names the prize {award.combination}, "
            f"{award.winners} x {format_cents(award.each)} EUR of {format_cents(award.reading)} EUR"
        )
    if awaited.call is None:
        return "it names what are no terms at all"
    if awaited.token is None:
        return f"call {awaited.call} names no token of any terms"
    words = list_token_terms(awaited.token)
    return f"call {awaited.call} names other terms than the jackpot's: {_join(words)}"


def list_terms(terms: Terms) -> list[tuple[str, str]]:
    """Each of the terms by its name."""
    prizes = {str(one): share for one, share in terms.prizes.items()}
    return [("game", terms.game), *list_token_terms(terms), list_prizes(prizes)]


def list_token_terms(terms: Terms | TokenTerms) -> list[tuple[str, str]]:
    """What a token shows of the terms."""
    return [
        ("token", f"{format_cents(terms.token)} EUR"),
        ("to the jackpot", f"{format_percent(terms.to_jackpot)} %"),
        ("to the reserve", f"{format_percent(terms.to_reserve)} %"),
    ]


def list_prizes(prizes: Mapping[str, int]) -> tuple[str, str]:
    """The share of each combination."""
    return "prizes", ", ".join(
        sorted(f"{one} {format_percent(share)} %" for one, share in prizes.items())
    )


def _join(words: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in words)

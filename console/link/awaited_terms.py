"""What a table's call waits for, in words (docs/reference/link-rules.md, 3.13)."""

import msgspec

from console.rules.link import Awaited, NamedTerms, Terms, TokenTerms
from jackpot.money.amounts import format_cents, format_percent
from jackpot.money.prize_file import write_prize
from jackpot.money.prizes import EURO, PrizeTable


def describe_awaited(awaited: Awaited, currency: str) -> str:
    """The terms or the prize that the centre does not know; `currency`: of the jackpot."""
    if awaited.terms is not None:
        words = list_terms(awaited.terms)
        return f"it plays by other terms than the jackpot's: {_join(words)}"
    if awaited.award is not None:
        award = awaited.award
        return (
            f"award {award.number} names the prize {award.combination}, "
            f"{award.winners} x {format_cents(award.each)} {currency} "
            f"of {format_cents(award.reading)} {currency}"
        )
    if awaited.call is None:
        return "it names what are no terms at all"
    if awaited.token is None:
        return f"call {awaited.call} names no token of any terms"
    words = _list_token_terms(awaited.token, currency)
    return f"call {awaited.call} names other terms than the jackpot's: {_join(words)}"


def list_terms(terms: Terms | NamedTerms) -> list[tuple[str, str]]:
    """Each of the terms by its name."""
    table = _read_table(terms.prize_file)
    currency = EURO if table is None else table.currency
    prizes = ("prizes", _write_prizes(terms, table))
    return [("game", terms.game), *_list_token_terms(terms, currency), prizes]


def _list_token_terms(terms: Terms | TokenTerms, currency: str) -> list[tuple[str, str]]:
    """What a token shows of the terms."""
    return [
        ("token", f"{format_cents(terms.token)} {currency}"),
        ("to the jackpot", f"{format_percent(terms.to_jackpot)} %"),
        ("to the reserve", f"{format_percent(terms.to_reserve)} %"),
    ]


def _read_table(prize_file: object) -> PrizeTable | None:
    """A prize file, perhaps as its JSON; None: there is none, or none that is known."""
    try:
        return msgspec.convert(prize_file, PrizeTable)
    except msgspec.ValidationError:
        return None


def _write_prizes(terms: Terms | NamedTerms, table: PrizeTable | None) -> str:
    """The share of each combination; or what a prize file says, in the order of the buttons."""
    if table is not None:
        limit = [f"limit {format_cents(table.limit)}"] if table.limit is not None else []
        head = [f"currency {table.currency}", *limit, f"overflow {table.overflow.value}"]
        return "; ".join(head + [write_prize(prize) for prize in table.prizes])
    if isinstance(terms.prize_file, dict):
        return "no prize file that is known here"
    shares = sorted(f"{one} {format_percent(share)} %" for one, share in terms.prizes.items())
    return ", ".join(shares)


def _join(words: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in words)

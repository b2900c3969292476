"""Declarations as people type them: reading a line, completing it, and finding an act's row."""

from collections.abc import Mapping

from msgspec import UnsetType

from console.rules.acts import Declaration
from console.rules.games import Game
from console.rules.poker_settings import PokerSettings
from console.rules.typed import LineError
from console.texts.declarations.card_tables import ABOUT_CARDS, ABOUT_DOORS, ABOUT_ROUNDS
from console.texts.declarations.poker_tables import AT_POKER
from console.texts.declarations.row import DeclarationRow
from jackpot.foreign_text import quote

ROWS = (*ABOUT_ROUNDS, *ABOUT_CARDS, *ABOUT_DOORS, *AT_POKER)

BY_KIND: Mapping[str, DeclarationRow] = {row.act.kind: row for row in ROWS}
"""The rows by the kind of their records."""

VERBS = tuple(dict.fromkeys(row.verb_words[0] for row in ROWS))
"""The first words of all declarations."""


def find_row(words: list[str]) -> DeclarationRow:
    """The row of a declaration such as `hand-void 3 returned`. Raises LineError."""
    found = [row for row in ROWS if words[: len(row.verb_words)] == row.verb_words]
    if not found:
        raise LineError(f"no declaration {quote(' '.join(words))}; there are {', '.join(VERBS)}")
    return max(found, key=lambda row: len(row.verb))


def parse_declaration(words: list[str], who: str) -> Declaration:
    """Parse a declaration such as `hand-void 3 returned` by `who`. Raises LineError."""
    row = find_row(words)
    return row.parse(words[len(row.verb_words) :], who)


def check_declared_at(act: Declaration, poker: PokerSettings | UnsetType) -> None:
    """Raise LineError where the table has no such declaration; `poker`: unset at another game's."""
    row = BY_KIND[act.kind]
    if isinstance(poker, PokerSettings):
        row.check(act, poker)
    elif row in AT_POKER:
        raise LineError(f"{row.verb} is declared at a poker table only")


def list_declarations(
    game: Game, poker: PokerSettings | None = None, *, doors: bool = False
) -> tuple[str, ...]:
    """The first words of the declarations that a table has a use for."""
    rows = list_rows(game, poker, doors=doors)
    return tuple(dict.fromkeys(row.verb_words[0] for row in rows))


def list_rows(
    game: Game, poker: PokerSettings | None, *, doors: bool
) -> tuple[DeclarationRow, ...]:
    """The declarations that a table has a use for; `doors`: its doors have contacts."""
    return tuple(row for row in ROWS if row.where(game, poker) and (doors or not row.of_doors))


def list_following(words: list[str]) -> tuple[str, ...]:
    """The words that may follow a declaration that is half written, its verb first."""
    following: list[str] = []
    for row in ROWS:
        verb = row.verb_words
        given = len(words) - len(verb)
        if given < 0 and verb[: len(words)] == words:
            following.append(verb[len(words)])
        elif given >= 0 and words[: len(verb)] == verb and given < len(row.arguments):
            following += row.arguments[given].choices
    return tuple(following)

"""Checks of [poker]: what fits together, and what fits the display (docs/poker-rules.md, 13)."""

from collections.abc import Iterator

from console.configuration.poker_section import PokerSection, PokerShuffler
from console.rules.display_texts import COLUMNS, PokerTexts
from console.rules.poker.clock import Blinds
from console.rules.poker.houses import Form
from console.rules.poker.poker_outputs import name_game, write_blinds
from console.rules.poker.settings import PokerSettings
from console.texts.display import TEXTS
from jackpot.foreign_text import quote


def find_poker_mistakes(section: PokerSection) -> list[str]:
    """Every mistake, its key first, with what would be right."""
    mistakes = []
    if section.form is Form.TOURNAMENT and section.structure is None:
        mistakes.append("poker.structure: a tournament needs levels: name the file that has them")
    if section.form is Form.CASH and section.structure is not None:
        mistakes.append("poker.structure: levels belong to form = 'tournament'; leave it out")
    if mistakes:
        return mistakes
    try:
        settings = section.settings()
    except ValueError as error:
        return [f"poker.{error}"]
    return list(_find_long_lines(settings))


def find_shuffler_mistakes(section: PokerSection | None, *, fitted: bool) -> list[str]:
    """Whether `poker.shuffler` and the section [shuffler], `fitted`, agree."""
    deck = section is not None and section.shuffler is PokerShuffler.DECK
    if deck and not fitted:
        return ["shuffler: poker.shuffler = 'deck' needs a [shuffler] section"]
    if fitted and not deck:
        return ["poker.shuffler: with a [shuffler] section it is 'deck'; or leave that section out"]
    return []


def _find_long_lines(settings: PokerSettings) -> Iterator[str]:
    """Blinds that the display cannot show, in one language or the other."""
    if settings.form is Form.CASH:
        shown = {settings.blinds: "poker.blinds"}
    else:
        levels = [step.blinds for step in settings.steps if step.blinds is not None]
        shown = {
            blinds: f"poker.structure: blinds of level {level}"
            for level, blinds in reversed(list(enumerate(levels, 1)))
        }
    for blinds, place in reversed(shown.items()):
        lines = [line for texts in TEXTS.values() for line in _lines(settings, texts.poker, blinds)]
        longest = max(lines, key=len)
        if len(longest) > COLUMNS:
            yield f"{place}: {quote(longest)} has {len(longest)} characters; at most {COLUMNS} fit"


def _lines(settings: PokerSettings, words: PokerTexts, blinds: Blinds) -> tuple[str, ...]:
    """The display's lines with these blinds."""
    if settings.form is Form.CASH:
        return (write_blinds(name_game(settings, words), blinds),)
    return write_blinds(words.hand, blinds), write_blinds(words.blinds, blinds)

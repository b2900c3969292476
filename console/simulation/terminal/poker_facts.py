"""What the picture shows of a poker table, in the words of its pages."""

from msgspec import Struct

from console.rules.outputs import legends
from console.rules.poker.poker_observation import see_poker
from console.rules.poker.poker_outputs import shorten_blinds
from console.rules.poker.poker_seen import PokerSeen
from console.rules.poker.poker_shown import PokerShown, show_poker
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.service.table_service import TableService
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.page_words import Group, Page, page_words


class LargeClock(Struct, frozen=True):
    """The clock: what it counts, and its digits, or a word in their place."""

    name: str
    text: str
    called: bool = False
    """Whether a player has been called, which comes before the level's clock."""


class PokerFacts(Struct, frozen=True):
    """A poker table at one instant.

    From the left `buttons`, the names of each lit button; `legends`, those that count; `chips`,
    their values in a count.
    """

    buttons: tuple[tuple[str, ...], ...]
    legends: tuple[str, ...]
    chips: tuple[str, ...]
    players: int
    hole: int
    """Cards that each player holds now."""
    clock: LargeClock | None
    """None in cash while nobody is called."""
    about_hand: tuple[str, ...]
    about_cards: tuple[str, ...]
    about_money: tuple[str, ...]


def poker_facts_of(service: TableService, language: Language) -> PokerFacts | None:
    """The facts now; None at another game's table."""
    state, settings = service.state, service.rules.poker
    if not isinstance(settings, PokerSettings):
        return None
    poker = state.poker
    if not isinstance(poker, PokerState):  # at the first start nothing is on record yet
        poker = PokerState(players=settings.players)
    now, say = service.clock.now(), _Say(language)
    seen, shown = see_poker(state, poker, settings, now), show_poker(poker, settings)
    return PokerFacts(
        buttons=service.rules.game.legends,
        legends=legends(state, service.rules),
        chips=tuple(_write_whole(cents, language) for cents in settings.chips),
        players=seen.players,
        hole=settings.hole if seen.deal > 0 and not shown.awaited else 0,
        clock=_read_clock(seen, shown, settings, say, now),
        about_hand=_about_hand(seen, say),
        about_cards=_about_cards(seen, shown, say),
        about_money=_about_money(seen, shown, say),
    )


class _Say:
    """The words of the cabinet's page in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, name: str, **values: object) -> str:
        return self.of("hold", name).format(**values)

    def of(self, group: str, name: str) -> str:
        """A word of a group by its code."""
        words: Words | Group = page_words(Page.CABINET)[group]
        if isinstance(words, Words):
            raise KeyError(group)
        return words[name].in_(self.language)

    def amount(self, cents: int) -> str:
        """As the language writes it."""
        return TEXTS[self.language].number(cents)


def _write_whole(cents: int, language: Language) -> str:
    """Without cents where there are none."""
    texts = TEXTS[language]
    return texts.number(cents).removesuffix(f"{texts.decimal}00")


def _read_clock(
    seen: PokerSeen, shown: PokerShown, settings: PokerSettings, say: _Say, now: int
) -> LargeClock | None:
    if shown.time_until is not None:
        return _read_call(seen, shown, shown.time_until, say, now)
    if shown.step is None:
        return None
    is_break = settings.structure[shown.step].blinds is None
    each = shown.hand_for_hand and not is_break
    name = "handForHand" if each else "break" if is_break else "level"
    stands = not shown.ticks and not each
    text = say("stopped").upper() if stands else seen.clock.zfill(len("00:00"))
    return LargeClock(say(name, level=seen.level), text)


def _read_call(seen: PokerSeen, shown: PokerShown, until: int, say: _Say, now: int) -> LargeClock:
    if not until:
        return LargeClock("", say("timeUp").upper(), called=True)
    counted = 0 < shown.countdown_ms >= until - now
    return LargeClock(say("count" if counted else "time"), seen.time, called=True)


def _about_hand(seen: PokerSeen, say: _Say) -> tuple[str, ...]:
    facts = [say("hand" if seen.hand else "noHand", hand=seen.hand)]
    if seen.deal > 1:
        facts.append(say("deal", deal=seen.deal).capitalize())
    return (*facts, say("blinds", blinds=shorten_blinds(seen.blinds)))


def _about_cards(seen: PokerSeen, shown: PokerShown, say: _Say) -> tuple[str, ...]:
    facts = []
    if shown.awaited:
        facts.append(say("awaited").capitalize())
    elif seen.street != "none":
        known = seen.stub is not None
        stub = say("stub" if known else "unknownStub", stub=seen.stub)
        facts.append(f"{say.of('streets', seen.street)}, {stub}".capitalize())
    if seen.deck != "unknown":
        facts.append(say("deck", deck=say.of("backs", seen.deck).lower()).capitalize())
    return (*facts, say("change")) if seen.change == "due" else tuple(facts)


def _about_money(seen: PokerSeen, shown: PokerShown, say: _Say) -> tuple[str, ...]:
    facts = [
        say("pot", number=place, amount=say.amount(pot)) for place, pot in enumerate(shown.pots, 1)
    ]
    return (*facts, say("rake", rake=seen.rake)) if seen.rake != "none" else tuple(facts)

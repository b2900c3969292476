"""What a poker table shows: five lamps and two lines.

docs/reference/poker-rules.md, section 13.
"""

from console.rules.codes import Phase, Refusal
from console.rules.display_texts import PokerTexts, Texts
from console.rules.poker.decks import is_giving, lights_green
from console.rules.poker.hand import blinds_of_next_hand, stub_of
from console.rules.poker.pots import parts_of
from console.rules.poker_clock import Blinds, Steps, TournamentClock, level_at
from console.rules.poker_settings import CARDS, OMAHA_CARDS, Form, PokerSettings
from console.rules.poker_state import STREETS, Hand, PokerState, Street, TimeCall
from console.rules.round.card_outputs import (
    alternate_faults,
    first_line_changes_at,
    order_decks,
    write_notice,
)
from console.rules.state import Rules, TableState
from devices.card_reports import ShufflerOrders
from devices.roles import (
    ALL_DARK,
    COMBINATION_BUTTONS,
    DISPLAY_COLUMNS,
    DisplayText,
    PanelLights,
)

BETWEEN_HANDS = ("HAND", "FEWER", "MORE", "DEALER", "DECK")
IN_HAND = ("HAND", "FLOP", "TURN", "RIVER", "TIME")
DEAL_AWAITED = (*IN_HAND[:-1], "DECK")
COUNTING = ("CHIP_1", "CHIP_2", "CHIP_3", "CHIP_4", "CHIP_5")


def legends(state: TableState, _rules: Rules) -> tuple[str, ...]:
    """From the left; while the table is closed or in service, those of its phase."""
    if state.phase is Phase.AWARDING:
        return COUNTING
    if state.phase is not Phase.PLAYING:
        return BETWEEN_HANDS
    hand = state.poker.hand if isinstance(state.poker, PokerState) else None
    return DEAL_AWAITED if hand is not None and hand.awaited else IN_HAND


__all__ = ("display_changes_at", "display_text", "legends", "panel_lights", "shuffler_orders")

SECOND_MS = 1_000
DARK = (False,) * len(COMBINATION_BUTTONS)
LIT = (True,) * len(COMBINATION_BUTTONS)
WITHOUT_CENTS = 100_000_000
"""From 1,000,000.00 on a pot is shown without cents."""


def shuffler_orders(state: TableState, rules: Rules) -> ShufflerOrders:
    """A deck may come out while the one that GREEN asked for is not out, and no other one."""
    poker, seen, lit = state.poker, state.deck.seen, lights_green(state, rules)
    if not isinstance(poker, PokerState) or seen is None or state.shown_phase is not Phase.PLAYING:
        return order_decks(state, rules, may_deal=False, may_begin=False, ready_light=lit)
    giving = is_giving(poker) and seen.playing_back in (None, poker.asked)
    whole = seen.counted == CARDS and seen.prepared_back is poker.asked
    may_begin = giving and whole
    return order_decks(state, rules, may_deal=giving, may_begin=may_begin, ready_light=lit)


def panel_lights(state: TableState, _rules: Rules) -> PanelLights:
    """HAND while it is dealt, the streets that are out, TIME while called; all while counting."""
    if state.drive is not None:
        return state.drive.panel
    return PanelLights(ALL_DARK, _lamps(state))


def _lamps(state: TableState) -> tuple[bool, ...]:
    poker = state.poker
    if state.shown_phase is Phase.AWARDING:
        return LIT
    if state.shown_phase is not Phase.PLAYING or not isinstance(poker, PokerState):
        return DARK
    hand = poker.hand
    if hand is None:
        return DARK
    reached = STREETS.index(hand.street)
    streets = [reached >= place for place in range(1, len(STREETS))]
    return (not hand.awaited, *streets, poker.time_call is not None)


def display_text(state: TableState, rules: Rules, texts: Texts, now: int) -> DisplayText:
    """The display's two lines."""
    if state.drive is not None and state.drive.display is not None:
        return state.drive.display
    poker, settings = state.poker, rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return DisplayText(("", ""))
    first = _first_line(state, poker, settings, texts, now)
    return DisplayText((first, _second_line(state, poker, settings, texts, now)))


def _first_line(
    state: TableState, poker: PokerState, settings: PokerSettings, texts: Texts, now: int
) -> str:
    refusal = _write_refusal(state, texts, now)
    if refusal is not None and state.phase is not Phase.AWARDING:
        return refusal
    if poker.time_call is not None:
        return _write_time(poker.time_call, texts.poker, now)
    title = _write_title(state, poker, settings, texts, now)
    return alternate_faults(title, state, texts, now)


def _write_refusal(state: TableState, texts: Texts, now: int) -> str | None:
    """The refusal that is shown; no award is pending here, but the pot is counted."""
    if state.notice is not None and state.notice.code is Refusal.AWARD_PENDING:
        return texts.poker.counting if now < state.notice.until else None
    return write_notice(state, texts, now)


def _write_time(call: TimeCall, words: PokerTexts, now: int) -> str:
    if not call.until:
        return words.time_over
    left = max(0, call.until - now)
    counted = call.countdown_ms > 0 and left <= call.countdown_ms
    return _justify(words.count if counted else words.time, str(round_up_seconds(left)))


def round_up_seconds(ms: int) -> int:
    """Whole seconds: a clock shows 1 until its end."""
    return -(-ms // SECOND_MS)


def _justify(left: str, right: str) -> str:
    return left + right.rjust(DISPLAY_COLUMNS - len(left))


def _write_title(
    state: TableState, poker: PokerState, settings: PokerSettings, texts: Texts, now: int
) -> str:
    if state.phase is Phase.AWARDING:
        pot, number = sum(poker.pots[-1]), len(poker.pots)
        amount = texts.number(pot)
        if pot >= WITHOUT_CENTS:
            amount = amount[: -len(f"{texts.decimal}00")]
        return _justify(f"{texts.poker.pot} {number}", amount)
    if settings.form is Form.CASH or poker.clock is None:
        return write_blinds(name_game(settings, texts.poker), settings.blinds)
    return _write_clock(poker, poker.clock, settings.structure, texts.poker, now)


def _write_clock(
    poker: PokerState, clock: TournamentClock, steps: Steps, words: PokerTexts, now: int
) -> str:
    minutes, seconds = divmod(round_up_seconds(clock.reckon_left(steps, now)), 60)
    time = f"{minutes:02}:{seconds:02}"
    is_break = clock.is_break(steps)
    if poker.hand_for_hand and not is_break:
        return _justify(words.hand_for_hand, time)
    left = words.pause if is_break else f"{words.level} {level_at(steps, clock.step)}"
    return _justify(left, time if clock.ticks(steps) else words.stopped)


def name_game(settings: PokerSettings, words: PokerTexts) -> str:
    """Hold'em or Omaha."""
    return words.omaha if settings.hole == OMAHA_CARDS else words.holdem


def write_blinds(word: str, blinds: Blinds) -> str:
    """A line that shows blinds: `BUI 200/400/50`."""
    return f"{word} {shorten_blinds(str(blinds))}"


def shorten_blinds(text: str) -> str:
    """`12500/25000` as `12.5K/25K`: from 10,000 on in thousands, with the decimals they need."""
    return "/".join(_shorten(part) for part in text.split("/"))


def _shorten(digits: str) -> str:
    if int(digits) < SHORTENED_FROM:
        return digits
    whole, rest = divmod(int(digits), 1000)
    decimals = f"{rest:03}".rstrip("0")
    return f"{whole}.{decimals}K" if decimals else f"{whole}K"


SHORTENED_FROM = 10_000


def _second_line(
    state: TableState, poker: PokerState, settings: PokerSettings, texts: Texts, now: int
) -> str:
    words, hand = texts.poker, poker.hand
    if poker.players_until is not None and now < poker.players_until:
        return f"{words.players} {poker.players}"
    if state.phase is Phase.AWARDING and hand is not None:
        refusal = _write_refusal(state, texts, now)
        if refusal is not None:  # the pot stays on line 1
            return refusal
        parts = parts_of(poker, settings, hand.players)
        return _justify(words.rake, f"{texts.number(sum(parts) * 100)} EUR")
    if poker.change and (hand is None or hand.awaited):
        return words.change
    if hand is not None:
        return _write_hand(state, poker, hand, settings, words)
    if poker.last.shown and poker.last.parts is not None:
        return write_rake(words.rake, poker.last.parts)
    if poker.clock is None:
        return ""
    return write_blinds(words.blinds, blinds_of_next_hand(poker, settings, now))


def _write_hand(
    state: TableState, poker: PokerState, hand: Hand, settings: PokerSettings, words: PokerTexts
) -> str:
    if hand.awaited:
        return words.deal
    _, stub = stub_of(poker, settings.hole)
    if hand.street is Street.RIVER and stub is not None:
        return words.stub.format(cards=stub)
    if settings.form is Form.CASH:
        return f"{words.hand} {state.round}"
    return write_blinds(words.hand, hand.blinds)


def write_rake(word: str, parts: tuple[int, ...]) -> str:
    """`RAKE 5+10+15 EUR`; where the parts do not fit, their sum."""
    line = f"{word} {'+'.join(map(str, parts))} EUR"
    return line if len(line) <= DISPLAY_COLUMNS else f"{word} {sum(parts)} EUR"


def display_changes_at(state: TableState, rules: Rules, now: int) -> int | None:
    """When the display changes without an act; None: never."""
    poker, settings = state.poker, rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return None
    due = [first_line_changes_at(state, now)]
    if poker.players_until is not None and now < poker.players_until:
        due.append(poker.players_until)
    if poker.time_call is not None and now < poker.time_call.until:
        due.append(_next_second(poker.time_call.until - now, now))
    clock = poker.clock
    if clock is not None and clock.ticks(settings.structure):
        left = clock.reckon_left(settings.structure, now)
        if left:
            due.append(_next_second(left, now))
    return min((each for each in due if each is not None), default=None)


def _next_second(left: int, now: int) -> int:
    """When a clock with this much left shows a second less."""
    return now + ((left - 1) % SECOND_MS) + 1

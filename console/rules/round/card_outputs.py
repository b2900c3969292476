"""The outputs of the card games, as pure functions of the state.

docs/reference/rules.md 2 and 5.
"""

from console.rules.board_marks import BoardMarks
from console.rules.centre_orders import choose_amount
from console.rules.codes import Phase
from console.rules.display_texts import Texts
from console.rules.link_state import LinkState
from console.rules.round.decks import BETS_ARE_OPEN, may_begin
from console.rules.round.drawing_rule import points
from console.rules.state import NONE, Rules, TableState
from devices.boards import Boards
from devices.card_reports import ShufflerOrders
from devices.device import Device
from devices.roles import (
    ALL_DARK,
    COMBINATION_BUTTONS,
    SEATS,
    DisplayText,
    Lamp,
    PanelLights,
    RailOrders,
)
from jackpot.money.awards import Award, Envy
from jackpot.money.prizes import EURO

NO_COMBINATION = (False,) * len(COMBINATION_BUTTONS)

ALTERNATE_MS = 2000
"""The period in which a present fault alternates with the display's first line."""

ALL_SEATS = frozenset(SEATS)
ALL_SEATS_DARK = dict.fromkeys(SEATS, Lamp.DARK)  # in the order of the seats

ROUND_PHASES = (Phase.COLLECTING, Phase.PLAYING, Phase.AWARDING)


def rail_orders(state: TableState) -> RailOrders:
    """The slot lamps, and the gates of the seats whose token is being collected."""
    boot = state.rail.seen.boot if state.rail.seen is not None else None
    believed, boards = _boards_for(state, Device.RAIL)
    if not believed:
        return RailOrders(turn=state.turn)
    if state.drive is not None:
        drive = state.drive
        return RailOrders(drive.slots, drive.gates, state.turn, boot=boot, boards=boards)
    betting = state.phase is Phase.BETTING
    if state.shown_phase in (Phase.PAUSED, Phase.SERVICE) or (betting and state.off_link):
        return RailOrders(turn=state.turn, boards=boards)
    seats = state.seats
    steady = seats.tokens if betting else seats.playing | seats.collecting
    alerting = seats.reminded | seats.stuck
    if seats.swallowed is None:  # what an acceptor counts needs no sensor
        alerting |= state.unsteady - steady
    inviting = ALL_SEATS - steady - alerting if state.takes_bets else NONE
    lamps = {
        **ALL_SEATS_DARK,
        **dict.fromkeys(inviting, Lamp.INVITE),
        **dict.fromkeys(steady, Lamp.ON),
        **dict.fromkeys(alerting, Lamp.ALERT),
    }
    slot_lamps = tuple(lamps.values())
    return RailOrders(
        slot_lamps,
        gates=seats.collecting,
        turn=state.turn,
        accepting=inviting,
        boot=boot,
        boards=boards,
    )


def _boards_for(state: TableState, device: Device) -> tuple[bool, Boards | None]:
    """Whether the device is believed, and the boards that an order is for.

    None in a ledger from before enrolment.
    """
    marks = state.boards
    if not isinstance(marks, BoardMarks):
        return True, None
    return marks.believes(device), marks.found.get(device)


def shuffler_orders(state: TableState, rules: Rules) -> ShufflerOrders:
    """What the shuffler may do: deal only while betting is closed, and never from a faulty deck."""
    may_deal = state.shown_phase not in BETS_ARE_OPEN
    return order_decks(state, rules, may_deal, may_begin(state, rules.game.deck_size))


def order_decks(
    state: TableState,
    rules: Rules,
    may_deal: bool,
    may_begin: bool,
    *,
    ready_light: bool = False,
) -> ShufflerOrders:
    """What the shuffler may do, if its board is believed; on a locked table it deals nothing."""
    believed, boards = _boards_for(state, Device.SHUFFLER)
    return ShufflerOrders(
        may_deal=believed and may_deal and not state.play_locked,
        may_begin=believed and may_begin,
        hand=state.deck.hand,
        packets=rules.game.packets,
        boards=boards,
        ready_light=believed and ready_light,
    )


def panel_lights(state: TableState, rules: Rules) -> PanelLights:
    """The seat LEDs, and the lamp of the combination."""
    if state.drive is not None:
        return state.drive.panel
    prizes = rules.prizes.prizes if rules.prizes else ()
    lit = [prize.combination == state.choice for prize in prizes]
    return PanelLights(seat_leds(state), (*lit, *NO_COMBINATION[len(lit) :]))


def seat_leds(state: TableState) -> tuple[Lamp, ...]:
    """Of each seat in play, blinking where it is not eligible. No fault changes a seat LED."""
    if state.shown_phase not in ROUND_PHASES:
        return ALL_DARK
    playing = state.seats.playing
    lamps = {
        **ALL_SEATS_DARK,
        **dict.fromkeys(playing, Lamp.ON),
        **dict.fromkeys(playing & state.seats.changed, Lamp.ALERT),
    }
    return tuple(lamps.values())


def legends(_state: TableState, rules: Rules) -> tuple[str, ...]:
    """The combinations, from the left; none at a table without a jackpot."""
    prizes = rules.prizes.prizes if rules.prizes else ()
    return tuple(prize.combination for prize in prizes)


def display_text(state: TableState, rules: Rules, texts: Texts, now: int) -> DisplayText:
    """The display: what on line 1, the amount on line 2."""
    if state.drive is not None and state.drive.display is not None:
        return state.drive.display
    title, amount = _title(state, rules, texts), _second_line(state, rules, texts)
    notice = write_notice(state, texts, now)
    if notice is not None:
        return DisplayText((notice, amount))
    lines = [(title, amount)]
    envy = _choose_envy(state)
    if envy is not None:
        currency = _currency(rules)
        lines.append((f"{texts.envy} x{envy.seats}", texts.amount(envy.each, currency)))
    lines += [(texts.faults[fault], amount) for fault in state.faults]
    return DisplayText(lines[now // ALTERNATE_MS % len(lines)])


def write_notice(state: TableState, texts: Texts, now: int) -> str | None:
    """What replaces the line for 2 s, a refusal or a late token; None: nothing."""
    if state.notice is None or now >= state.notice.until:
        return None
    code = state.notice.code
    return texts.late_token if code is None else texts.refusals[code]


def alternate_faults(title: str, state: TableState, texts: Texts, now: int) -> str:
    """The title, or the fault whose turn it is."""
    lines = [title, *[texts.faults[fault] for fault in state.faults]]
    return lines[now // ALTERNATE_MS % len(lines)]


def first_line_changes_at(state: TableState, now: int) -> int | None:
    """When notice or fault changes without an act; None: never."""
    if state.notice is not None and now < state.notice.until:
        return state.notice.until
    if state.faults or _choose_envy(state) is not None:
        return (now // ALTERNATE_MS + 1) * ALTERNATE_MS
    return None


def _choose_envy(state: TableState) -> Envy | None:
    """The envy of the award; at a linked table only of one that no other table can change."""
    link, award = state.link, state.award
    if isinstance(link, LinkState):
        if award is None:
            return link.paid_envy or None
        if link.award is not None and not link.fixed:
            return None
    return award.envy if award is not None else None


def _title(state: TableState, rules: Rules, texts: Texts) -> str:
    if isinstance(state.link, LinkState):
        waits = _title_under_link(state.link, texts)
        if waits:
            return waits
    if state.award is not None:
        return f"{_name_award(state.award, rules, texts)} x{state.award.winners}"
    if rules.game.reads_coup and _points_line(state):
        coup = state.shoe.coup
        return f"{texts.banco} {points(coup.banco)} {texts.punto} {points(coup.punto)}"
    if state.last_hands is not None:
        return texts.hands_left(state.last_hands.left)
    if not rules.game.progressive:
        return rules.game.title
    return texts.jackpot


def _name_award(award: Award, rules: Rules, texts: Texts) -> str:
    if rules.prizes is None:
        return texts.combinations[award.combination]
    return texts.combination(rules.prizes.of(award.combination))


def _title_under_link(link: LinkState, texts: Texts) -> str:
    """Whether the centre is waited for, or winners may be paid; "": neither."""
    if link.opening is not None or (link.award is not None and not link.fixed):
        return texts.wait
    return texts.pay if link.paid is not None else ""


def _points_line(state: TableState) -> bool:
    return bool(state.shoe.coup.cards) and not state.shoe.coup.incomplete


def _second_line(state: TableState, rules: Rules, texts: Texts) -> str:
    if isinstance(state.link, LinkState):
        cents = choose_amount(state, state.link)
        currency = _currency(rules)
        return texts.amount(cents, currency) if cents is not None else texts.no_amount(currency)
    if state.award is not None:
        return texts.amount(state.award.each, _currency(rules))
    if rules.game.progressive:
        return texts.amount(state.balances.jackpot_cents, _currency(rules))
    if state.shoe.coup.outcome is not None:
        return texts.outcomes[state.shoe.coup.outcome]
    return texts.last_coup if state.shoe.last else ""


def _currency(rules: Rules) -> str:
    return rules.prizes.currency if rules.prizes is not None else EURO


def display_changes_at(state: TableState, _rules: Rules, now: int) -> int | None:
    """When the display changes without an act; None: never."""
    return first_line_changes_at(state, now)

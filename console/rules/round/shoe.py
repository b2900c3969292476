"""The shoe: its cards counted, cards burnt, the cut card (docs/reference/rules.md, section 9).

If the shoe reads its cards, each coup is followed.
"""

from console.rules.acts import CardAnnulled, CoupVoid, CoupWithoutStakes, ShoeReplaced
from console.rules.card_state import FULL_SHOE, CoupMarks, CoupOutcome, ShoeMarks
from console.rules.codes import Fault, Refusal
from console.rules.round.draft import Draft
from console.rules.round.drawing_rule import next_place, outcome
from console.rules.structs import replace
from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CoupResult,
    CutCardOut,
    Place,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeSeen,
    ShoeTrouble,
)

BURNT = 5
"""The first cards of a shoe, which are burnt unseen; if they are not, the shoe is still valid."""

LAST_CARDS = 7
"""The cut card belongs before the last seven cards; a last coup that begins with it needs as
many."""

REPORTED = {
    CoupResult.PUNTO: CoupOutcome.PUNTO,
    CoupResult.BANCO: CoupOutcome.BANCO,
    CoupResult.EGALITE: CoupOutcome.EGALITE,
}


def on_shoe_loaded(draft: Draft, act: ShoeLoaded) -> None:
    """A reading shoe was filled: everything about the one before is over."""
    if _takes_reports(draft):
        _new_shoe(draft, act.cards if act.cards is not None else FULL_SHOE)


def on_shoe_seen(draft: Draft, act: ShoeSeen) -> None:
    """A counting shoe's report: another shoe, cards that left it, the cut card."""
    if not _takes_reports(draft):
        return
    shoe = draft.shoe
    if (shoe.boot, shoe.loads) != (act.boot, act.loads):
        if act.loads == 0:
            return  # no shoe was put in yet
        _new_shoe(draft, act.cards)
        draft.shoe = replace(draft.shoe, boot=act.boot, loads=act.loads)
    elif shoe.cards is None:
        return  # this shoe was taken away
    if act.draws < draft.shoe.drawn:
        draft.decide("shoe-counts-back", draws=act.draws, known=draft.shoe.drawn)
    for _ in range(act.draws - draft.shoe.drawn):
        if act.cut_after == draft.shoe.drawn and not draft.shoe.last:
            _cut_card(draft)
        _count_card(draft)
    if act.cut_after is not None and not draft.shoe.last:
        _cut_card(draft)


def _takes_reports(draft: Draft) -> bool:
    """Whether reports are followed; not under a ledger fault, when they could not be recorded."""
    if draft.locked:
        draft.no_effect()
        return False
    return True


def _new_shoe(draft: Draft, cards: int) -> None:
    """A new shoe.

    A result stays until the next coup's first card; a coup in play cannot be finished.
    """
    coup = draft.shoe.coup
    if coup.cards and not coup.ended:
        if draft.rules.game.reads_coup and not coup.incomplete:
            _end_coup(draft, CoupOutcome.VOID)
        else:
            draft.shoe = replace(draft.shoe, coup=CoupMarks())  # ended with an unknown result
    last = draft.shoe.coup
    kept = CoupMarks() if last.outcome is None else replace(last, by_order=False)
    draft.shoe = ShoeMarks(cards=cards, coup=kept)
    draft.decide("shoe-loaded", cards=cards)


def _count_card(draft: Draft) -> None:
    """Count a card that left: burnt before the first hand, otherwise dealt."""
    shoe = draft.shoe
    if not shoe.dealing and shoe.burnt < BURNT and shoe.drawn == shoe.burnt:
        draft.shoe = replace(draft.shoe, drawn=shoe.drawn + 1, burnt=shoe.burnt + 1)
        return
    if shoe.coup.ended or not shoe.coup.cards:
        _begin_coup(draft)
    coup = draft.shoe.coup
    draft.shoe = replace(draft.shoe, drawn=shoe.drawn + 1, coup=replace(coup, cards=coup.cards + 1))
    _void_empty_coup(draft)


def _note_unburnt(draft: Draft) -> None:
    shoe = draft.shoe
    if shoe.burnt < BURNT and shoe.drawn == shoe.burnt:
        draft.decide("not-burnt", burnt=shoe.burnt)


def begin_hand(draft: Draft) -> None:
    """COIN IN: cards that leave a counting shoe from now on are dealt."""
    if draft.shoe.cards is not None:
        draft.shoe = replace(draft.shoe, dealing=True)


def end_hand(draft: Draft) -> None:
    """GAME OVER: the dealt hand has ended; its result stays until the next card."""
    shoe = draft.shoe
    if shoe.coup.cards and not draft.rules.game.reads_coup:
        draft.shoe = replace(draft.shoe, coup=replace(shoe.coup, ended=True), over=shoe.last)


def on_card_burnt(draft: Draft, _act: CardBurnt) -> None:
    """A card left the shoe outside any coup."""
    if _takes_reports(draft):
        shoe = draft.shoe
        draft.shoe = replace(draft.shoe, drawn=shoe.drawn + 1, burnt=shoe.burnt + 1)


def on_cut_card_out(draft: Draft, _act: CutCardOut) -> None:
    """The cut card came out."""
    if not _takes_reports(draft):
        return
    if draft.shoe.last:
        draft.no_effect()  # repeated
    else:
        _cut_card(draft)


def _cut_card(draft: Draft) -> None:
    """This coup is the last.

    If it began with the cut card, it counts only with seven cards left.
    """
    shoe = draft.shoe
    first_card = shoe.coup.ended or shoe.coup.cards == 0
    draft.decide("cut-card", remaining=shoe.remaining)
    if draft.rules.game.reads_coup:
        if shoe.remaining != LAST_CARDS:
            draft.decide("cut-card-misplaced", remaining=shoe.remaining)
        draft.shoe = replace(
            draft.shoe, last=True, too_few=first_card and shoe.remaining < LAST_CARDS
        )
    else:
        draft.shoe = replace(draft.shoe, last=True)


def on_card_drawn(draft: Draft, act: CardDrawn) -> None:
    """A card went to a place: the right one, or it is a draw error."""
    if not _takes_reports(draft):
        return
    if _begins_coup(draft.shoe.coup, act):
        _begin_coup(draft, in_step=_is_first(act))
    shoe = draft.shoe
    coup = shoe.coup
    place = next_place(coup.punto, coup.banco) if coup.by_order else act.place
    if not coup.by_order and not coup.incomplete and not _is_due(coup, act):
        draft.decide("draw-error", place=act.place.value, number=act.number)
        draft.raise_fault(Fault.DRAW_ERROR)
        coup = replace(coup, incomplete=True)
    coup = replace(coup, cards=coup.cards + 1)
    if place is Place.PUNTO:
        coup = replace(coup, punto=(*coup.punto, act.card.name))
    else:
        coup = replace(coup, banco=(*coup.banco, act.card.name))
    draft.shoe = replace(draft.shoe, drawn=shoe.drawn + 1, coup=coup)
    if not coup.incomplete and next_place(coup.punto, coup.banco) is None:
        _end_coup(draft, outcome(coup.punto, coup.banco))
    _void_empty_coup(draft)


def _is_due(coup: CoupMarks, act: CardDrawn) -> bool:
    """Whether it is the next card by the rule, in a coup that followed the rule so far."""
    mine = coup.punto if act.place is Place.PUNTO else coup.banco
    return act.place is next_place(coup.punto, coup.banco) and act.number == len(mine) + 1


def _begins_coup(coup: CoupMarks, act: CardDrawn) -> bool:
    """Whether a card begins another coup: PUNTO's first, even if the last end was missed."""
    again = _is_first(act) and bool(coup.punto) and not coup.by_order
    return coup.ended or not coup.cards or again


def _is_first(act: CardDrawn) -> bool:
    return act.place is Place.PUNTO and act.number == 1


def _begin_coup(draft: Draft, *, in_step: bool = True) -> None:
    """Begin a coup; `in_step`: the shoe begins one too."""
    draft.clear_fault(Fault.DRAW_ERROR)
    _note_unburnt(draft)
    shoe = draft.shoe
    if shoe.over:
        draft.decide("coup-after-the-last")
    declared = shoe.no_stakes_next or (shoe.coup.without_stakes and not shoe.coup.cards)
    coup = CoupMarks(without_stakes=declared, by_order=shoe.coup.by_order and not in_step)
    draft.shoe = replace(draft.shoe, coup=coup, no_stakes_next=False)


def _end_coup(draft: Draft, result: CoupOutcome) -> None:
    """End the coup with its result; VOID if the cards were too few, or by declaration."""
    shoe = draft.shoe
    if shoe.too_few or shoe.coup.void:
        result = CoupOutcome.VOID
    road = shoe.road if shoe.coup.without_stakes else (*shoe.road, result)
    coup = replace(shoe.coup, ended=True, outcome=result)
    draft.shoe = replace(draft.shoe, coup=coup, road=road, over=shoe.last)
    draft.decide("coup-ended", result=result.value)


def _void_empty_coup(draft: Draft) -> None:
    shoe = draft.shoe
    if shoe.drawn == shoe.cards and not shoe.coup.ended:
        draft.shoe = replace(draft.shoe, coup=replace(shoe.coup, void=True))
        _end_coup(draft, CoupOutcome.VOID)


def on_result_reported(draft: Draft, act: ResultReported) -> None:
    """The shoe's own result: it must come when ours is known, and be equal."""
    if not _takes_reports(draft):
        return
    coup = draft.shoe.coup
    if act.result is CoupResult.FORCED:
        if coup.cards and not coup.ended:
            _end_coup(draft, CoupOutcome.VOID)
        return
    if coup.by_order:
        draft.decide("result-of-another-coup", result=act.result.value)
    elif coup.incomplete:
        draft.shoe = replace(draft.shoe, coup=replace(coup, ended=True), over=draft.shoe.last)
    elif not coup.ended or not coup.cards:
        draft.decide("result-too-early", result=act.result.value)
        draft.raise_fault(Fault.DRAW_ERROR)
        draft.shoe = replace(draft.shoe, coup=replace(coup, ended=True, incomplete=True))
    elif _fits(coup, REPORTED[act.result]):
        draft.decide("result-confirmed", result=act.result.value)
    else:
        draft.decide("result-differs", result=act.result.value)
        draft.raise_fault(Fault.DRAW_ERROR)


def _fits(coup: CoupMarks, reported: CoupOutcome) -> bool:
    if next_place(coup.punto, coup.banco) is not None:
        return True  # the shoe ran out: we have no result to compare
    return outcome(coup.punto, coup.banco) is reported


def on_shoe_trouble(draft: Draft, act: ShoeTrouble) -> None:
    """Record an error of the shoe; an overdraw is a draw error."""
    if not _takes_reports(draft):
        return
    draft.decide("shoe-error-over" if act.over else "shoe-error", code=act.code, error=act.what)
    if act.overdraw and not draft.shoe.coup.by_order:
        draft.raise_fault(Fault.DRAW_ERROR)


def on_reports_missed(draft: Draft, _act: ReportsMissed) -> None:
    """Reports were missed; the places of the next cards will show whether a card was."""
    draft.decide("shoe-unheard")


# Declarations


def on_coup_void(draft: Draft, _act: CoupVoid) -> None:
    """The coup in play ends VOID; between two coups, the last one becomes void."""
    shoe = draft.shoe
    if not shoe.coup.cards:
        draft.refuse(Refusal.NO_HAND)
        return
    draft.shoe = replace(draft.shoe, road=_road_before(shoe), coup=replace(shoe.coup, void=True))
    _end_coup(draft, CoupOutcome.VOID)


def _road_before(shoe: ShoeMarks) -> tuple[CoupOutcome, ...]:
    """The road without the coup, if that has ended and is in it."""
    coup = shoe.coup
    stands = coup.ended and coup.outcome is not None and not coup.without_stakes
    return shoe.road[:-1] if stands else shoe.road


def on_coup_without_stakes(draft: Draft, _act: CoupWithoutStakes) -> None:
    """Nobody has a stake in the coup in play, or in the next one; it is in no road."""
    coup = draft.shoe.coup
    if coup.ended:
        draft.shoe = replace(draft.shoe, no_stakes_next=True)
    else:
        draft.shoe = replace(draft.shoe, coup=replace(coup, without_stakes=True))
    draft.decide("coup-without-stakes")


def on_card_annulled(draft: Draft, _act: CardAnnulled) -> None:
    """The last card left the shoe by error: it counts as drawn and burnt, in no hand."""
    shoe = draft.shoe
    if not shoe.coup.cards:
        draft.refuse(Refusal.NO_HAND)
        return
    coup = _without_last(shoe.coup)
    if draft.rules.game.reads_coup:
        coup = replace(coup, by_order=not coup.incomplete)
    else:
        coup = replace(coup, ended=shoe.coup.ended)
    over = shoe.over and coup.ended
    draft.shoe = replace(
        draft.shoe, burnt=shoe.burnt + 1, road=_road_before(shoe), coup=coup, over=over
    )
    draft.decide("card-annulled")


def _without_last(coup: CoupMarks) -> CoupMarks:
    """The coup before its last card; which card that was is known only for a complete coup."""
    if coup.incomplete and coup.cards > 1:
        return replace(coup, cards=coup.cards - 1)
    punto, banco = coup.punto, coup.banco
    if len(punto) > len(banco):
        punto = punto[:-1]
    else:
        banco = banco[:-1]
    return CoupMarks(punto, banco, coup.cards - 1, without_stakes=coup.without_stakes)


def on_shoe_replaced(draft: Draft, _act: ShoeReplaced) -> None:
    """The coup in play is void; the next shoe begins when it is loaded, or has begun already."""
    shoe = draft.shoe
    if shoe.coup.cards and not shoe.coup.ended:
        draft.shoe = replace(draft.shoe, coup=replace(shoe.coup, void=True))
        _end_coup(draft, CoupOutcome.VOID)
    coup = draft.shoe.coup
    if shoe.drawn > shoe.burnt:
        draft.shoe = ShoeMarks(boot=shoe.boot, loads=shoe.loads, coup=coup, dealing=shoe.dealing)
    draft.decide("shoe-replaced")

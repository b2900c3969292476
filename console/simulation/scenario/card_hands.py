"""What the croupier does at a simulated shuffler or shoe, as calls to the cabinet."""

from collections.abc import Callable, Iterator
from functools import partial

from console.simulation.cabinet import SimulatedCabinet
from console.simulation.scenario.language.card_acts import (
    BurnCards,
    CardAct,
    DrawCards,
    DrawCutCard,
    LoadDeck,
    LoadShoe,
    TakePackets,
    UnloadDeck,
)


def card_hands(cabinet: SimulatedCabinet, act: CardAct) -> Iterator[Callable[[], object]]:
    """The calls that an act stands for, in order."""
    match act:
        case LoadDeck():
            yield partial(cabinet.load_deck, act.back, act.cards)
        case TakePackets():
            yield from [cabinet.take_packet] * act.packets
        case UnloadDeck():
            yield cabinet.unload_deck
        case LoadShoe():
            yield partial(cabinet.load_shoe, act.cards)
        case BurnCards():
            yield partial(cabinet.burn, act.cards)
        case DrawCards(place=None):
            for card in act.cards:
                yield partial(cabinet.draw, card.name if card else None)
        case DrawCards():
            for card in act.cards:
                if card is not None and act.place is not None:
                    yield partial(cabinet.draw_to, act.place, card.name)
        case DrawCutCard():
            yield cabinet.cut_card

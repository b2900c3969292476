"""The hands of the croupier on a simulated shuffler and shoe."""

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


def card_hands(cabinet: SimulatedCabinet, deed: CardAct) -> Iterator[Callable[[], object]]:
    """What is done to the cabinet for an act, one thing after another."""
    match deed:
        case LoadDeck():
            yield partial(cabinet.load_deck, deed.back, deed.cards)
        case TakePackets():
            yield from [cabinet.take_packet] * deed.packets
        case UnloadDeck():
            yield cabinet.unload_deck
        case LoadShoe():
            yield partial(cabinet.load_shoe, deed.cards)
        case BurnCards():
            yield partial(cabinet.burn, deed.cards)
        case DrawCards(place=None):
            for card in deed.cards:
                yield partial(cabinet.draw, card.name if card else None)
        case DrawCards():
            for card in deed.cards:
                if card is not None and deed.place is not None:
                    yield partial(cabinet.draw_to, deed.place, card.name)
        case DrawCutCard():
            yield cabinet.cut_card

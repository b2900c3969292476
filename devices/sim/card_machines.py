"""A cabinet's shoe and shuffler, and what people do to them."""

from typing import TYPE_CHECKING

from devices.card_reports import Back, Place
from devices.sim.rail import PhysicallyImpossible
from firmware_bridge.line import Line

if TYPE_CHECKING:  # a cabinet imports only those that its game has
    from devices.sim.reading_shoe import SimulatedReadingShoe
    from devices.sim.shoe import SimulatedShoe
    from devices.sim.shuffler import SimulatedShuffler


class CardMachines:
    """The part of a cabinet for cards: a game has a shoe, a shuffler, both or neither."""

    def __init__(self, shoe: "SimulatedShoe | None", shuffler: "SimulatedShuffler | None") -> None:
        self._shoe = shoe
        self._shuffler = shuffler

    # The shoe

    def load_shoe(self, cards: int = 312) -> None:
        """Fill the shoe with this number of cards and the cut card. Raises PhysicallyImpossible."""
        self._the_shoe().load(cards)

    def burn(self, cards: int = 5) -> None:
        """Draw cards outside any coup. Raises PhysicallyImpossible if there are too few."""
        self._the_shoe().burn(cards)

    def draw(self, card: str | None = None) -> None:
        """Draw a card, `9H` or any, to where the drawing rule wants it.

        Raises PhysicallyImpossible.
        """
        self._the_shoe().draw(card)

    def draw_to(self, place: Place, card: str) -> None:
        """Draw this card to a place, right or wrong. Raises PhysicallyImpossible."""
        self._reading_shoe().draw_to(place, card)

    def cut_card(self) -> None:
        """Let the cut card come out of the shoe. Raises PhysicallyImpossible if it is out."""
        self._the_shoe().cut_card()

    def end_coup(self) -> None:
        """End the coup with the reading shoe's button, if a coup is in progress."""
        self._reading_shoe().end_coup()

    def shoe_line(self) -> Line:
        """A new line to the shoe, for a controller in this process."""
        return self._the_shoe().cable.line()

    # The shuffler, or the mixer

    def load_deck(self, back: Back, cards: int | None = None) -> None:
        """Put in a deck with this number of cards (a full one: 52, mixer 312).

        Raises PhysicallyImpossible.
        """
        self.shuffler().load_deck(back, cards)

    def take_packet(self) -> int:
        """Take the packet at the exit; returns its number of cards, 0 if none can be taken."""
        return len(self.shuffler().take_packet())

    def unload_deck(self) -> None:
        """Press the button that unloads the deck in play, or else the prepared one."""
        self.shuffler().unload_deck()

    def press_green(self) -> None:
        """Press the deck shuffler's green button. Raises PhysicallyImpossible without one."""
        self.shuffler().press_green()

    def jam_shuffler(self) -> None:
        """Let a card jam the shuffler, which stops."""
        self.shuffler().jam()

    def unjam_shuffler(self) -> None:
        """Free the card; the shuffler continues."""
        self.shuffler().unjam()

    def green_light(self) -> bool:
        """Whether a shuffler's green light is lit: nothing is left of the deck in play."""
        return self._shuffler is not None and self._shuffler.green_light()

    def ready_light(self) -> bool:
        """Whether a deck shuffler's green light is lit: GREEN would be accepted."""
        return self._shuffler is not None and self._shuffler.ready_light()

    def shuffler_line(self) -> Line:
        """A new line to the shuffler, for a controller in this process."""
        return self.shuffler().cable.line()

    def _the_shoe(self) -> "SimulatedShoe":
        if self._shoe is None:
            raise PhysicallyImpossible("this cabinet has no shoe")
        return self._shoe

    def _reading_shoe(self) -> "SimulatedReadingShoe":
        from devices.sim.reading_shoe import SimulatedReadingShoe

        if not isinstance(self._shoe, SimulatedReadingShoe):
            raise PhysicallyImpossible("this cabinet has no shoe that reads")
        return self._shoe

    def shuffler(self) -> "SimulatedShuffler":
        """The shuffler itself, to see its cards. Raises PhysicallyImpossible."""
        if self._shuffler is None:
            raise PhysicallyImpossible("this cabinet has no shuffler")
        return self._shuffler

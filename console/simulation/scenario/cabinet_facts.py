"""The state of a simulated cabinet that people change by hand: tokens, cards, cables, decks."""

from typing import Any

from msgspec import Struct

from console.service.table_service import TableService
from console.simulation.cabinet import SimulatedCabinet, SimulatedDisk
from devices.device import Device
from devices.door_reports import DoorContact
from devices.roles import KeyPosition


class ShufflerDecks(Struct, frozen=True):
    """The decks in a shuffler: the colour of their backs (empty: no deck) and their cards."""

    prepared: str = ""
    """Being shuffled, or ready."""
    prepared_cards: int = 0
    behind: str = ""
    """Waits for its shuffle."""
    behind_cards: int = 0
    playing: str = ""
    left: int = 0
    """Cards left of the deck in play."""
    waiting: int = 0
    """Cards of the packet at the exit."""
    jammed: bool = False
    """A card sticks."""

    def to_json(self) -> dict[str, Any]:
        """One object, its keys as the fields."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class CabinetFacts(Struct, frozen=True):
    """The state of the cabinet that people change by hand."""

    game: str
    """What people call it."""
    combinations: tuple[str, ...] = ()
    """The buttons' names, from the left; none: there is no rail either."""
    powered: bool = True
    disk_full: bool = False
    key: KeyPosition | None = KeyPosition.R
    inspector: bool = False
    doors: frozenset[DoorContact] = frozenset()
    """The contacts of its doors that are open."""
    unplugged: frozenset[Device] = frozenset()
    tokens: frozenset[int] = frozenset()
    cards: frozenset[int] = frozenset()
    jams: frozenset[int] = frozenset()
    tray: int | None = None
    """Tokens in the tray; None: there is no tray."""
    gates: frozenset[int] = frozenset()
    """The seats whose gate is open."""
    decks: ShufflerDecks | None = None
    """None: there is no shuffler."""
    shoe: int | None = None
    """Cards in it; None: no shoe is loaded."""
    cut_out: bool = False
    """The cut card has come out."""

    def to_json(self) -> dict[str, Any]:
        """One object for a page: sets as sorted lists, names as scenarios write them."""
        opened = {"doors": sorted(door.value for door in self.doors)} if self.doors else {}
        return opened | {
            "game": self.game,
            "combinations": list(self.combinations),
            "powered": self.powered,
            "disk_full": self.disk_full,
            "key": self.key.value if self.key else None,
            "inspector": self.inspector,
            "unplugged": sorted(device.value for device in self.unplugged),
            "tokens": sorted(self.tokens),
            "cards": sorted(self.cards),
            "jams": sorted(self.jams),
            "tray": self.tray,
            "gates": sorted(self.gates),
            "decks": self.decks.to_json() if self.decks else None,
            "shoe": self.shoe,
            "cut_out": self.cut_out,
        }


def facts_of(cabinet: SimulatedCabinet, disk: SimulatedDisk, service: TableService) -> CabinetFacts:
    """The facts of a simulated cabinet now; `service` is the one that runs, or ran last."""
    state, rail = cabinet.state, service.rules.rail
    game = service.rules.game
    return CabinetFacts(
        game=game.known_as,
        combinations=service.combinations,
        powered=state.powered,
        disk_full=disk.full,
        key=state.key,
        inspector=state.inspector,
        doors=frozenset(state.doors),
        unplugged=frozenset(state.unplugged),
        tokens=frozenset(state.tokens),
        cards=frozenset(state.cards),
        jams=frozenset(state.jams),
        tray=cabinet.tray_count if rail is not None and rail.tray else None,
        gates=cabinet.open_gates(),
        decks=_decks(cabinet) if game.shuffler else None,
        shoe=state.shoe.left if game.shoe else None,
        cut_out=state.shoe.cut_out,
    )


def _decks(cabinet: SimulatedCabinet) -> ShufflerDecks:
    memory = cabinet.state.shuffler
    prepared, behind, playing = memory.prepared_back, memory.behind_back, memory.playing_back
    return ShufflerDecks(
        prepared=prepared.value if prepared else "",
        prepared_cards=memory.prepared_cards,
        behind=behind.value if behind else "",
        behind_cards=memory.behind_cards,
        playing=playing.value if playing else "",
        left=memory.left,
        waiting=memory.waiting,
        jammed=memory.jammed,
    )

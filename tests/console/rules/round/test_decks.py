"""Decks as the round follows them, where a scenario cannot lead.

docs/reference/rules.md, section 8.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

from console.rules.acts import DeckReplaced, RoundVoid, Started
from console.rules.codes import Fault, Refusal
from console.rules.game_modules import shuffler_orders
from console.rules.games import GAMES
from console.rules.observation import shuffler_status
from console.rules.round import ActOutcome
from console.rules.structs import replace
from devices.card_reports import Back, DeckState, ShufflerSeen
from devices.roles import Button, ButtonPressed, KeyMoved, KeyPosition
from tests.console.table import PureTable, rules_of

RED, BLUE = Back.RED, Back.BLUE
EMPTY, SHUFFLING, READY, JAMMED = DeckState
COIN_IN, GAME_OVER = ButtonPressed(Button.COIN_IN), ButtonPressed(Button.GAME_OVER)
CARDS = 52


@dataclass
class PureDeckTable(PureTable):
    """A `PureTable` and its shuffler's reports: each says what is new in it."""

    reported: ShufflerSeen = field(default_factory=lambda: ShufflerSeen(1, EMPTY))

    def report(self, **new: Any) -> list[str]:
        """The machine reports; what is decided of it."""
        self.reported = replace(self.reported, **new)
        return [decision.what for decision in self.do(self.reported).decisions]

    def ready(self, back: Back, cards: int = CARDS) -> None:
        self.report(preparing=SHUFFLING, prepared_back=back, counted=None)
        self.report(preparing=READY, counted=cards)

    def take(self, *, packets: int, dealt: int, **new: Any) -> list[str]:
        """A deck is in play for the hand of now, and so much of it has been taken."""
        return self.report(hand=self.state.deck.hand, packets=packets, dealt=dealt, **new)

    def into_play(self) -> None:
        """The deck prepared comes into play: its first packet stands at the exit."""
        back = self.reported.prepared_back
        out = {"preparing": EMPTY, "prepared_back": None, "counted": None, "unloaded": None}
        self.take(packets=0, dealt=0, playing_back=back, waiting=True, **out)

    def unload(self, cards: int) -> None:
        self.report(playing_back=None, unloaded=cards, waiting=False)

    def deal_from(self, back: Back) -> None:
        """A whole hand, and the rest unloaded."""
        self.do(GAME_OVER, COIN_IN)
        self.ready(back)
        self.into_play()
        self.take(packets=2, dealt=10)
        self.unload(CARDS - 10)

    def faults(self) -> tuple[Fault, ...]:
        return self.state.faults

    @property
    def may(self) -> tuple[bool, bool]:
        """Whether it may deal, and whether the deck that is ready may come into play."""
        orders = shuffler_orders(self.state, self.rules)
        return orders.may_deal, orders.may_begin


def decks_of(game: str) -> PureDeckTable:
    decks = PureDeckTable.start(rules_of(game))
    assert isinstance(decks, PureDeckTable)
    decks.do(decks.reported)
    return decks


@pytest.fixture
def decks() -> PureDeckTable:
    return decks_of("ultimate-texas-holdem")


@pytest.fixture
def mixer() -> PureDeckTable:
    return decks_of("mini-punto-banco")


# The count


def test_what_was_dealt_and_what_was_left_must_be_the_whole_deck(decks: PureDeckTable) -> None:
    """TABLE 8.6, 7.5"""
    decks.do(GAME_OVER, COIN_IN)
    decks.ready(RED)
    decks.into_play()
    decks.take(packets=2, dealt=10)
    assert decks.faults() == ()
    decks.unload(41)
    assert decks.faults() == (Fault.CARD_COUNT,)
    decks.do(GAME_OVER)
    assert decks.faults() == (), "that deck has been unloaded"


@pytest.mark.parametrize(("dealt", "left"), [(0, 52), (19, 33), (52, 0)])
def test_a_whole_deck_is_whole_however_it_was_dealt(
    decks: PureDeckTable, dealt: int, left: int
) -> None:
    """TABLE 8.6"""
    decks.do(GAME_OVER, COIN_IN)
    decks.ready(RED)
    decks.into_play()
    decks.take(packets=1, dealt=dealt)
    decks.unload(left)
    assert decks.faults() == ()


@pytest.mark.parametrize("cards", [0, 51, 53, 311, 312])
def test_a_deck_is_52_cards(decks: PureDeckTable, cards: int) -> None:
    """TABLE 8.2, 8.3"""
    decks.ready(RED, cards)
    assert (decks.faults(), decks.may[1]) == ((Fault.CARD_COUNT,), False)
    assert shuffler_status(decks.state) == "FAULT"


def test_a_deck_may_begin_when_its_count_is_known_and_right(decks: PureDeckTable) -> None:
    """TABLE 8.3: the machine does not wait for the host to judge it"""
    assert not decks.may[1]
    decks.report(preparing=SHUFFLING, prepared_back=RED, counted=None)
    assert not decks.may[1]
    decks.report(preparing=READY, counted=CARDS)
    assert decks.may[1]


@pytest.mark.parametrize("cards", [0, 52, 311, 313])
def test_a_set_is_312_cards(mixer: PureDeckTable, cards: int) -> None:
    """TABLE 8.2"""
    mixer.ready(RED, cards)
    assert mixer.faults() == (Fault.CARD_COUNT,)
    mixer.report(preparing=EMPTY, prepared_back=None, counted=None)
    mixer.ready(BLUE, 312)
    assert mixer.faults() == ()


def test_a_miscounted_deck_that_jams_is_no_better_for_it(decks: PureDeckTable) -> None:
    """TABLE 7.5: until that deck is unloaded"""
    decks.ready(RED, 51)
    decks.report(preparing=JAMMED)
    assert decks.faults() == (Fault.CARD_COUNT,)
    decks.report(preparing=READY)
    decks.report(preparing=EMPTY, prepared_back=None, counted=None)
    assert decks.faults() == ()


def test_a_deck_being_shuffled_has_not_been_counted(decks: PureDeckTable) -> None:
    decks.report(preparing=SHUFFLING, prepared_back=RED)
    assert decks.faults() == ()


# Two backs in turn


def test_each_hand_from_the_other_deck(decks: PureDeckTable) -> None:
    """TABLE 8.1"""
    for back in (RED, BLUE, RED, BLUE):
        decks.deal_from(back)
        assert (decks.state.deck.last_back, decks.faults()) == (back, ())


def test_the_same_back_again_is_known_as_soon_as_it_is_in_the_machine(
    decks: PureDeckTable,
) -> None:
    """TABLE 8.1, 8.3"""
    decks.deal_from(RED)
    decks.report(preparing=SHUFFLING, prepared_back=RED)
    assert (decks.faults(), decks.may[1]) == ((Fault.DECK_REPEATED,), False)
    assert shuffler_status(decks.state) == "SHUFFLING"


def test_the_back_of_the_deck_in_play_counts_before_it_is_dealt(decks: PureDeckTable) -> None:
    """TABLE 8.1"""
    decks.do(GAME_OVER, COIN_IN)
    decks.ready(RED)
    decks.into_play()
    decks.ready(RED)
    assert decks.faults() == (Fault.DECK_REPEATED,)
    decks.unload(CARDS)
    assert decks.faults() == (), "nothing was ever dealt from the other"


def test_a_deck_unloaded_before_its_first_packet_was_heard_of_was_used(
    decks: PureDeckTable,
) -> None:
    """TABLE 8.1: the report between was lost"""
    decks.do(GAME_OVER, COIN_IN)
    decks.ready(RED)
    decks.into_play()
    decks.take(packets=1, dealt=5, playing_back=None, unloaded=47, waiting=False)
    assert decks.state.deck.last_back is RED
    decks.do(GAME_OVER, COIN_IN)
    decks.ready(BLUE)
    gone = {"preparing": EMPTY, "prepared_back": None, "counted": None}
    decks.take(packets=1, dealt=5, unloaded=47, **gone)
    assert decks.state.deck.last_back is BLUE


def test_declared_replaced_one_deck_may_have_the_same_back_and_the_next_not(
    decks: PureDeckTable,
) -> None:
    """TABLE 4.10, 8.1"""
    decks.deal_from(RED)
    decks.do(DeckReplaced("Anna"))
    decks.deal_from(RED)
    assert decks.faults() == ()
    decks.ready(RED)
    assert decks.faults() == (Fault.DECK_REPEATED,)
    decks.do(DeckReplaced("Anna"))
    assert decks.faults() == ()


def test_a_set_taken_out_of_the_mixer_was_used(mixer: PureDeckTable) -> None:
    """TABLE 8.11"""
    mixer.ready(RED, 312)
    mixer.report(preparing=EMPTY, prepared_back=None, counted=None)
    assert mixer.state.deck.last_back is RED
    mixer.report(preparing=SHUFFLING, prepared_back=RED)
    assert mixer.faults() == (Fault.DECK_REPEATED,)


def test_a_set_taken_out_and_another_put_in_unheard(mixer: PureDeckTable) -> None:
    """TABLE 8.11"""
    mixer.ready(RED, 312)
    mixer.report(preparing=SHUFFLING, prepared_back=BLUE, counted=None)
    assert (mixer.state.deck.last_back, mixer.faults()) == (RED, ())


def test_a_faulty_set_taken_out_was_not_used(mixer: PureDeckTable) -> None:
    """TABLE 8.3, 8.11: with its missing card it may come back"""
    mixer.ready(RED, 311)
    mixer.report(preparing=EMPTY, prepared_back=None, counted=None)
    mixer.ready(RED, 312)
    assert mixer.faults() == ()


def test_a_set_that_jams_is_still_in_the_mixer(mixer: PureDeckTable) -> None:
    """TABLE 8.11"""
    mixer.ready(RED, 312)
    mixer.report(preparing=JAMMED)
    assert (mixer.state.deck.last_back, shuffler_status(mixer.state)) == (None, "FAULT")
    mixer.report(preparing=READY)
    assert mixer.faults() == ()


# Dealt


def test_dealt_counts_for_the_hand_of_now_only(decks: PureDeckTable) -> None:
    """TABLE 8.5, 4.9: from 0 after GAME OVER, and after a round that is void"""
    decks.do(GAME_OVER, COIN_IN)
    decks.ready(RED)
    decks.into_play()
    assert decks.state.deck.dealt == 0, "a packet at the exit is not dealt"
    assert decks.take(packets=1, dealt=5) == ["packet-dealt"]
    assert decks.state.deck.dealt == 5
    decks.do(RoundVoid("Anna"))
    assert decks.state.deck.dealt == 0
    decks.report(unloaded=47, playing_back=None)
    assert (decks.state.deck.dealt, decks.faults()) == (0, ())
    decks.ready(BLUE)
    decks.into_play()
    decks.take(packets=1, dealt=5)
    decks.do(Started())
    assert decks.state.deck.dealt == 5
    decks.do(KeyMoved(KeyPosition.R), GAME_OVER)
    assert decks.state.deck.dealt == 0


def test_hands_are_numbered_from_1_to_65535(decks: PureDeckTable) -> None:
    decks.state = replace(decks.state, deck=replace(decks.state.deck, hand=0xFFFF))
    decks.do(GAME_OVER)
    assert shuffler_orders(decks.state, decks.rules).hand == 1


def test_the_packets_are_those_of_the_game() -> None:
    """TABLE 8.8, 8.9, 8.10, 8.11; POKER 17"""
    packets = {name: game.packets for name, game in GAMES.items()}
    assert packets == {
        "caribbean-stud": (5, 5, 5, 5, 5, 5, 5, 5),
        "tre-card-stud": (3, 3, 3, 3, 3, 3, 3, 3),
        "ultimate-texas-holdem": (5, 2, 2, 2, 2, 2, 2, 2),
        "mini-punto-banco": (),
        "black-jack": (),
        "texas-holdem": (52,),
    }


# The interlock


def test_it_deals_in_any_phase_but_betting_and_service(decks: PureDeckTable) -> None:
    """TABLE 8.4"""
    decks.ready(RED)
    assert decks.may == (True, True)
    decks.do(GAME_OVER)
    assert decks.may == (False, True)
    decks.do(COIN_IN)
    assert decks.may == (True, True)
    decks.do(KeyMoved(KeyPosition.S))
    assert decks.may == (False, True)
    decks.do(KeyMoved(KeyPosition.R))
    assert decks.may == (True, True)


def test_a_locked_table_deals_nothing_and_follows_nothing(decks: PureDeckTable) -> None:
    decks.ready(RED)
    decks.state = decks.with_fault(Fault.LEDGER_FAULT)
    assert decks.may[0] is False
    before = decks.state
    assert decks.do(replace(decks.reported, preparing=EMPTY)).outcome is ActOutcome.NO_EFFECT
    assert decks.state == before
    assert decks.do(DeckReplaced("Anna")).refusal is Refusal.LOCKED


# What is shown


@pytest.mark.parametrize(
    ("seen", "shown"),
    [
        (ShufflerSeen(1, EMPTY), "EMPTY"),
        (ShufflerSeen(1, SHUFFLING, RED), "SHUFFLING"),
        (ShufflerSeen(1, READY, RED, 52), "READY"),
        (ShufflerSeen(1, READY, RED, 51), "FAULT"),
        (ShufflerSeen(1, JAMMED, RED), "FAULT"),
        (ShufflerSeen(1, JAMMED, None, None, BLUE, 1, 5, 1), "FAULT"),
        (ShufflerSeen(1, SHUFFLING, RED, None, BLUE, 1, 5, 1), "DEALING"),
        (ShufflerSeen(1, READY, RED, 51, BLUE, 1, 5, 1), "DEALING"),
        (ShufflerSeen(1, EMPTY, None, None, BLUE, 1, 0, 0, None, True), "DEALING"),
    ],
)
def test_the_deck_in_play_is_shown_or_else_the_one_prepared(
    decks: PureDeckTable, seen: ShufflerSeen, shown: str
) -> None:
    decks.do(GAME_OVER, COIN_IN, seen)
    assert shuffler_status(decks.state) == shown

"""The picture of a poker table, drawn of a whole simulated one that is played."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.poker_clock import MINUTE_MS, Blinds, Step
from console.rules.poker_settings import Form, PokerHouse, PokerSettings
from console.simulation.scenario.acts import Vocabulary, parse_act
from console.simulation.scenario.cabinet_facts import facts_of
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from console.simulation.terminal.cabinet_view import WIDTH, ScreenTraits
from console.simulation.terminal.poker_view import draw_poker, poker_facts_of, write_large
from console.texts.language import Language

pytestmark = pytest.mark.sampled(of=2)

ASCII, UNICODE = ScreenTraits(unicode=False), ScreenTraits()
CASH = PokerSettings(deck_shuffler=True)
EVENING = PokerSettings(
    PokerHouse.PRESTIGE,
    Form.TOURNAMENT,
    steps=(
        Step(10 * MINUTE_MS, Blinds(100, 200)),
        Step(5 * MINUTE_MS),
        Step(10 * MINUTE_MS, Blinds(12_500, 25_000, 2_500)),
    ),
)

COUNTING = """\
                          SIMULATION - NO REAL MONEY
 texas-holdem              AWARDING
                         4 ##        5 ##        6 ##
               3 ##                                        7 ##

        2 ##                                                      8 ##
    1 ##                   +----------------------+                 9 ## (D)
         Mano 1            | PIATTO 2      600,00 | Flop, restano 30 carte
         Bui 5/10          | RAKE       30,00 EUR | Mazzo rosso
                           +----------------------+
+- DEALER PANEL -------------------------------------------------------------+
|                                                      KEY       [R]         |
|                                                            JPL     JPH   S |
| *   CHIP_1   * *   CHIP_2   * *   CHIP_3   * *   CHIP_4   * *   CHIP_5   * |
| *    500     * *    100     * *     25     * *     5      * *     1      * |
| [ COIN IN ]                      [ JPOT ]                    [ GAME OVER ] |
+----------------------------------------------------------------------------+
 FAULTS -
 Piatto 1: 125,00  Piatto 2: 600,00  Rake 6+24 EUR  REFUSED -
 SHUFFLER -                                                        [ GREEN ]"""

LEVEL = """\
                          SIMULATION - NO REAL MONEY
 texas-holdem              PLAYING
                         4 ##        5 ##        6 ##
               3 ##            █▀█ █▀▀ ▄ █▀▀ ▀▀█           7 ##
                      Level 1  █ █ ▀▀█ ▄ ▀▀█   █
        2 ##                   ▀▀▀ ▀▀▀   ▀▀▀   ▀                  8 ##
    1 ##                   ┌──────────────────────┐                 9 ## (D)
         Hand 1            │ FLOP IS OUT          │ Flop, stub: 30 cards
         Deal 2            │ HAND 100/200         │
         Blinds 100/200    └──────────────────────┘
┌─ DEALER PANEL ─────────────────────────────────────────────────────────────┐
│                                                      KEY       [R]         │
│                                                            JPL     JPH   S │
│ *    HAND    * *    FLOP    *      TURN          RIVER           TIME      │
│ *            * *            *                                              │
│ [ COIN IN ]                      [ JPOT ]                    [ GAME OVER ] │
└────────────────────────────────────────────────────────────────────────────┘
 FAULTS -
                                                    REFUSED MISDEAL_LATE"""


class PlayedTable:
    """A poker table, what is done at it, and its picture."""

    def __init__(self, machine: SimulatedMachine, settings: PokerSettings) -> None:
        self._machine = machine
        self._vocabulary = Vocabulary.of("texas-holdem", poker=settings)
        self.table = SimulatedTable(machine)
        self.table.wait_for_devices()

    def do(self, *lines: str) -> None:
        for line in lines:
            self.table.do(parse_act(line.lower().split(), self._vocabulary))

    def picture(self, look: ScreenTraits = ASCII) -> list[str]:
        service = self.table.service
        poker = poker_facts_of(service, self._machine.plan.language)
        assert poker is not None
        facts = facts_of(self._machine.cabinet, self._machine.disk, service)
        fragments = draw_poker(self.table.observe(), facts, poker, look)
        lines = "".join(text for _, text in fragments).split("\n")
        assert max(map(len, lines)) <= look.width
        return [line.rstrip() for line in lines]

    def clock(self) -> list[str]:
        """The three rows of the clock, without the positions beside it."""
        first, second, third = self.picture()[3:6]
        return [first[20:58].strip(), second[14:58].strip(), third[20:58].strip()]


@contextmanager
def play_at(
    folder: Path, settings: PokerSettings, language: Language = Language.IT
) -> Iterator[PlayedTable]:
    plan = TablePlan("p", "texas-holdem", rail=None, language=language, poker=settings)
    with machine_in_virtual_time(plan, folder) as machine:
        yield PlayedTable(machine, settings)


def test_a_pot_is_counted_in_italian(tmp_path: Path) -> None:
    with play_at(tmp_path, CASH) as table:
        table.do("deck load red", "wait 3m", "press GAME_OVER", "press GREEN", "press FLOP")
        table.do("press JPOT", "press CHIP_2", "press CHIP_3", "press JPOT", "press CHIP_1")
        table.do("press CHIP_2", "wait 3s")
        assert table.picture() == COUNTING.split("\n")


def test_a_level_runs_in_english(tmp_path: Path) -> None:
    with play_at(tmp_path, EVENING, Language.EN) as table:
        table.do("press GAME_OVER", "declare clock start", "press HAND", "press HAND", "press HAND")
        table.do("press FLOP", "wait 243s", "press HAND")
        assert table.picture(UNICODE)[:-1] == LEVEL.split("\n")


@pytest.mark.parametrize(
    ("acts", "buttons"),
    [
        ((), "     HAND          FEWER           MORE          DEALER          DECK"),
        (("GAME_OVER",), "     HAND          FEWER           MORE          DEALER          DECK"),
        (
            ("GAME_OVER", "DEALER"),
            "     HAND           FLOP           TURN          RIVER           DECK",
        ),
        (
            ("GAME_OVER", "HAND"),
            "*    HAND    *      FLOP           TURN          RIVER           TIME",
        ),
        (
            ("GAME_OVER", "HAND", "FLOP", "TURN", "RIVER", "TIME"),
            "*    HAND    * *    FLOP    * *    TURN    * *   RIVER    * *    TIME    *",
        ),
        (
            ("GAME_OVER", "HAND", "FLOP", "JPOT"),
            "*   CHIP_1   * *   CHIP_2   * *   CHIP_3   * *   CHIP_4   * *   CHIP_5   *",
        ),
    ],
)
def test_the_buttons_have_the_legend_that_counts(
    acts: tuple[str, ...], buttons: str, tmp_path: Path
) -> None:
    with play_at(tmp_path, PokerSettings(PokerHouse.PRESTIGE)) as table:
        table.do(*(f"press {name}" for name in acts))
        row = table.picture()[13]
        assert row.strip("|").strip() == buttons.strip()


def large(text: str) -> list[str]:
    return [line.strip() for line in write_large(text, unicode=False)]


@pytest.mark.parametrize(
    ("acts", "name", "digits"),
    [
        (("declare clock start", "wait 1s"), "Livello 1", "09:59"),
        (("declare clock start", "wait 11m"), "Pausa", "04:00"),
        (("declare hand-for-hand on",), "Mano per mano", "10:00"),
        (("press HAND", "press TIME", "wait 1s"), "Tempo", "29"),
        (("press HAND", "press TIME", "wait 26s"), "Conto", "4"),
    ],
)
def test_the_clock_is_large(acts: tuple[str, ...], name: str, digits: str, tmp_path: Path) -> None:
    with play_at(tmp_path, EVENING) as table:
        table.do("press GAME_OVER", *acts)
        rows = table.clock()
        assert rows[1].startswith(name)
        rows[1] = rows[1].removeprefix(name)
        assert [row.strip() for row in rows] == large(digits)


@pytest.mark.parametrize(
    ("language", "stands", "over"),
    [
        (Language.IT, "Livello 1  F E R M O", "T E M P O   S C A D U T O"),
        (Language.EN, "Level 1  S T O P P E D", "T I M E   I S   U P"),
    ],
)
def test_words_stand_in_the_clock_s_place(
    language: Language, stands: str, over: str, tmp_path: Path
) -> None:
    with play_at(tmp_path, EVENING, language) as table:
        assert table.clock() == ["", stands, ""]
        table.do("press GAME_OVER", "press HAND", "press TIME", "wait 31s")
        assert table.clock() == ["", over, ""]
        table.do("press TIME", "power off")
        assert table.clock() == ["", "", ""]


def test_in_cash_nothing_runs(tmp_path: Path) -> None:
    with play_at(tmp_path, CASH) as table:
        table.do("press GAME_OVER", "press HAND")
        assert table.clock() == ["", "", ""]


@pytest.mark.parametrize("hole", [2, 4])
@pytest.mark.parametrize("players", range(2, 12))
def test_every_position_is_drawn_and_the_button_is_the_last(
    players: int, hole: int, tmp_path: Path
) -> None:
    with play_at(tmp_path, PokerSettings(hole=hole)) as table:
        table.do("press GAME_OVER", f"declare players {players}", "press HAND")
        felt = "\n".join(table.picture()[2:8])
        for place in range(1, players + 1):
            cards = f"{place} {'#' * hole}{' (D)' if place == players else ''}"
            assert f" {cards} " in f" {felt} ".replace("\n", " \n ")
        assert felt.count("(D)") == 1


def test_an_omaha_hand_that_awaits_its_deal_shows_no_cards(tmp_path: Path) -> None:
    with play_at(tmp_path, PokerSettings(PokerHouse.PRESTIGE, hole=4)) as table:
        table.do("press GAME_OVER", "press DEALER")
        shown = "\n".join(table.picture())
        assert "#" not in shown
        assert "omaha" in shown
        assert "Carte da dare" in shown
        assert "Cambiare il mazzo" in shown


def test_what_a_shuffler_has_is_said_and_a_table_without_one_has_no_green_button(
    tmp_path: Path,
) -> None:
    with play_at(tmp_path / "with", CASH) as table:
        table.do("deck load red", "deck load blue 51", "wait 3m")
        last = table.picture()[-1]
        assert "SHUFFLER prepared red 52  behind blue 51" in last
        assert "[ GREEN ]" in last
    with play_at(tmp_path / "without", PokerSettings()) as table:
        assert table.picture()[-1] == ""


def test_green_is_lit_between_hands_while_its_deck_is_ready(tmp_path: Path) -> None:
    """POKER 17.3"""
    with play_at(tmp_path, CASH) as table:
        table.do("deck load red", "wait 3m")
        assert "[ GREEN ]" in table.picture()[-1]
        table.do("press GAME_OVER")
        assert "[*GREEN*]" in table.picture()[-1]
        table.do("press GREEN", "deck load blue", "wait 3m")
        assert "[ GREEN ]" in table.picture()[-1]
        table.do("press GAME_OVER")
        assert "[*GREEN*]" in table.picture()[-1]
        table.do("unplug shuffler", "wait 2s")
        assert "[ GREEN ]" in table.picture()[-1]


def test_of_many_side_pots_the_last_ones_stay(tmp_path: Path) -> None:
    with play_at(tmp_path, CASH) as table:
        table.do("press GAME_OVER", "press HAND", "press FLOP")
        table.do(*("press JPOT", "press CHIP_1") * 6)
        row = table.picture()[18]
        assert "Piatto 6: 500,00  Rake 25+5+0+0+0+0 EUR" in row
        assert "Piatto 1" not in row
        assert row[52:] == "REFUSED -"


@pytest.mark.parametrize("unicode", [True, False])
def test_no_two_digits_look_alike(unicode: bool) -> None:
    assert len({write_large(digit, unicode=unicode) for digit in "0123456789:"}) == 11
    assert all(line.isascii() for line in write_large("0123456789:", unicode=False))


def test_what_is_drawn_has_the_width_of_every_picture(tmp_path: Path) -> None:
    with play_at(tmp_path, CASH) as table:
        for width in (60, WIDTH, 200):
            assert len(table.picture(ScreenTraits(width=width))) == 20

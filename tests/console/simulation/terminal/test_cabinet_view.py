"""The picture of the cabinet: everything on it can be told apart without colour."""

import pytest

from console.rules.codes import Fault, Phase, Refusal
from console.rules.observation import Observation
from console.rules.structs import replace
from console.simulation.scenario.cabinet_facts import CabinetFacts
from console.simulation.terminal.cabinet_view import HEIGHT, WIDTH, ScreenTraits, draw
from console.texts.language import Language
from console.texts.table_texts import TableNames
from devices.device import Device
from devices.roles import KeyPosition, Lamp
from jackpot.money.amounts import Cents
from jackpot.money.awards import Award, Envy, compute_award
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import Combination, Prize, PrizeTable

BANNER = "SIMULATION - NO REAL MONEY"
PRIZES = load_prizes("caribbean-stud").prizes
NAMES = tuple(prize.combination for prize in PRIZES)
TWO_FLUSHES = compute_award(PRIZES[-1], 2, Cents(1_000_420))
ACCOUNTS = {"jackpot": "9804.12", "reserve": "0.60", "house": "-9998.80", "paid": "0.00"}
ASCII = ScreenTraits(unicode=False)

QUIET = Observation(
    phase=Phase.PAUSED,
    slots={},
    seats={},
    lamps=(),
    display=("JACKPOT", "       10.000,00 EUR"),
    accounts=ACCOUNTS,
    award=None,
    faults=(),
    refused=None,
)
FACTS = CabinetFacts("caribbean-stud", NAMES, tray=0)

AWARDING = """\
                          SIMULATION - NO REAL MONEY
 caribbean-stud            AWARDING                            rail unplugged
                                       4
                        3 jam         ( )           5
                         (!)           -           (*)
              2         token                       -           6
             (~)           +----------------------+            ( )
      1       -            | COLORE x2            |             -       7
     (*)          TRAY 3   |           100,04 EUR |                    ( )
 token+card                +----------------------+                   card
+- DEALER PANEL -------------------------------------------------------------+
|  1 (!)  2 ( )  3 (*)  4 ( )  5 (*)  6 ( )  7 ( )     KEY        R          |
|                                                            JPL    [JPH]  S |
|     ROYAL         STRAIGHT      FOUR OF A         FULL      *            * |
|     FLUSH          FLUSH           KIND          HOUSE      *   FLUSH    * |
| [ COIN IN ]                      [ JPOT ]                    [ GAME OVER ] |
+----------------------------------------------------------------------------+
 FAULTS RAIL_LOST TOKEN_STUCK
 PENDING FLUSH x2, each 100.04                      REFUSED WRONG_KEY
 jackpot 9,804.12  reserve 0.60  house -9,998.80  paid 0.00"""


def picture(seen: Observation, facts: CabinetFacts, look: ScreenTraits = ASCII) -> str:
    text = "".join(text for _, text in draw(seen, facts, look))
    return "\n".join(line.rstrip() for line in text.split("\n"))


def styles(seen: Observation, look: ScreenTraits, text: str) -> list[str]:
    return [style for style, shown in draw(seen, FACTS, look) if shown == text]


def test_the_whole_cabinet() -> None:
    seen = replace(
        QUIET,
        phase=Phase.AWARDING,
        slots={1: Lamp.ON, 2: Lamp.INVITE, 3: Lamp.ALERT, 5: Lamp.ON},
        seats={1: Lamp.ALERT, 3: Lamp.ON, 5: Lamp.ON},
        lamps=("FLUSH",),
        display=("COLORE x2", "          100,04 EUR"),
        award=TWO_FLUSHES,
        faults=(Fault.RAIL_LOST, Fault.TOKEN_STUCK),
        refused=Refusal.WRONG_KEY,
    )
    facts = CabinetFacts(
        "caribbean-stud",
        NAMES,
        key=KeyPosition.JPH,
        unplugged=frozenset({Device.RAIL}),
        tokens=frozenset({1, 3}),
        cards=frozenset({1, 7}),
        jams=frozenset({3}),
        tray=3,
    )
    assert picture(seen, facts) == AWARDING


@pytest.mark.parametrize("width", [len(BANNER), 60, WIDTH, 200])
def test_the_banner_stands_whole_above_the_picture_however_wide(width: int) -> None:
    lines = picture(QUIET, FACTS, ScreenTraits(width=width)).split("\n")
    assert lines[0].strip() == BANNER
    assert len(lines) == HEIGHT + 1
    assert max(map(len, lines)) <= width
    assert styles(QUIET, ScreenTraits(width=width), BANNER.center(width)) == ["class:banner"]


def test_a_terminal_without_unicode_gets_ascii() -> None:
    assert "┌─ DEALER PANEL ─" in picture(QUIET, FACTS, ScreenTraits(unicode=True))
    assert picture(QUIET, FACTS, ScreenTraits(unicode=False)).isascii()


@pytest.mark.parametrize(
    ("position", "shown"),
    [
        (KeyPosition.R, ["[R]", " JPL     JPH   S "]),
        (KeyPosition.JPL, [" R ", "[JPL]    JPH   S "]),
        (KeyPosition.JPH, [" R ", " JPL    [JPH]  S "]),
        (KeyPosition.S, [" R ", " JPL     JPH  [S]"]),
        (None, [" R between ", " JPL     JPH   S "]),
    ],
)
def test_the_key_shows_where_it_stands(position: KeyPosition | None, shown: list[str]) -> None:
    lines = picture(QUIET, replace(FACTS, key=position)).split("\n")
    panel = next(number for number, line in enumerate(lines) if "DEALER PANEL" in line)
    assert shown[0] in lines[panel + 1]
    assert shown[1] in lines[panel + 2]


def test_what_is_wrong_with_the_cabinet_is_noted() -> None:
    facts = replace(FACTS, powered=False, disk_full=True, inspector=True)
    header = picture(QUIET, facts).split("\n")[1]
    assert header.endswith("POWER OFF, DISK FULL, INSPECTOR HERE")


def test_a_table_without_a_progressive_has_neither_rail_nor_combinations() -> None:
    shown = picture(QUIET, CabinetFacts("black-jack"))
    assert "COIN IN" in shown
    assert "JPOT" not in shown
    assert "TRAY" not in shown
    assert shown.count("( )") == 7  # the panel's own seats


def test_a_sensor_rail_has_no_tray() -> None:
    assert "TRAY" not in picture(QUIET, replace(FACTS, tray=None))


@pytest.mark.parametrize(("lamp", "half"), [(Lamp.INVITE, 1200), (Lamp.ALERT, 200)])
def test_lamps_pulse_slowly_and_blink_fast(lamp: Lamp, half: int) -> None:
    seen = replace(QUIET, slots={4: lamp})
    sign = {Lamp.INVITE: "(~)", Lamp.ALERT: "(!)"}[lamp]
    bright, dim = (styles(seen, ScreenTraits(now_ms=at), sign) for at in (half - 1, half))
    assert dim == [f"{bright[0]}.dim"]
    assert styles(seen, ScreenTraits(now_ms=2 * half), sign) == bright


def test_a_steady_lamp_is_steady() -> None:
    seen = replace(QUIET, slots={4: Lamp.ON})
    assert {styles(seen, ScreenTraits(now_ms=at), "(*)")[0] for at in range(0, 2000, 100)} == {
        "class:lamp.on"
    }


def test_the_frame_speaks_the_tables_language() -> None:
    facts = replace(FACTS, key=None, unplugged=frozenset({Device.RAIL}), tray=3)
    shown = picture(
        replace(QUIET, award=TWO_FLUSHES), facts, ScreenTraits(unicode=False, language=Language.IT)
    )
    for words in (
        "SIMULAZIONE - NIENTE DENARO VERO",
        "IN PAUSA",
        "scollegato: gettoniera",
        "VASCH. 3",
        "- CONSOLLE DEL CROUPIER -",
        "CHIAVE",
        "a meta'",
        "GUASTI -",
        "IN SOSPESO COLORE x2, 100,04 ciascuno",
        "RIFIUTATO -",
        "jackpot 9.804,12  riserva 0,60  casa -9.998,80  pagato 0,00",
    ):
        assert words in shown
    english = {"SIMULATION", "PAUSED", "TRAY", "DEALER", "FAULTS", "PENDING", "REFUSED", "reserve"}
    assert not english & set(shown.replace("+", " ").split())


HOUSE = PrizeTable(
    (Prize("MINI_ROYAL", 0, high=True, amount=Cents(50_000), it="MINI REALE", en="MINI ROYAL"),),
    currency="CHF",
    limit=Cents(980_412),
)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            Language.EN,
            (
                " PENDING MINI ROYAL x1 500.00  ENVY x3 25.00",
                "jackpot 9,804.12 MAX  ",
            ),
        ),
        (
            Language.IT,
            (" IN SOSPESO MINI REALE x1 500,00  ENVY x3 25,00", "9.804,12 MAX  "),
        ),
    ],
)
def test_a_prize_file_gives_names_envy_and_the_limit(
    language: Language, words: tuple[str, ...]
) -> None:
    award = replace(compute_award(HOUSE.prizes[0], 1, Cents(980_412)), envy=Envy(3, Cents(2500)))
    look = ScreenTraits(unicode=False, language=language, names=TableNames(prize_file=HOUSE))
    shown = picture(replace(QUIET, award=award, at_limit=True), FACTS, look)
    for word in words:
        assert word in shown
    assert "MAX" not in picture(replace(QUIET, award=award), FACTS, look)


def test_a_linked_jackpot_at_its_limit_is_marked_at_the_display() -> None:
    """Its accounts are this table's part."""
    shown = picture(replace(QUIET, link="up", at_limit=True), FACTS)
    assert [line for line in shown.splitlines() if "MAX" in line] == [
        line for line in shown.splitlines() if QUIET.display[1].strip() in line and "|" in line
    ]


def test_a_refusal_gives_way_to_the_longest_award() -> None:
    each = Cents(25_000_000)
    award = Award(Combination.FOUR_OF_A_KIND, 7, each, each, each, whole=False)
    seen = replace(QUIET, award=replace(award, envy=Envy(6, Cents(10_000))))
    shown = picture(replace(seen, refused=Refusal.WRONG_KEY), FACTS)
    assert " PENDING FOUR OF A KIND x7 250,000.00  ENVY x6 100.00  REFUSED WRONG_KEY\n" in shown

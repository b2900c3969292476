"""What the reading shoe says: the published examples, and any wire they come over."""

import re
import time
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.angel_eye.framing import (
    LONGEST_REPORT,
    AngelEyeAnswer,
    ReportReader,
    ShoeReport,
)
from firmware_bridge.angel_eye.reports import (
    CoupEnded,
    CutCardDrawn,
    ErrorReported,
    GameCard,
    LockReported,
    Meaning,
    OutsideCard,
    ReportedResult,
    ShoeSettingChanged,
    Target,
    card_byte,
    parse_report,
)
from firmware_bridge.protocol_error import ProtocolError

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "angel-eye.md").read_text("utf-8")
ON_THE_PAGE = re.findall(r"^\| `(05 [^`]*)` \|", PAGE, re.MULTILINE)

PUBLISHED = [
    ("05 31 44 81 C4 03 33 33", GameCard(Target.PLAYER, 1, "4H")),
    ("05 31 44 91 C4 03 32 33", GameCard(Target.BANKER, 1, "4H")),
    ("05 32 47 90 03 45 36", CoupEnded(ReportedResult.PLAYER)),
    ("05 33 43 03 37 33", CutCardDrawn()),
    ("05 34 4D B9 B0 B0 B3 B1 B2 03 37 33", ShoeSettingChanged("90", "0312")),
]

SAID = [
    ("C", "", CutCardDrawn()),
    ("D", "43 1d", GameCard(Target.FIRST_CARD, 3, "KD")),
    ("R", "02 2a", GameCard(Target.PLAYER, 2, "TC", again=True)),
    ("D", "13 31", GameCard(Target.BANKER, 3, "AS")),
    ("d", "01 49", OutsideCard(1, "9H")),
    ("G", "21", CoupEnded(ReportedResult.TIE, player_pair=True)),
    ("G", "43", CoupEnded(ReportedResult.BANKER, player_pair=True, banker_pair=True)),
    ("G", "72", CoupEnded(ReportedResult.FORCED_END, banker_pair=True)),
    ("E", "42", ErrorReported(2)),
    ("E", "07", ErrorReported(7)),
    ("e", "02", ErrorReported(2, over=True)),
    ("e", "47", ErrorReported(7, over=True)),
    ("L", "01", LockReported(True)),
    ("L", "00", LockReported(False)),
    ("M", "39 30 30 33 31 32", ShoeSettingChanged("90", "0312")),
]

WRONG = [
    ("D", "01 00", "0x00 is no card"),
    ("D", "01 4e", "0x4e is no card"),
    ("D", "01 51", "0x51 is no card"),
    ("D", "00 41", "0 is no place"),
    ("D", "14 41", "4 is no place"),
    ("D", "31 41", "3 is no target"),
    ("D", "01", "1 bytes of data, 2 are known"),
    ("G", "00", "0 is no result"),
    ("G", "30", "3 is no result"),
    ("M", "41 30 30 33 31 32", "no address"),
    ("Z", "", "not known"),
]

FOUR_OF_HEARTS = ShoeReport("1", "D", bytes((0x01, 0x44)))
reports = st.builds(
    ShoeReport,
    st.sampled_from("0123456789"),
    st.sampled_from("SPCDdRGEeLM"),
    st.binary(max_size=6).map(lambda data: bytes(byte & 0x7F for byte in data)),
)


def read(data: bytes) -> list[ShoeReport | AngelEyeAnswer]:
    return ReportReader().feed(data)


@pytest.mark.parametrize(("sent", "meaning"), PUBLISHED)
def test_the_published_examples(sent: str, meaning: Meaning) -> None:
    (report,) = read(bytes.fromhex(sent))
    assert isinstance(report, ShoeReport)
    assert parse_report(report) == meaning
    assert report.to_bytes() == bytes.fromhex(sent)


def test_the_page_shows_these_examples() -> None:
    assert [sent for sent, _ in PUBLISHED] == ON_THE_PAGE


@pytest.mark.parametrize(("letter", "data", "meaning"), SAID)
def test_every_letter_says_what_it_means(letter: str, data: str, meaning: Meaning) -> None:
    report = ShoeReport("7", letter, bytes.fromhex(data))
    assert read(report.to_bytes()) == [report]
    assert parse_report(report) == meaning


@pytest.mark.parametrize(("letter", "data", "why"), WRONG)
def test_what_cannot_be_is_not_understood(letter: str, data: str, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        parse_report(ShoeReport("7", letter, bytes.fromhex(data)))


def test_all_52_cards_have_their_byte() -> None:
    cards = [rank + suit for suit in "DCSH" for rank in "A23456789TJQK"]
    read_back = [
        parse_report(ShoeReport("1", "D", bytes((0x01, card_byte(card))))) for card in cards
    ]
    assert read_back == [GameCard(Target.PLAYER, 1, card) for card in cards]


def test_a_setting_in_plain_digits_is_read_too() -> None:
    assert read(bytes.fromhex("05 31 4d 39 30 30 33 31 32 03 37 36")) == [
        ShoeReport("1", "M", b"900312")
    ]


def test_a_report_sent_three_times_counts_once() -> None:
    reader = ReportReader()
    assert reader.feed(FOUR_OF_HEARTS.to_bytes() * 3) == [FOUR_OF_HEARTS]
    assert (reader.counts.reports, reader.counts.repeats) == (1, 2)
    again = ShoeReport("2", "D", FOUR_OF_HEARTS.data)
    assert reader.feed(again.to_bytes() + FOUR_OF_HEARTS.to_bytes()) == [again, FOUR_OF_HEARTS]
    reader.forget_last()
    assert reader.feed(FOUR_OF_HEARTS.to_bytes()) == [FOUR_OF_HEARTS]


def test_one_sequence_character_with_other_bytes_is_another_report() -> None:
    other = ShoeReport("1", "D", bytes((0x11, 0x44)))
    assert read(FOUR_OF_HEARTS.to_bytes() + other.to_bytes()) == [FOUR_OF_HEARTS, other]


@pytest.mark.parametrize("at", range(len(FOUR_OF_HEARTS.to_bytes())))
@pytest.mark.parametrize("bit", range(8))
def test_no_single_turned_bit_makes_another_card(at: int, bit: int) -> None:
    damaged = bytearray(FOUR_OF_HEARTS.to_bytes())
    damaged[at] ^= 1 << bit
    assert read(bytes(damaged) + FOUR_OF_HEARTS.to_bytes()) == [FOUR_OF_HEARTS]


@pytest.mark.parametrize("length", range(len(FOUR_OF_HEARTS.to_bytes())))
def test_a_report_cut_short_costs_only_itself(length: int) -> None:
    whole = FOUR_OF_HEARTS.to_bytes()
    assert read(whole[:length] + whole) == [FOUR_OF_HEARTS]
    assert read(whole[length:] + whole)[-1] == FOUR_OF_HEARTS


@given(st.lists(reports, max_size=20), st.lists(st.integers(0, 300), max_size=10))
def test_reports_in_pieces_of_any_size(sent: list[ShoeReport], cuts: list[int]) -> None:
    whole = b"".join(report.to_bytes() for report in sent)
    edges = [0, *sorted(cuts), len(whole)]
    reader = ReportReader()
    pieces = [whole[a:b] for a, b in pairwise(edges)]
    heard = [report for piece in pieces for report in reader.feed(piece)]
    assert heard == read(whole)
    assert reader.counts.repeats + len(heard) == len(sent)
    assert (reader.counts.bad_bcc, reader.counts.discarded) == (0, 0)


@given(st.binary(max_size=60), reports, st.binary(max_size=60))
def test_noise_before_and_after_hides_no_report(
    before: bytes, report: ShoeReport, after: bytes
) -> None:
    whole = before + report.to_bytes() + after
    assert report in read(whole)
    reader = ReportReader()
    assert [heard for byte in whole for heard in reader.feed(bytes((byte,)))] == read(whole)


def test_a_million_random_bytes_make_no_card_and_the_next_report_is_heard() -> None:
    chance = Random(9)
    reader = ReportReader()
    for _ in range(250):
        noise = chance.randbytes(4000)
        assert not [heard for heard in reader.feed(noise) if isinstance(heard, ShoeReport)]
        assert reader.feed(FOUR_OF_HEARTS.to_bytes()) == [FOUR_OF_HEARTS]
        reader.forget_last()
    assert reader.counts.discarded > 900_000


@pytest.mark.parametrize(
    "noise", [b"\x05", b"\x05M", b"\x051D\x81", b"\x051D\x81\xc4\x03", b"\x15"]
)
def test_the_time_is_in_proportion_to_the_bytes_and_little_is_kept(noise: bytes) -> None:
    reader = ReportReader()
    began = time.process_time()
    for _ in range(4):
        reader.feed(noise * (1_000_000 // len(noise)))
    for _ in range(2000):
        reader.feed(noise)
    assert time.process_time() - began < 4
    assert len(reader._rest) <= LONGEST_REPORT
    assert reader.feed(FOUR_OF_HEARTS.to_bytes()) == [FOUR_OF_HEARTS]


ANSWERS = [
    ("06", 0),
    ("15 30 32", 2),
    ("15 02", 2),
    ("15 31 34", 14),
    ("15 21", 21),
    ("15 32 32", 22),
]


@pytest.mark.parametrize(("sent", "code"), ANSWERS)
def test_answers_between_reports(sent: str, code: int) -> None:
    heard = read(FOUR_OF_HEARTS.to_bytes() + bytes.fromhex(sent) + FOUR_OF_HEARTS.to_bytes())
    assert heard == [FOUR_OF_HEARTS, AngelEyeAnswer(code)]

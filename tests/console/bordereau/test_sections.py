"""The bordereau on paper: 40 columns of ASCII, and A4, in both languages."""

import re
import zlib
from pathlib import Path

import pytest

from console.bordereau.events import NOTED as NOTED_DECISIONS
from console.bordereau.figures import AwardStatus, Bordereau, CorrectionEntry, When
from console.bordereau.json import plain
from console.bordereau.nights import bordereau_of, newest_night
from console.bordereau.pdf import pdf_of
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import ascii_of, text_of
from console.bordereau.words import AWARD_STATUSES, Wording, exact
from console.rules.codes import Phase
from console.rules.structs import replace
from console.texts.bordereau_texts import ACCOUNTS_ON_PAPER, NOTED, REASONS
from console.texts.language import Words
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import Units
from tests.console.bordereau.played_nights import (
    IN_ENGLISH,
    IN_ITALIAN,
    NIGHT,
    ledger_of,
    play_closed_night,
    play_night,
)

BOTH = pytest.mark.parametrize("say", [IN_ITALIAN, IN_ENGLISH], ids=["it", "en"])
PAGE = re.compile(rb"/Type /Page\b")
SHOWN = re.compile(rb"\((.*?)(?<!\\)\) Tj")
NOON = When(7, "2026-11-20T12:00:00+00:00", 1)


def paper(report: Bordereau, say: Wording) -> str:
    return text_of(sheet_of(report, say))


def text_of_pdf(pdf: bytes) -> str:
    """All text of a PDF, a line for each piece of it."""
    pieces: list[bytes] = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL):
        pieces += SHOWN.findall(zlib.decompress(stream))
    return "\n".join(re.sub(rb"\\([()\\])", rb"\1", piece).decode("cp1252") for piece in pieces)


def test_amounts_are_written_as_the_language_writes_them(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    italian, english = paper(report, IN_ITALIAN), paper(report, IN_ENGLISH)
    assert "ciascuno                      9.804,12" in italian
    assert "each                          9,804.12" in english
    assert "COLORE                              x2" in italian
    assert "FLUSH                               x2" in english
    assert "aperto               01/01/2000 00:00:00" in italian
    assert "opened               2000-01-01 00:00:00" in english


def test_a_linked_tables_accounts_are_named_its_part(tmp_path: Path) -> None:
    lines = ("press GAME_OVER", "token 1 2", "press COIN_IN", "press FLUSH", "key JPL")
    lost = ("press JPOT", "key R", "press GAME_OVER", "link off", "wait 10s", "link on", "wait 5s")
    with play_night(tmp_path, *lines, *lost, settings=("link house",)) as table:
        folder = ledger_of(table)
        report = bordereau_of(folder, newest_night(folder))
    italian, english = paper(report, IN_ITALIAN), paper(report, IN_ENGLISH)
    assert report.closing.jackpot < 0
    assert "CONTI, EUR - PARTE DI QUESTO TAVOLO" in italian
    assert "MOVEMENTS, EUR - THIS TABLE'S PART" in english
    assert "linked jackpot                     house" in english
    assert "Il jackpot collegato e' alla centrale." in italian
    assert re.search(r"GUASTI.*LINK ASSENTE", italian, re.DOTALL)
    assert len([one for one in report.faults if one.code == "LINK_LOST"]) == 2  # start, cable
    assert "base EUR" not in english


@pytest.mark.parametrize(
    ("units", "italian", "english", "plain"),
    [
        (0, "0,00", "0.00", "0.00"),
        (12_345_670_000, "12.345,67", "12,345.67", "12345.67"),
        (-3_950_000, "-3,95", "-3.95", "-3.95"),
        (14_050, "0,014050", "0.014050", "0.014050"),
        (1_405_000, "1,4050", "1.4050", "1.4050"),
        (-1, "-0,000001", "-0.000001", "-0.000001"),
    ],
)
def test_what_is_no_whole_cent_is_written_in_full(
    units: int, italian: str, english: str, plain: str
) -> None:
    assert (IN_ITALIAN.amount(units), IN_ENGLISH.amount(units)) == (italian, english)
    assert exact(units) == plain


@BOTH
def test_a_receipt_has_forty_columns_of_ascii(tmp_path: Path, say: Wording) -> None:
    report = awkward(play_closed_night(tmp_path))
    lines = paper(report, say).splitlines()
    assert max(len(line) for line in lines) <= 40
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert "".join(report.corrections[0].reason.split()) in "".join("".join(lines).split())


def awkward(report: Bordereau) -> Bordereau:
    """With a long reason, long names, and an amount of many digits."""
    reason = "the tokens of the third table were counted with those of the first one by mistake"
    units = {Account.HOUSE: Units(-(10**15) + 1), Account.RESERVE: Units(10**15 - 1)}
    one = CorrectionEntry(NOON, "a" * 24, "b" * 24, reason, units)
    return replace(report, corrections=(one,))


def test_letters_that_a_receipt_printer_has_not() -> None:
    assert ascii_of("perché è così") == "perche' e' cosi'"
    assert ascii_of("100 € 日\x1b[2J") == "100 ? ??[2J"


@BOTH
def test_what_is_not_closed_says_so(tmp_path: Path, say: Wording) -> None:
    with play_night(tmp_path, *NIGHT) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    warning = say(Words("NON ANCORA CHIUSO", "NOT CLOSED YET"))
    assert f"*** {warning} ***" in paper(report, say)
    assert warning in text_of_pdf(pdf_of(sheet_of(report, say), say))
    assert say(Words("Non contata.", "Not counted.")) in paper(report, say)


@BOTH
def test_a_simulation_says_so(tmp_path: Path, say: Wording) -> None:
    simulated = play_closed_night(tmp_path)
    warning = say(Words("SIMULAZIONE: NESSUN DENARO VERO", "SIMULATION: NO REAL MONEY"))
    assert f"*** {warning} ***" in paper(simulated, say)
    assert warning in text_of_pdf(pdf_of(sheet_of(simulated, say), say))
    assert plain(simulated)["simulated"] is True
    real = replace(simulated, simulated=False)
    assert warning not in paper(real, say)


def test_a_simulation_stands_across_each_page(tmp_path: Path) -> None:
    simulated = play_closed_night(tmp_path)
    pdf = pdf_of(sheet_of(simulated, IN_ITALIAN), IN_ITALIAN)
    pages = len(PAGE.findall(pdf))
    assert text_of_pdf(pdf).splitlines().count("SIMULAZIONE") == pages == 2
    real = sheet_of(replace(simulated, simulated=False), IN_ITALIAN)
    assert "SIMULAZIONE" not in text_of_pdf(pdf_of(real, IN_ITALIAN))


@BOTH
def test_the_first_page_is_signed(tmp_path: Path, say: Wording) -> None:
    """Four people, space for remarks, the number of the document and the whole hash"""
    report = play_closed_night(tmp_path)
    sheet = sheet_of(replace(report, awards=report.awards * 20), say, "Casino, Sanremo")
    first = text_of_pdf(pdf_of(sheet, say)).split("1 / ")[0]
    signs = say(
        Words("croupier capotavolo cassa controllo", "croupier|floor manager|cash desk|controller")
    )
    for who in signs.split("|" if "|" in signs else None):
        assert f"\n{who}\n" in first
    assert say(Words("Osservazioni", "Remarks")) in first
    assert say(Words("documento n. simulated/60", "document no. simulated/60")) in first
    assert "Casino, Sanremo" in first
    receipt = text_of(sheet).splitlines()
    assert receipt[0] == "            Casino, Sanremo"
    assert [line.split(" _")[0] for line in receipt if " _" in line] == list(sheet.signatures)


def test_faults_of_one_kind_are_one_row(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    one = report.faults[0]
    many = replace(one, raised=NOON, cleared=replace(NOON, wall="2026-11-20T12:30:00+00:00"))
    text = paper(replace(report, faults=(many, *report.faults[1:], many)), IN_ITALIAN)
    assert "GETTONE INCASTRATO                    x2\n  12:00:00 - 12:30:00\n" in text
    still = paper(replace(report, faults=(many, replace(many, cleared=None))), IN_ITALIAN)
    assert "GETTONE INCASTRATO                    x2\n  12:00:00 - ancora\n" in still


def test_what_came_in_is_above_zero(tmp_path: Path) -> None:
    """A cash desk reads no amount of tokens below zero; the record has the tray's account so"""
    report = play_closed_night(tmp_path)
    assert report.closing.tray == -8_000_000
    accounts = paper(report, IN_ITALIAN).split("CONTI, EUR")[1]
    assert accounts.splitlines()[2].split() == ["dopo", "8,00"]


@BOTH
def test_what_does_not_add_up_says_so(tmp_path: Path, say: Wording) -> None:
    report = replace(play_closed_night(tmp_path), differs=("reserve",))
    warning = say(Words("NON QUADRA: reserve", "DOES NOT ADD UP: reserve"))
    assert f"*** {warning} ***" in paper(report, say)
    assert warning in text_of_pdf(pdf_of(sheet_of(report, say), say))


@BOTH
def test_the_whole_hash_stands_at_the_foot(tmp_path: Path, say: Wording) -> None:
    report = play_closed_night(tmp_path)
    foot = "".join(paper(report, say).split())
    assert f"{report.last.seq}{report.hash}" in foot
    pdf = text_of_pdf(pdf_of(sheet_of(report, say), say))
    assert report.hash in pdf.replace(" ", "")


@BOTH
def test_a_pdf_says_what_the_receipt_says(tmp_path: Path, say: Wording) -> None:
    report = awkward(play_closed_night(tmp_path))
    pdf = "".join(text_of_pdf(pdf_of(sheet_of(report, say), say)).split())
    for section in sheet_of(report, say).sections:
        words = [section.title, *section.notes]
        words += [text for pair in section.pairs for text in (pair.name, pair.value)]
        if section.table is not None:
            words += [cell for item in section.table.items for cell in item.cells]
        for text in words:
            assert "".join(text.split()) in pdf, text


def test_a_night_is_two_pages_at_most_and_the_same_file_each_time(tmp_path: Path) -> None:
    sheet = sheet_of(play_closed_night(tmp_path), IN_ITALIAN)
    pdf = pdf_of(sheet, IN_ITALIAN)
    assert len(PAGE.findall(pdf)) in (1, 2)
    assert pdf == pdf_of(sheet, IN_ITALIAN)
    assert b"/CreationDate (D:20000101000000Z)" in pdf  # not when it was printed
    assert b"/MediaBox [0 0 595.28 841.89]" in pdf


def test_a_long_night_goes_over_pages(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    pdf = pdf_of(sheet_of(replace(report, awards=report.awards * 60), IN_ENGLISH), IN_ENGLISH)
    assert len(PAGE.findall(pdf)) > 3
    assert text_of_pdf(pdf).count("ROYAL FLUSH") == 60


def test_names_in_other_letters_do_not_stop_a_pdf(tmp_path: Path) -> None:
    report = play_closed_night(tmp_path)
    trays = tuple(replace(one, who="Ψ") for one in report.trays)
    assert (
        "%PDF"
        in pdf_of(sheet_of(replace(report, trays=trays), IN_ITALIAN), IN_ITALIAN)[:5].decode()
    )


@pytest.mark.parametrize("game", ["ultimate-texas-holdem", "mini-punto-banco", "black-jack"])
def test_a_table_without_tokens_has_no_money_to_tell(game: str, tmp_path: Path) -> None:
    lines = ("press GAME_OVER", "press COIN_IN", "declare tray 0")
    with play_night(tmp_path, *lines, settings=(f"game {game}",)) as table:
        report = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
    text = paper(report, IN_ENGLISH)
    assert report.phase is Phase.PAUSED
    assert "CARDS" in text
    assert "ACCOUNTS" not in text
    assert "AWARDS" not in text
    assert pdf_of(sheet_of(report, IN_ENGLISH), IN_ENGLISH).startswith(b"%PDF")


def test_there_are_words_for_all_there_is() -> None:
    assert set(ACCOUNTS_ON_PAPER) == set(Account)
    assert set(REASONS) == set(Reason)
    assert set(AWARD_STATUSES) == set(AwardStatus)
    assert set(NOTED) == set(NOTED_DECISIONS)
